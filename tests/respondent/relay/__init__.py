"""What comes through a relay."""
