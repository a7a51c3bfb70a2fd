"""Shares of a question weighted by the known shares of another one, from totals alone (M41).

The weights are of answers and never of people: a respondent's stratum is not known, and no weight of one ever exists.
scores has a report's part of a weighted share, margin one known margin, margins and raking several at once, and
document and raking_document the published results.
"""
