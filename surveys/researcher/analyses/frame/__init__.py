"""The framework of all analyses: requests, pages, files. It imports no analysis."""
