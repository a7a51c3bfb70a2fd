"""Tables as sheets of a workbook, with headings in words."""
