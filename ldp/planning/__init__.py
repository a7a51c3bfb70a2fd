"""What to expect before anybody answers, and what a trusted curator could do instead (M19 to M25)."""
