"""Hints on respondents' effort: the time a survey takes, and the difficulty of its texts."""
