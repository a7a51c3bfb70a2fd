"""Regressions: one question of a release explained by others."""
