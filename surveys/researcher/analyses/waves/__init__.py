"""Waves: surveys that ask the same people again, the changes between them, and what all of them together show."""
