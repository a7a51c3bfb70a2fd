"""Rules that several rooms share."""
