"""The page of a release's comparisons: answers with each other, with a value, with another survey; and power."""
