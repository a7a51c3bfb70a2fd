"""Cross-tables: two questions of a release in one table."""
