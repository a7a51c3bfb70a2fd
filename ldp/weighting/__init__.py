"""Shares of a question weighted by the known shares of another one, from totals alone (M41).

Weights belong to answers and never to people: a respondent's stratum is unknown, and no person has a weight. `scores`
has a report's score of a weighted share, `margin` one known margin, `margins` and `raking` several at once, and
`document` and `raking_document` the published results.
"""
