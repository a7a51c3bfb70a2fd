"""Versions of a question, in other words or under another alpha: what differs between them."""
