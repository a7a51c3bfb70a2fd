"""The documents that follow exactly from a survey's definition and its releases: one module each, all of the same
facts."""
