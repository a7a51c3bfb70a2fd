"""The public log, and what checks a site against it."""
