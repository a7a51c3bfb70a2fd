"""Expected precision, and the numbers of people needed, before anyone answers."""
