"""Pages without an account."""
