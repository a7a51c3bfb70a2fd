"""The intake: it owns the port and takes reports."""
