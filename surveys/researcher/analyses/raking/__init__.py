"""Raking: weight a question of a release by the known shares of several others at once."""
