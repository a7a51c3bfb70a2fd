"""Every question by one stratum: asking for it, the page, the files."""
