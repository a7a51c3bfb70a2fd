"""An option "None of these" of a multiple choice is recognized in each language of the page, as authors write it."""

import re
from pathlib import Path

import pytest

from surveys.drafts.options import follow
from surveys.rules.languages import PAGE, WORDS, says_nothing
from surveys.survey import definition as definitions
from surveys.survey.kinds import of

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
    assert "has: the options “None of these”, “None” all say that nothing applies: keep one of them" in (
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


MARKED = {
    "key": "has",
    "kind": "multiple_choice",
    "text": "?",
    "options": ["Car", "No vehicle", "Bicycle"],
    "alpha": "1",
}


def test_an_author_marks_the_option_that_goes_with_no_other():
    built = definitions.build({"title": "x", "questions": [MARKED | {"exclusive": 1}]})
    assert built["questions"][0]["exclusive"] == 1
    assert definitions.certified(definitions.canonical(built))
    assert of(built["questions"][0]).nothing(built["questions"][0], "en") == [1]
    assert "exclusive" not in definitions.build({"title": "x", "questions": [MARKED]})["questions"][0]


@pytest.mark.parametrize("wrong", [3, -1, "1", None, True, [1], 0.5])
def test_a_mark_at_no_option_is_refused_by_draft_and_definition(wrong):
    draft = {"title": "x", "questions": [MARKED | {"exclusive": wrong, "prefer_not_to_say": True}]}
    assert [(each.field, each.code) for each in definitions.refusals(draft)] == [
        ("questions[0].exclusive", "exclusive_option")
    ]
    built = definitions.build({"title": "x", "questions": [MARKED | {"prefer_not_to_say": True}]})
    built["questions"][0]["exclusive"] = wrong
    assert not definitions.certified(definitions.canonical(built))


def test_a_mark_holds_in_every_language():
    spoken = {"de": {"title": "x", "questions": [{"text": "?", "options": ["Auto", "Kein Fahrzeug", "Rad"]}]}}
    draft = {"title": "x", "language": "en", "questions": [MARKED | {"exclusive": 1}], "translations": spoken}
    assert definitions.warnings(definitions.build(draft)) == []


def test_a_mark_follows_its_option_and_goes_with_it():
    before = dict(MARKED | {"exclusive": 1})
    for lines, place in ((["No vehicle", "Car", "Bicycle"], 0), (["Car", "Bicycle"], None)):
        after = before | {"options": lines}
        follow({"questions": [after]}, before, after)
        assert after.get("exclusive") == place
