"""Clients of the API, each a file of its own that needs nothing of this package."""
