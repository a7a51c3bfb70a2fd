"""Raking: a question of a release weighted by the known shares of several others at once."""
