"""What a researcher asks of a release."""
