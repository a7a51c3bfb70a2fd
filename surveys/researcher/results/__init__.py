"""Results of a survey: an estimates document becomes sentences, tables, plots and downloads."""
