"""XLSForm, the spreadsheets in which many survey tools keep their forms: read into drafts, written from definitions.

Whatever of a form has no place in a private survey, or another one, is named in remarks: nothing is dropped silently.
"""
