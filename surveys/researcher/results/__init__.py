"""Results of a survey: the estimates as sentences, tables, plots and downloads."""
