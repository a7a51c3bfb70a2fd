"""A definition in several languages: its contents, its refusals, and its text in each language."""

import json
from copy import deepcopy

import pytest
from django.utils import translation

from ldp.privatize import make_report
from ldp.words import system_words
from surveys.figures import numerals
from surveys.rules import languages as rules
from surveys.survey import definition as definitions
from surveys.survey.definition.languages import in_language, languages_of
from tests.support import factories, frames
from tests.support.languages import DRAFT, draft


@pytest.fixture(scope="module")
def made():
    return definitions.build(DRAFT)


def test_a_definition_without_languages_has_the_bytes_that_it_always_had():
    plain = definitions.build(frames.DRAFT)
    empty = definitions.build(frames.DRAFT | {"language": "", "translations": {}})
    assert definitions.canonical(empty) == definitions.canonical(plain) and "language" not in plain
    assert languages_of(plain) == ["en"] and in_language(plain, "en") == plain


def test_it_has_one_digest_whatever_the_order_in_which_languages_were_added(made):
    turned = draft(lambda each: each.update(translations=dict(reversed(each["translations"].items()))))
    assert definitions.digest(definitions.build(turned)) == definitions.digest(made)
    assert languages_of(made) == ["de", "ar", "en"]


def test_what_follows_from_a_kind_is_in_the_language_of_the_survey(made):
    options = {question["key"]: question.get("options") for question in made["questions"]}
    assert options["moved"] == ["Ja", "Nein", "Keine Angabe"]
    assert options["age"] == ["unter 30", "30 bis unter 45,5", "45,5 oder mehr"]
    assert options["work"][-1] == "Keine Angabe" and options["likes"] == ["Parks", "Cafés", "Museen"]


def test_in_another_language_all_texts_are_others_and_nothing_else_is(made):
    for tag in ("en", "ar"):
        other = in_language(made, tag)
        assert other["language"] == tag and "translations" not in other
        assert other["title"] == DRAFT["translations"][tag]["title"]
        for before, after in zip(made["questions"], other["questions"], strict=True):
            texts = {"text", "note", "options", "items", "unit"}
            assert {name: before[name] for name in before.keys() - texts} == {
                name: after[name] for name in after.keys() - texts
            }
            assert len(before.get("options", ())) == len(after.get("options", ()))
        assert definitions.certified(definitions.canonical(other))
    arabic = {question["key"]: question for question in in_language(made, "ar")["questions"]}
    assert arabic["moved"]["options"] == ["نعم", "لا", "أفضّل عدم الإجابة"]
    assert arabic["age"]["options"] == ["أقل من 30", "من 30 إلى أقل من 45.5", "45.5 أو أكثر"]
    assert arabic["work"]["options"] == ["مكتب", "ملاحة", "غير ذلك", "أفضّل عدم الإجابة"]
    with pytest.raises(KeyError):
        in_language(made, "fr")


def test_a_report_is_the_same_in_every_language(made):
    """Answers are positions: keys and lengths are the same for all texts."""
    answers = {"moved": 0, "age": 1, "work": 2, "income": "1200", "likes": [True, False, True], "content": 2}
    answers |= {"places": [0, 2]}
    words = [system_words() for _ in range(1000)]
    reports = {
        tag: make_report(in_language(made, tag), definitions.digest(made), answers, iter(words).__next__)
        for tag in languages_of(made)
    }
    assert len(set(reports.values())) == 1


@pytest.mark.parametrize(
    ("tag", "direction", "page"),
    [
        ("en", "ltr", "en"), ("de-AT", "ltr", "de"), ("ar", "rtl", "ar"), ("ar-MA", "rtl", "ar"), ("fa", "rtl", "en"),
        ("ks-Deva", "ltr", "en"), ("az-Arab", "rtl", "en"), ("zh-Hant-TW", "ltr", "zh"), ("pt-BR", "ltr", "pt"),
        ("nl", "ltr", "en"),
    ],
)  # fmt: skip
def test_a_tag_has_a_direction_and_a_language_of_the_page(tag, direction, page):
    assert rules.is_tag(tag) and (rules.direction(tag), rules.page_language(tag)) == (direction, page)


@pytest.mark.parametrize("tag", ["ar", "ar-EG", "ar-MA"])
def test_numbers_in_arabic_are_those_of_results_and_files(tag):
    with translation.override(rules.page_language(tag)):
        assert rules.implied_words(tag).number("45.5") == numerals.decimal("45.5") == "45.5"


@pytest.mark.parametrize(
    "tag", ["", "EN", "e", "engl", "en_US", "en-us", "de-", "de-DE-1996", "x-klingon", "de\n", "дe"]
)
def test_what_is_no_tag_is_none(tag):
    assert not rules.is_tag(tag)


# Refusals -------------------------------------------------------------------------------------------------------------


def arabic(change):
    """Return a change of the Arabic translation."""
    return lambda made: change(made["translations"]["ar"])


def question(index, **fields):
    return arabic(lambda texts: texts["questions"][index].update(fields))


def own(**fields):
    return lambda made: made["questions"][2].update(fields)


LACKS = "is missing"
WITHHELD = "أفضّل عدم الإجابة"
EMPTY = "must be empty, since the survey's own language has no text here"


@pytest.mark.parametrize(
    ("field", "rule", "change"),
    [
        ("language", "must be a language tag", lambda made: made.update(language="german")),
        ("language", "must be a language tag", lambda made: made.update(language=None)),
        ("translations", "must be an object", lambda made: made.update(translations=[])),
        ("translations", "at most 15", lambda made: made.update(translations={f"q{i}": {} for i in range(16)})),
        ("translations", "language tags", lambda made: made["translations"].update({"EN": {}})),
        ("translations.de", "another language", lambda made: made["translations"].update(de={})),
        ("translations.ar", "must be an object", lambda made: made["translations"].update(ar=[])),
        ("translations.ar.title", LACKS, arabic(lambda texts: texts.pop("title"))),
        ("translations.ar.title", LACKS, arabic(lambda texts: texts.update(title=" "))),
        ("translations.ar.title", "1 to 200", arabic(lambda texts: texts.update(title="x" * 201))),
        ("translations.ar.introduction", LACKS, arabic(lambda texts: texts.pop("introduction"))),
        ("translations.ar.consent", LACKS, arabic(lambda texts: texts.update(consent="\ufeff"))),
        ("translations.ar.thanks", "control characters", arabic(lambda texts: texts.update(thanks="a\x00"))),
        ("translations.ar.more", "is not known here", arabic(lambda texts: texts.update(more="x"))),
        ("translations.ar.sections", "must be a list of 2", arabic(lambda texts: texts.pop("sections"))),
        ("translations.ar.sections", "must be a list of 2", arabic(lambda texts: texts["sections"].pop())),
        ("translations.ar.sections[1].text", LACKS, arabic(lambda texts: texts["sections"][1].pop("text"))),
        ("translations.ar.sections[0].text", EMPTY, arabic(lambda texts: texts["sections"][0].update(text="x"))),
        ("translations.ar.sections[0].questions", "not known", arabic(lambda t: t["sections"][0].update(questions=[]))),
        ("translations.ar.questions", LACKS, arabic(lambda texts: texts.pop("questions"))),
        ("translations.ar.questions", "must be a list of 7", arabic(lambda texts: texts["questions"].pop())),
        ("translations.ar.questions", "must be a list of 7", arabic(lambda texts: texts.update(questions=["x"] * 7))),
        ("translations.ar.questions[0].text", LACKS, question(0, text="")),
        ("translations.ar.questions[0].note", EMPTY, question(0, note="x")),
        ("translations.ar.questions[2].note", LACKS, question(2, note=" ")),
        ("translations.ar.questions[0].options", "not known", question(0, options=["a", "b"])),
        ("translations.ar.questions[1].unit", LACKS, question(1, unit="")),
        ("translations.ar.questions[1].unit", "0 to 40", question(1, unit="x" * 41)),
        ("translations.ar.questions[2].options", "must be a list of 3", question(2, options=["a", "b"])),
        ("translations.ar.questions[2].options", "must be a list of 3", question(2, options=None)),
        ("translations.ar.questions[2].options[1]", LACKS, question(2, options=["a", "", "c"])),
        ("translations.ar.questions[2].options", "must differ from each other", question(2, options=["a", "b", "a "])),
        ("translations.ar.questions[2].options", "must differ from “", question(2, options=["a", WITHHELD, "c"])),
        ("translations.ar.questions[6].items", "must be a list of 2", question(6, items=["a"])),
        ("translations.ar.questions[6].items[0]", "1 to 200", question(6, items=["a" * 201, "b"])),
        ("questions[2].options", "must differ from “Keine", own(options=["a", "Keine Angabe"])),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_refused_by_field(field, rule, change):
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(draft(change))
    assert field in [refusal.field for refusal in refused.value.refusals]
    assert rule in next(refusal.rule for refusal in refused.value.refusals if refusal.field == field).replace(
        "0 to 200", "1 to 200"
    )


def test_a_place_in_a_translation_is_named_for_people():
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(draft(question(2, options=["a", "", "c"])))
    assert refused.value.refusals[0].place == 'translations, ar, question 3 (key "work"), options, number 2'


def alterations():
    """Return definitions with wrong languages, and a sound one."""
    sound = definitions.build(DRAFT)

    def altered(change):
        made = deepcopy(sound)
        change(made)
        return made

    texts = altered(lambda made: None)["translations"]["ar"]
    changes = [
        lambda made: made.update(language="DE"),
        lambda made: made.update(language=""),
        lambda made: made.update(language=None),
        lambda made: made.update(language="ar"),
        lambda made: made.update(translations={}),
        lambda made: made.update(translations=[texts]),
        lambda made: made.update(translations=None),
        lambda made: made["translations"].update({"x": texts}),
        lambda made: made["translations"].update({"__proto__": texts}),
        lambda made: made["translations"].update({"de": texts}),
        lambda made: made["translations"].update({f"q{c}": texts for c in "abcdefghijklmn"}),
        lambda made: made["translations"].update(ar=None),
        lambda made: made["translations"]["ar"].update(more=""),
        lambda made: made["translations"]["ar"].pop("introduction"),
        lambda made: made["translations"]["ar"].pop("consent"),
        lambda made: made["translations"]["ar"].update(thanks=""),
        lambda made: made["translations"]["ar"].update(title="x" * 201),
        lambda made: made["translations"]["ar"].update(title=5),
        lambda made: made["translations"]["ar"].update(sections=[]),
        lambda made: made["translations"]["ar"]["sections"][0].update(text="x"),
        lambda made: made["translations"]["ar"]["sections"][1].update(text="\u0085\ufeff"),
        lambda made: made["translations"]["ar"]["sections"][1].update(questions=[]),
        lambda made: made["translations"]["ar"]["questions"].pop(),
        lambda made: made["translations"]["ar"].update(questions={}),
        *(
            lambda made, i=i, fields=fields: made["translations"]["ar"]["questions"][i].update(fields)
            for i, fields in [
                (0, {"note": "x"}), (0, {"text": ""}), (0, {"options": ["a", "b"]}), (1, {"unit": ""}),
                (1, {"unit": "x" * 41}), (2, {"options": ["a", "b"]}), (2, {"options": ["a", "b", "c", "d"]}),
                (2, {"options": ["a", "b", "b"]}), (2, {"options": ["a", "b", ""]}), (2, {"options": "abc"}),
                (2, {"options": ["a", "b", None]}), (2, {"alpha": "9"}), (3, {"unit": None}), (6, {"items": ["a"]}),
                (6, {"items": ["a", "a"]}), (6, {"items": None}),
            ]
        ),
        lambda made: made["translations"]["ar"]["questions"][1].pop("unit"),
        lambda made: made["translations"]["ar"]["questions"][6].pop("items"),
    ]  # fmt: skip
    fits = [
        lambda made: None,
        lambda made: made.pop("translations"),
        lambda made: made.update(language="fr-CA"),
        lambda made: made.pop("language") and made["translations"].pop("en"),
        lambda made: made["translations"].update({f"q{c}": texts for c in "abcdefghijklm"}),
        lambda made: made["translations"]["ar"]["questions"][2].update(options=["1", "2", "أفضّل عدم الإجابة"]),
    ]
    return [(altered(each), False) for each in changes] + [(altered(each), True) for each in fits]


def test_no_page_is_to_ask_in_languages_that_are_not_complete():
    for given, sound in alterations():
        assert definitions.certified(definitions.canonical(given)) == sound, json.dumps(given, ensure_ascii=False)[:300]


def test_an_empty_language_is_none():
    assert definitions.canonical(definitions.build(factories.DRAFT)) == definitions.canonical(
        definitions.build(factories.DRAFT | {"language": ""})
    )


def test_the_pairs_of_a_ranking_differ_in_every_language():
    ranking = {"key": "q", "kind": "ranking", "text": "Which first?", "alpha": "1", "ranked": [*"wxyz"]}
    texts = {"text": "Welches zuerst?", "ranked": ["a", "b > c", "a > b", "c"]}
    draft = {"title": "T", "questions": [ranking], "translations": {"de": {"title": "T", "questions": [texts]}}}
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(draft)
    assert [one.field for one in refused.value.refusals] == ["translations.de.questions[0].ranked"]
    texts["ranked"][3] = "d"
    definitions.build(draft)
