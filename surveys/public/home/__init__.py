"""The first page: what this is, tried by whoever opens it."""
