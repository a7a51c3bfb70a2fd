"""Opening a survey: reasons for and against it, the parts to be frozen, the terms."""
