"""The whole system on one machine, whose parts start and end together."""
