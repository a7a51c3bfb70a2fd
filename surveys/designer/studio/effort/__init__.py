"""Hints about a survey's effort for respondents: its time, and the difficulty of its texts."""
