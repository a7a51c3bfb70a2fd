"""What people who read results work with."""
