"""Statistics of one question's totals beyond its shares: sets of categories, quantiles, means, ratios, forged
reports."""
