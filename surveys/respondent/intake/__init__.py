"""One report comes in: the hot path, which owns the port."""
