"""Subgroups: all questions of a release by the answers to one of them."""
