"""Accounts of designers, researchers and administrators: how they sign in."""
