"""Expected precision and needed numbers of people, before anyone answers."""
