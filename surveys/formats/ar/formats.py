"""Arabic."""

from surveys.formats import DATE_INPUT_FORMATS, DATETIME_INPUT_FORMATS, NUMBER_GROUPING, TIME_FORMAT, TIME_INPUT_FORMATS

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y، H:i"
SHORT_DATE_FORMAT = "j F Y"
SHORT_MONTH_FORMAT = "F Y"
# European digits, as in files and URLs, with their separators.
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
