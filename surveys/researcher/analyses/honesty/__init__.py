"""Attention and honesty: shares corrected by attention questions, and shares against publicly known ones."""
