"""The intake: the hot path that takes reports and owns the port."""
