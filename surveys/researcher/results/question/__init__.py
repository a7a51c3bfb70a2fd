"""The page of one question of a release, with all readings of its totals. The URL keeps the reader's choices."""
