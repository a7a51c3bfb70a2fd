"""The first page: explains the site, with a question to try."""
