"""Shares of a question weighted by another question's known shares, from totals alone (M41).

Weights belong to answers, never to people: a respondent's stratum is unknown. `scores` has a report's score of a
weighted share, `margin` one known margin, `margins` and `raking` several at once, and `document` and `raking_document`
the published results.
"""
