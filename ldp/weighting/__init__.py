"""Shares of a question weighted by the known shares of another one, from totals alone (M41).

The weights are of answers and never of people: a respondent's stratum is not known, and no weight of one ever exists.
What each report adds to a weighted share (scores), one known margin (margin), several at once (what is asked
for: margins; raking), and what is published of either (document, raking_document).
"""
