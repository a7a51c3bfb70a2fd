"""Invitations. Each invited person can send one report, and no one can link the report to the person, not even this
site."""
