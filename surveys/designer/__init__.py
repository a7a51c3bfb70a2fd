"""The pages of designers, who write, open and run surveys."""
