"""Local differential privacy, in the order of the mathematics.

Integer tables and their proof (exact, words, sampling, packing, tables), the mechanisms, what a report says about one
category (scores), the kinds of question, the twin of the browser (privatize), totals of many reports (tally, kernels),
inference from totals, what any mechanism could reach (bounds), planning, what a trusted curator could do (central), and
the document that a release publishes (results, document).

Knows nothing of Django, files, clocks or settings. Randomness is always an argument.
"""
