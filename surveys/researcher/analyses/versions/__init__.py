"""Versions of a question, with a different wording or alpha, and the differences between them."""
