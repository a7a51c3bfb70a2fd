"""The pages for readers of results."""
