"""Clients of the API. Each is a single file that needs nothing of this package."""
