"""The one door to what a worker counts of a release on request: asking for it, its page, its files."""
