"""The pages of people who read results."""
