"""Subgroups: every question of a release by one of them."""
