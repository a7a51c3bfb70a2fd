"""The whole system on one machine. Its parts start and end together."""
