"""The analyses of a release: one frame, and a folder for each analysis."""
