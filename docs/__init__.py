"""The documents, and the programs that write what they show."""
