"""Reports through a relay."""
