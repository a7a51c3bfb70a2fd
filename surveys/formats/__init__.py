"""Formats of dates and numbers that all languages share. Django finds each language's module through
FORMAT_MODULE_PATH."""

TIME_FORMAT = "H:i"
# Browsers use these in date and time fields, in every language.
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
TIME_INPUT_FORMATS = ["%H:%M", "%H:%M:%S"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]
NUMBER_GROUPING = 3
