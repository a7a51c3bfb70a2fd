"""Regression where outcome and covariates were all randomized (M40).

specification   what explains what: outcome, covariates as categories or scores, interactions
design          the columns of the covariates, over all combinations of answers
models          linear, logistic and multinomial, ordered: what a combination adds to the equations
factors         which of the variables share a draw
sample          reports as unbiased weights of the combinations, from the counts of a draw or from single reports
fitting         the solution, its variance, and when there is none to be had
truncation      how surely answers are given at all, and how far noise may have pushed what is shown
effects         predicted shares and marginal effects, which bend with normal errors
profile         intervals by the likelihood of a draw's counts
document        all of it, as it is published
"""
