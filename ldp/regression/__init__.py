"""Regression where outcome and covariates were all randomized (M40).

specification   the model: outcome, covariates as categories or scores, interactions
design          the columns of the covariates, over all combinations of answers
models          the equations of linear, logistic, multinomial and ordered models
factors         the variables that share a draw
sample          reports as unbiased weights of the combinations, from the counts of a draw or from single reports
fitting         the solution and its variance, or the refusal of too few reports
truncation      corrections for showing only results from enough reports
effects         predicted shares and marginal effects, with intervals for their curvature
profile         intervals by the likelihood of a draw's counts
document        the published document
"""
