"""Waves: surveys that ask the same people again, and the changes between them."""
