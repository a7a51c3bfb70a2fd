"""The first page: it explains the site and has a question to try."""
