"""Pages that need no account."""
