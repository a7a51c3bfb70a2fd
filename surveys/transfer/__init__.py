"""Move an ended survey to another site."""
