"""Arabic."""

from surveys.formats import DATE_INPUT_FORMATS, DATETIME_INPUT_FORMATS, NUMBER_GROUPING, TIME_FORMAT, TIME_INPUT_FORMATS

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y، H:i"
SHORT_DATE_FORMAT = "j F Y"
SHORT_MONTH_FORMAT = "F Y"
# With the digits that files and addresses have too, and the marks that stand between such digits.
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
