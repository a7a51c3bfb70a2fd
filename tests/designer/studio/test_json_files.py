"""Drafts as JSON files: a valid draft is read unchanged, and an invalid one is refused with all reasons."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.designer.files import ours
from surveys.designer.files.starting import templates
from surveys.survey import definition as definitions
from surveys.survey.definition import DraftRefused
from tests.support import languages, routing
from tests.support.factories import DRAFT


def read(data):
    return ours.read(json.dumps(data).encode())


@pytest.mark.parametrize(
    "draft",
    [DRAFT, routing.DRAFT, languages.DRAFT, *(each.draft for each in templates())],
    ids=lambda draft: draft["title"],
)
def test_what_goes_out_comes_in_again(draft):
    assert ours.read(ours.write(draft).encode()) == draft


@pytest.mark.parametrize(
    "draft",
    [
        *({}, {"title": "x"}, {"questions": []}, {"questions": [{}]}, {"questions": [{"kind": "mean", "low": "x"}]}),
        {"questions": [{"kind": "grid", "options": []}], "sections": [{"title": "x"}]},
        {"language": "de", "translations": {"en": {}, "pt-BR": {"questions": [{"options": [""]}], "sections": [{}]}}},
    ],
)
def test_an_incomplete_draft_is_one(draft):
    assert read(draft) == {"title": "", "questions": []} | draft


def test_numbers_are_kept_as_they_are_written():
    text = '{"questions": [{"kind": "mean", "alpha": 0.10, "low": 1e3, "high": "7.50"}, {"kind": "grid", "sample": 2}]}'
    mean, grid = ours.read(b"\xef\xbb\xbf" + text.encode())["questions"]
    assert (mean["alpha"], mean["low"], mean["high"], grid["sample"]) == ("0.1", "1000", "7.50", 2)


def reasons(data):
    with pytest.raises(DraftRefused) as refused:
        ours.read(data if isinstance(data, bytes) else json.dumps(data).encode())
    return [str(refusal) for refusal in refused.value.refusals]


@pytest.mark.parametrize(
    "translations",
    [
        *([], "de", {"Deutsch": {}}, {"x" * 9000: {}}, {"de": []}, {"de": {"more": ""}}, {"de": {"title": 1}}),
        *({"de": {"questions": [{"items": "a"}]}}, {"de": {"sections": [""]}}, {"de": {"questions": [{"text": "\0"}]}}),
        {f"q{a}{b}": {} for a in "abcd" for b in "abcd"},
    ],
)
def test_translations_that_are_none_are_refused_where_they_stand(translations):
    (told,) = reasons({"translations": translations})
    assert told.startswith("translations") and len(told) < 300


def test_what_is_no_draft_is_refused_with_all_reasons():
    questions = [
        {"kind": "essay", "options": "a, b", "prefer_not_to_say": 1, "sample": "2"},
        "x",
        {"edges": [[], None]},
    ]
    told = reasons({"title": 5, "more": 1, "questions": questions, "sections": {}, "thanks": "a\0"})
    assert [text.partition(":")[0] for text in told] == [
        *("title", "more", "question 1, kind", "question 1, options", "question 1, prefer_not_to_say"),
        *("question 1, sample", "question 2", "question 3, edges, number 1", "question 3, edges, number 2"),
        *("sections", "thanks"),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is not JSON: line 1"),
        (b'{"title": "x",}', "is not JSON: line 1, column "),
        (b"\xff\xfe{\0}\0", "must be UTF-8"),
        (b"[" * 100_000, "is not JSON"),
        (b'{"title": 1e-' + b"9" * 30 + b"}", "An exponent is too long"),
        (b'{"title": "a", "title": "b"}', "The name title is twice in one object"),
        (b'{"questions": [{"key": "a", "text": "", "key": "b"}]}', "The name key is twice in one object"),
        (b"[]", "must be an object"),
        (b'{"title": "\\ud800"}', "control characters"),
        (b'{"title": "\\u0000"}', "control characters"),
        (b'{"\\u0000": 1}', "is not known here"),
        (b'{"title": "\\ufffe"}', "title: must not hold code points that are no characters"),
        (b'{"questions": [{"options": ["a", "\\u202eb"]}]}', "question 1, options, number 2: must not hold invisible"),
        (b'{"thanks": "a\\n\\n\\n\\nb"}', "thanks: must not have more than 2 empty lines"),
        (json.dumps({"title": "x" * 20_001}).encode(), "at most 20000 characters"),
        (json.dumps({"questions": [{}] * 201}).encode(), "a list of at most 200"),
        (json.dumps({"questions": [{"options": ["x"] * 258}]}).encode(), "a list of at most 257"),
        (b'{"questions": [{"alpha": true}]}', "must be a text"),
    ],
)
def test_a_file_that_is_none_says_why(data, reason):
    assert reason in " ".join(reasons(data))


@pytest.mark.parametrize(
    "data",
    [
        {f"{i:x}": 0 for i in range(150_000)},
        {f"{'x' * 1000}{i}": 0 for i in range(1_000)},
        {"questions": [{f"{i}_{j}": 0 for j in range(1_000)} for i in range(150)]},
        {"questions": [{"options": [0] * 250, "items": [0] * 250}] * 200},
        {"translations": {"de": {f"{i:x}": 0 for i in range(100_000)}}},
    ],
    ids=["of a draft", "with long names", "of questions", "of options", "of a translation"],
)
def test_of_very_many_mistakes_the_first_fifty_are_told(data):
    told = reasons(data)
    assert len(told) <= 51 and len("".join(told)) < 25_000
    assert told[-1] == "draft: may have more mistakes than these 50: correct them first"
    with pytest.raises(DraftRefused) as refused:
        definitions.build({"title": "x", "questions": []} | data)
    assert len(refused.value.refusals) <= 50 and len(str(refused.value)) < 25_000


def in_forms(*forms, **own):
    questions = [{"key": key, "kind": "yes_no", "text": f"{key}?"} for key in "abc"]
    questions[0] |= own
    return {"title": "x", "questions": questions, "forms": list(forms)}


def form(*draws, **fields):
    return fields | {"draws": list(draws)}


PAIR, ALONE = {"questions": ["a", "b"], "alpha": "2"}, {"questions": ["c"], "alpha": "1"}
TOGETHER, OTHER = form(PAIR), form(ALONE)


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (in_forms(TOGETHER), "forms: must be a list of 2 to 200 forms, or empty"),
        (in_forms(form(PAIR, ALONE, weight=2)), "forms: must be a list of 2 to 200 forms, or empty"),
        (in_forms() | {"draws": [ALONE]}, "two questions or more"),
        (in_forms(TOGETHER, form(ALONE, ALONE)), "must hold no question of another draw"),
        (in_forms(TOGETHER, OTHER) | {"draws": [PAIR]}, "must hold no question of another draw"),
        (in_forms(TOGETHER, form(ALONE | {"questions": ["c", "d"]})), "keys of the survey's questions only"),
        (in_forms(TOGETHER, form(ALONE | {"questions": []})), "key of at least one question"),
        (in_forms(TOGETHER, form(ALONE | {"questions": ["c", "c"]})), "must differ from each other"),
        (in_forms(TOGETHER, {"weight": 2}), "draws"),
        (in_forms(TOGETHER, OTHER, alpha="1"), "must be left out"),
        (in_forms(TOGETHER, OTHER, kind="ranking", ranked=["x", "y", "z"]), "must be of the kinds"),
        ({"questions": [{"key": "a"}, {"key": "a"}]}, "must differ"),
        ({"questions": [{"key": "A b"}]}, "key"),
        (
            {"questions": [{"key": "a"}, {"key": "b"}], "sections": [{"questions": ["b"]}, {"questions": ["a"]}]},
            "must hold the key of every question once",
        ),
        ({"questions": [{"key": "a"}], "sections": [{"questions": ["a", "z"]}]}, "must hold the key of every question"),
    ],
)
def test_a_draft_that_would_be_stored_otherwise_is_refused_with_the_rule(draft, reason):
    told = reasons(draft)
    assert told and any(reason in each for each in told), told


@pytest.mark.parametrize(
    "draft",
    [
        in_forms(TOGETHER, OTHER | {"weight": 3}),
        in_forms(form(PAIR | {"questions": ["b", "a"]}), OTHER),
        in_forms(form(ALONE, PAIR | {"sizes": [1, 1]}), OTHER),
        in_forms(),
        {"questions": [{"key": "a"}, {}], "sections": [{"questions": ["a"]}, {}]},
    ],
)
def test_a_draft_whose_forms_and_sections_can_be_kept_is(draft):
    assert read(draft) == {"title": ""} | draft


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(["title", "questions", "sections", "translations", "kind", "options", "alpha", "sample"]), JSON)
def test_whatever_comes_in_can_be_stored_and_goes_out_again(name, value):
    within = {"questions": [{name: value}]} if name in ("kind", "options", "alpha", "sample") else {name: value}
    try:
        draft = read(within)
    except DraftRefused:
        return
    text = ours.write(draft)
    assert json.loads(text) == draft and "\\u0000" not in text and "NaN" not in text
    assert ours.read(text.encode()) == draft


@given(st.sampled_from(range(len(DRAFT["questions"]))), JSON)
def test_no_draft_that_could_be_opened_is_refused(index, value):
    for name in DRAFT["questions"][index]:
        draft = json.loads(json.dumps(DRAFT))
        draft["questions"][index][name] = value
        try:
            definitions.build(draft)
        except DraftRefused:
            continue
        read(draft)
