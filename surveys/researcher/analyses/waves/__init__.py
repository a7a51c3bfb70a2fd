"""Waves: surveys that ask the same people again, what changed between them, and what all of them together tell."""
