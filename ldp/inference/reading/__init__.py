"""What one question's totals say beyond its shares: sets of categories, quantiles, means, ratios, forged reports."""
