"""The programs that write what the documents show."""
