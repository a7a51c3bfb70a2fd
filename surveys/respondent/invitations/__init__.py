"""Invitations: whoever was invited sends one report, and nobody can tell whose it is, this site included."""
