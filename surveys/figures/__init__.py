"""Estimates as numbers, sentences and pictures."""
