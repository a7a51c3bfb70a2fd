"""A question of a cross-table weighted by the known shares of the other one, which are in the URL alone."""
