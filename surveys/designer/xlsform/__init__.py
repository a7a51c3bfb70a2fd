"""XLSForm, the spreadsheet format of many survey tools: read into drafts, written from definitions.

Remarks name every part that a private survey drops or changes. Nothing is dropped silently.
"""
