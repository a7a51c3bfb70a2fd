"""All tables of a release as one workbook for spreadsheets."""
