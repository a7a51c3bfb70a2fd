"""How each language writes dates and numbers; Django reads these modules by their names (FORMAT_MODULE_PATH).
Here stands what the languages share."""

TIME_FORMAT = "H:i"
# What browsers send and take in fields of dates and times, whatever their reader speaks.
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
TIME_INPUT_FORMATS = ["%H:%M", "%H:%M:%S"]
DATETIME_INPUT_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]
NUMBER_GROUPING = 3
