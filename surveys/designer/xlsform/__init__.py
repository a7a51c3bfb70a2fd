"""XLSForm, the spreadsheets in which many survey tools keep their forms: read into drafts, written from definitions.

Remarks name all parts that have no place in a private survey, or another one: nothing is dropped silently.
"""
