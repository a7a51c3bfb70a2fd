"""Opening a survey: what speaks for and against it, what will be frozen, the terms."""
