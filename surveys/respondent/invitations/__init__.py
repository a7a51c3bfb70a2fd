"""Invitations: each invited person can send one report, and no one, this site included, can link it to the person."""
