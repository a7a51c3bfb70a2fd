"""The page of a release's comparisons: between a question's answers, against a value, between two surveys, and
power."""
