"""What all analyses share: asking for one of a release, its page, its files. It knows no analysis."""
