"""From score totals to statements: estimates, covariances, intervals, tests, crossings (M12 to M18)."""
