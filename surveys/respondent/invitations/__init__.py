"""Invitations. Each invited person can send one report, which no one can link to the person, not even this site."""
