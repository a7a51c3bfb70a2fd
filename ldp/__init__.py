"""Local differential privacy, in the order of the mathematics.

Integer tables and their proof (exact, words, sampling), the mechanisms by name, what a report says about one category
(scores), the twin of the browser (privatize), totals of many reports (tally, kernels), inference from totals, what any
mechanism could reach (bounds), planning, and all that the results say about one question (question).

Knows nothing of Django, files, clocks or settings. Randomness is always an argument.
"""
