"""From score totals to statements: estimates, covariances, intervals, tests, crossings, robustness (M12 to M18)."""
