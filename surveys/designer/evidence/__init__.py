"""Documents that follow exactly from a survey's definition and its releases. Each has a module; all use the same
facts."""
