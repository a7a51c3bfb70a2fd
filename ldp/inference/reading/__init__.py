"""Statistics of a question's totals beyond shares: sets of categories, quantiles, means, ratios, forgeries."""
