"""A question weighted by the known shares of several others at once: asking for it, the page, the files."""
