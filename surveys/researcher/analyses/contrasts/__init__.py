"""The page of a release's contrasts: between a question's answers, against a value, between two surveys, and power."""
