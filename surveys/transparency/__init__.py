"""The public log, and the checks of a site against it."""
