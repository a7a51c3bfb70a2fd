"""The page of one question of a release: everything that its totals say, by choices that the address keeps."""
