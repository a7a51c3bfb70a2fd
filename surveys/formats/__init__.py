"""Formats of dates and numbers for each language, which Django finds by their names (FORMAT_MODULE_PATH); here, those
that all languages share."""

TIME_FORMAT = "H:i"
# Browsers use these in date and time fields, in every language.
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
TIME_INPUT_FORMATS = ["%H:%M", "%H:%M:%S"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]
NUMBER_GROUPING = 3
