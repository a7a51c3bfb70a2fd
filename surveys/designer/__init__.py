"""What people who write a survey work with."""
