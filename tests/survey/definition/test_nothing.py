""" "None of these" among the options of a multiple choice, as authors write it in the languages of the page."""

import re
from pathlib import Path

import pytest

from surveys.rules.languages import PAGE, WORDS, says_nothing
from surveys.survey import definition as definitions

PAGES = Path(definitions.__file__).parents[2] / "static/respond/words"
NOTHING = {
    "en": ["None of these", "none of the above", "NONE", "None of these.", "Nothing", "None of them", "None apply"],
    "de": ["Nichts davon", "Keine davon", "Keines davon", "Keine der genannten", "Keine dieser Antworten", "keine"],
    "fr": ["Aucune de ces options", "Aucun", "Aucun d’entre eux", "Rien de tout cela", "Aucune de ces réponses"],
    "es": ["Ninguna de estas opciones", "Ninguno", "Ninguna de las anteriores", "Nada de esto", "Ningún"],
    "pt": ["Nenhuma destas opções", "Nenhum", "Nenhuma das anteriores", "Nada disto", "Nenhum deles"],
    "tr": ["Hiçbiri", "HİÇBİRİ", "Bunların hiçbiri", "Yukarıdakilerin hiçbiri", "Hiçbiri değil"],
    "ar": ["لا شيء مما سبق", "لا شيء", "لا شيء من هذا", "لا أحد منها"],
    "zh": ["都不是", "以上都不是", "以上皆非", "没有", "无", "都没有"],
}
SOMETHING = [
    "Nonetheless",
    "Keine Zeit",
    "Nothing new",
    "Aucune idée",
    "Nada que ver",
    "Hiçbir zaman",
    "无线电",
    "لا أعرف",
]


@pytest.mark.parametrize("tag", PAGE)
def test_the_page_and_the_draft_know_none_of_these_by_the_same_words(tag):
    table = (PAGES / f"{tag}.js").read_text(encoding="utf-8")
    assert re.search(r"^  nothing: /(.*)/,$", table, re.MULTILINE)[1] == WORDS[tag]["nothing"]
    own = re.search(r'CHOOSING = \{.*?^  none: "([^"]*)"', table, re.DOTALL | re.MULTILINE)[1]
    assert all(says_nothing(each, tag) for each in [own, *NOTHING[tag]])
    assert not any(says_nothing(each, tag) for each in SOMETHING)


def test_a_draft_is_warned_of_a_second_none_of_these():
    options = ["Car", "None of these", "Bicycle", "None"]
    question = {"key": "has", "kind": "multiple_choice", "text": "?", "options": options, "alpha": "1"}
    built = definitions.build({"title": "x", "questions": [question]})
    assert "has: the options “None of these”, “None” say the same, that nothing applies: leave one" in (
        definitions.warnings(built)
    )
    once = definitions.build({"title": "x", "questions": [question | {"options": options[:3]}]})
    assert definitions.warnings(once) == []


@pytest.mark.parametrize(("german", "warned"), [("Nichts davon", False), ("Trifft nicht zu", True)])
def test_a_draft_is_warned_where_the_page_knows_none_of_these_in_some_languages_only(german, warned):
    options = ["Car", "None of these"]
    question = {"key": "has", "kind": "multiple_choice", "text": "?", "options": options, "alpha": "1"}
    spoken = {"de": {"title": "x", "questions": [{"text": "?", "options": ["Auto", german]}]}}
    built = definitions.build({"title": "x", "language": "en", "questions": [question], "translations": spoken})
    assert any("has: only some languages have an option" in each for each in definitions.warnings(built)) is warned
