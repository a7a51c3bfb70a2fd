"""What people who answer work with, and what takes their reports."""
