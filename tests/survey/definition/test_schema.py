"""The published schema of drafts agrees with `build`, as far as a schema can express the rules."""

import copy
import json
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ldp.mechanisms import FITTING, WITH_DELTA
from surveys.rules import draft
from surveys.rules.limits import QUESTIONS_MAX
from surveys.survey import definition as definitions
from surveys.survey.definition import fields
from surveys.survey.definition.schema import schema
from surveys.survey.kinds import KINDS
from tests.support import routing
from tests.support.factories import DRAFT
from tests.support.picture_files import PICTURED, picture

SCHEMA = schema("https://example.org/api/v1/draft-schema")
VALIDATOR = Draft202012Validator(SCHEMA)


def _accepted(draft):
    try:
        definitions.build(draft)
    except definitions.DraftRefused:
        return False
    return True


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


def test_the_type_of_a_draft_has_the_fields_of_the_table():
    tables = {
        draft.Draft: fields.SURVEY,
        draft.DraftSection: fields.SECTION,
        draft.Form: fields.FORM,
        draft.Question: fields.QUESTION,
    }
    assert all(shape.__annotations__.keys() == table.keys() for shape, table in tables.items())


# Valid drafts ---------------------------------------------------------------------------------------------------------

ANY = st.text("aü世🙂 \n\u00a0", max_size=5)
VISIBLE = ANY.filter(lambda text: text.strip())
WHOLE = st.integers(-1000, 1000)


def _numbers(least):
    """Return a strategy for increasing numbers, all written in one of the ways."""
    written = st.sampled_from([int, str, lambda number: number + 0.0, lambda number: f"{number}.50"])
    plain = st.lists(WHOLE, min_size=least, max_size=least + 3, unique=True).map(sorted)
    return st.tuples(plain, written).map(lambda pair: [pair[1](number) for number in pair[0]])


OPTIONS = st.lists(VISIBLE, min_size=2, max_size=5, unique_by=str.strip)
OWN = {
    "options": OPTIONS,
    "items": OPTIONS,
    "ranked": st.lists(VISIBLE, min_size=3, max_size=8, unique_by=str.strip),
    "edges": _numbers(3),
    "dates": st.sampled_from([["2000", "2001", "2002"], [1990, 2000, 2010], ["2020-01", "2020-04", "2021-02"]]),
    "unit": ANY,
    "limits": st.just("decimal"),
    "sample": st.integers(1, 2),
    "size": st.integers(1, 2),
    "right": st.integers(0, 1),
    "exclusive": st.integers(0, 1),
    "delta": st.sampled_from(["0.000001", 1e-6]),
    "low": WHOLE,
    "high": WHOLE.map(lambda number: str(number + 2001)),
    "steps": OPTIONS,
}
OF_A_MEAN = st.sampled_from(
    [{"low", "high"}, {"low", "high", "limits"}, {"low", "high", "unit"}, {"steps"}, {"steps", "unit"}]
)


@st.composite
def questions(draw, index):
    name = draw(st.sampled_from(list(KINDS)))
    kind = KINDS[name]
    made = {
        "key": f"q{index}",
        "kind": name,
        "text": draw(VISIBLE),
        "alpha": draw(st.sampled_from(["1", 2, 0.5, "0.10"])),
    }
    wished = kind.required | draw(st.sets(st.sampled_from(sorted(kind.optional) or ["unit"]))) & kind.optional - {
        "delta"
    }
    wished = draw(OF_A_MEAN) if name == "mean" else wished
    made |= {field: draw(OWN[field]) for field in wished}
    if draw(st.booleans()):
        made["mechanism"] = draw(st.sampled_from(FITTING[name]))
    if made.get("mechanism") in WITH_DELTA:
        made["delta"] = draw(OWN["delta"])
    if draw(st.booleans()):
        made["note"] = draw(ANY)
        made["prefer_not_to_say"] = draw(st.booleans())
    return made


@st.composite
def drafts(draw):
    made = {"title": draw(VISIBLE), "questions": [draw(questions(i)) for i in range(draw(st.integers(1, 3)))]}
    for field in draw(st.sets(st.sampled_from(["introduction", "consent", "thanks"]))):
        made[field] = draw(ANY)
    if draw(st.booleans()):
        keys = [question["key"] for question in made["questions"]]
        made["sections"] = [{"title": draw(VISIBLE), "questions": keys}]
    return made


def test_whatever_build_accepts_is_valid():
    accepted = []

    @given(drafts())
    @settings(max_examples=150)
    def hold(draft):
        if _accepted(draft):
            accepted.append(draft)
            VALIDATOR.validate(json.loads(json.dumps(draft)))

    hold()
    assert len(accepted) > 50


def test_a_draft_with_pictures_is_valid():
    VALIDATOR.validate(json.loads(json.dumps(PICTURED)))
    translated = {"title": "Unterwegs", "logo": "Verein", "questions": [{"text": "Zu Fuß?", "picture": "Ein Weg"}]}
    VALIDATOR.validate(PICTURED | {"translations": {"de": translated}})
    for wrong in ({"logo": None}, {"logo": picture()}, {"logo": picture(321, 9, "A")}, {"picture": picture(9, 9, "A")}):
        assert not VALIDATOR.is_valid(PICTURED | wrong)
        assert definitions.refusals(PICTURED | wrong)


# Invalid drafts -------------------------------------------------------------------------------------------------------

FULL = DRAFT | {
    "consent": "I agree.",
    "thanks": "Thank you.",
    "sections": [
        {
            "title": "All",
            "text": "",
            "questions": ["yes", "which", "many", "mean", "several", "grid", "noisy", "follow"],
        }
    ],
    "questions": [
        *DRAFT["questions"],
        {"key": "mean", "kind": "mean", "text": "How long?", "low": 0, "high": "24", "unit": "hours", "alpha": "1"},
        {"key": "several", "kind": "multiple_choice", "text": "Which?", "options": ["a", "b"], "sample": 2, "alpha": 1},
        {"key": "grid", "kind": "grid", "text": "How?", "items": ["x", "y"], "options": ["a", "b"], "alpha": 1},
        {
            "key": "noisy",
            "kind": "histogram",
            "text": "?",
            "edges": [0, 1, 2],
            "mechanism": "gaussian",
            "delta": "0.0001",
        }
        | {"alpha": 1},
        {"key": "follow", "kind": "multiple_choice", "text": "?", "options": ["a", "b"], "alpha": 1}
        | {"asked_if": {"question": "which", "options": [0]}},
    ],
}
VALUES = [
    None,
    True,
    -1,
    0,
    1,
    2.5,
    10**12,
    "",
    " ",
    "\x00",
    "x",
    "x" * 3000,
    "1e5",
    [],
    ["a"],
    ["a", "a"],
    [1, 2, 3],
    {},
]
VALUES += [["Prefer not to say", "b"], "yes_no", "mean", "laplace", "bitwise", "x" * 20000, [{}], list("ab") * 150]


def _paths(part, path=()):
    """Yield the path of every part of a draft, from the outside in."""
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, each in inner:
        yield (*path, name)
        yield from _paths(each, (*path, name))


def _altered():
    for path in _paths(FULL):
        for value in [*VALUES, KeyError]:
            draft = copy.deepcopy(FULL)
            holder = draft
            for step in path[:-1]:
                holder = holder[step]
            if value is KeyError:
                del holder[path[-1]]
            else:
                holder[path[-1]] = value
            yield draft
            if isinstance(holder, dict):
                yield _with(draft, path[:-1], "more")


def _with(draft, path, name):
    draft = copy.deepcopy(draft)
    holder = draft
    for step in path:
        holder = holder[step]
    holder[name] = 1
    return draft


@pytest.mark.slow
@pytest.mark.statistical
def test_what_the_schema_refuses_build_refuses_too(nightly):
    """Daily, each place of a draft gets some of the values."""
    assert _accepted(FULL)
    VALIDATOR.validate(FULL)
    refused = [draft for draft in islice(_altered(), 0, None, 1 if nightly else 7) if not VALIDATOR.is_valid(draft)]
    assert len(refused) > 200
    assert not [draft for draft in refused if _accepted(draft)]


UNSAID = {
    "two questions of one key": lambda draft: draft["questions"].append(draft["questions"][0]),
    "sections in another order": lambda draft: draft["sections"][0]["questions"].reverse(),
    "edges that decrease": lambda draft: draft["questions"][2].update(edges=[3, 2, 1]),
    "a low above the high": lambda draft: draft["questions"][3].update(low=99),
    "an alpha beyond its range, as a text": lambda draft: draft["questions"][0].update(alpha="17"),
    "options that differ by a space": lambda draft: draft["questions"][1].update(options=["a", "a "]),
    "a sample of more than there are": lambda draft: draft["questions"][4].update(sample=3),
    "a size of all options": lambda draft: draft["questions"][5].update(size=2),
    "a condition on a later question": lambda draft: draft["questions"][7]["asked_if"].update(question="follow"),
    "256 options and one more": lambda draft: draft["questions"][1].update(options=[str(i) for i in range(256)]),
}


@pytest.mark.parametrize("change", UNSAID.values(), ids=UNSAID)
def test_what_a_schema_cannot_say_is_what_its_module_names(change):
    draft = copy.deepcopy(FULL)
    change(draft)
    assert VALIDATOR.is_valid(draft) and not _accepted(draft)


def test_limits_are_those_of_the_rules():
    many = [{"key": f"q{i}", "kind": "yes_no", "text": "?", "alpha": 1} for i in range(QUESTIONS_MAX + 1)]
    assert VALIDATOR.is_valid({"title": "x", "questions": many[:-1]})
    assert not VALIDATOR.is_valid({"title": "x", "questions": many})


# Several rules --------------------------------------------------------------------------------------------------------


def test_the_schema_takes_two_to_five_rules_with_one_join():
    assert VALIDATOR.is_valid(routing.SEVERAL)
    assert all(VALIDATOR.is_valid(routing.changed(routing.SEVERAL, *each)) for each in routing.SEVERAL_SOUND)
    wrong = [each for each in routing.SEVERAL_WRONG if not VALIDATOR.is_valid(routing.changed(routing.SEVERAL, *each))]
    assert len(wrong) == 21, "but for what questions there are and which can decide"
