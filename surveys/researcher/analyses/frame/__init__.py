"""The frame of all analyses: requests, pages, files. It knows no analysis."""
