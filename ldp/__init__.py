"""Local differential privacy, in the order of the mathematics: exact channels, estimates, intervals, bounds.

Knows nothing of Django, files, clocks or settings. Randomness is always an argument.
"""
