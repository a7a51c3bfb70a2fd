"""Expectations before anyone answers, and the alternative of a trusted curator (M19 to M25)."""
