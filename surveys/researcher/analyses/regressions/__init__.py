"""A release's regressions: choosing a model and asking for it, the page, the pictures, the files."""
