"""Weight a question of a cross-table by the known shares of the other one. The known shares are only in the URL."""
