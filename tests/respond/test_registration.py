"""A language of the respondents' page is known to everything that must know it: no browser is needed to see it."""

import re

from django.conf import settings

from surveys.respond import assets, notices
from surveys.rules import languages

RESPOND = settings.BASE_DIR / "surveys" / "static" / "respond"


def test_every_language_has_its_notices():
    assert set(notices.WORDS) == set(languages.PAGE)


def test_the_page_knows_every_language_by_its_tag():
    (spoken,) = re.findall(r"const SPOKEN = \[(.*?)\]", (RESPOND / "language.js").read_text(encoding="utf-8"))
    assert re.findall(r'"(.*?)"', spoken) == list(languages.PAGE)


def test_every_language_has_both_tables_of_words_and_no_table_is_without_one():
    found = {file.name for file in (RESPOND / "words").iterdir()}
    assert found == {*assets.TABLES.values(), *assets.MORE.values()}
