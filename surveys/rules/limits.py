"""The limits of a definition. The page has the same numbers (rules.js)."""

QUESTIONS_MAX = 200
CATEGORIES_MAX = 256
ITEMS_MAX = 64
RANKED_MIN, RANKED_MAX = 3, 8
PEOPLE_MAX = 10**9  # expected
LANGUAGES_MAX = 16
# About 200 kB. Every respondent's browser loads the tables and checks their alphas.
TABLES_MAX = 12_000

# Characters.
TITLE_MAX = 200
TEXT_MAX = 2000
CONSENT_MAX = 10_000
OPTION_MAX = 200
UNIT_MAX = 40
ALT_MAX = 300

# Of pictures: bytes of one and of all in a survey, which every respondent loads; and pixels, which the browser draws.
PICTURE_BYTES_MAX = 32 << 10
PICTURES_BYTES_MAX = 256 << 10
PICTURES_PIXELS_MAX = 8_000_000
