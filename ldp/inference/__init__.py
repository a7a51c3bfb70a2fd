"""Inference from score totals: estimates, covariances, intervals, tests, crossings (M12 to M18)."""
