"""A survey that is exported as an XLSForm and imported again asks the same."""

import copy
import io
import random

import pytest
from pyxform.xls2xform import convert

from surveys.designer.files.starting import templates
from surveys.designer.xlsform import writer
from surveys.rules.lookalikes import likeness
from surveys.rules.texts import is_text
from surveys.survey import definition as definitions
from surveys.survey.definition.translation_texts import slots, text_at
from tests.support import languages
from tests.support.workbooks import form, imported, named, row

# Fields that a form cannot express. The page and the last sheet list them.
NOT_SAID = {"alpha", "mechanism", "delta", "sample", "right", "arm_of", "picture", "pictures"}

QUOTING = {
    "title": "Costs in ${t}",
    "introduction": "Say “so” or ‘so’,  twice ${x}",
    "consent": "I know ${y}.",
    "questions": [
        {"key": "a", "kind": "single_choice", "text": "How much ${a}?", "alpha": "1"}
        | {"options": ["${x}", "“more”", "#N/A", "#REF!", "_x0041_", "_x000D_", "01067", "=1+1"]},
        {"key": "h", "kind": "histogram", "text": "H", "edges": ["0", "0.5", "2.25", "10"], "unit": "%", "alpha": "1"},
        {"key": "n", "kind": "histogram", "text": "N", "edges": ["-5", "0", "7"], "prefer_not_to_say": True}
        | {"note": "(roughly)", "alpha": "1"},
        {"key": "m", "kind": "mean", "text": "M", "low": "-1.5", "high": "1000", "unit": "“€”  ${u}", "alpha": "1"}
        | {"note": "Net of\ntaxes"},
        {"key": "s", "kind": "mean", "text": "S", "steps": ["never", "at times", "always"], "alpha": "1"},
        {"key": "d", "kind": "date", "text": "D", "dates": ["1950", "1980", "2000"], "alpha": "1"},
        {"key": "e", "kind": "date", "text": "E", "dates": ["2026-02-03", "2026-02-05", "2026-03-01"], "alpha": "1"},
        {"key": "o", "kind": "ordered", "text": "O", "options": ["1", "2", "Don't know"], "alpha": "1"},
        {"key": "meta", "kind": "single_choice", "text": "C", "options": ["Yes", "No"], "alpha": "1"},
        {"key": "v", "kind": "multiple_choice", "text": "V", "options": ["x", "y", "z"], "sample": 2, "alpha": "1"}
        | {"asked_if": {"question": "meta", "options": [0]}},
        {"key": "g", "kind": "grid", "text": "G", "items": ["i", "j", "k"], "options": ["x", "n/a"], "sample": 2}
        | {"alpha": "1"},
        {"key": "r", "kind": "ranking", "text": "R", "ranked": ["p", "q", "w"], "alpha": "1"},
    ],
    "thanks": "**Bye**, ${z}",
}


def asked(draft):
    """Return the part of a draft that a form can express."""
    kept = {name: copy.deepcopy(draft[name]) for name in draft.keys() - {"forms", "protection"} if draft[name]}
    kept["translations"] = {
        (tag, slot.name, text_at(texts, slot.path))
        for tag, texts in draft.get("translations", {}).items()
        for slot in slots(draft)
        if text_at(texts, slot.path)
    }
    kept["questions"] = [{name: each[name] for name in each if name not in NOT_SAID} for each in kept["questions"]]
    return kept


@pytest.mark.parametrize(
    "draft",
    [QUOTING, languages.DRAFT, *(each.draft for each in templates())],
    ids=["quoting", "languages", *(each.slug for each in templates())],
)
def test_a_survey_as_a_form_comes_back_the_same(draft):
    back = imported(writer.write(definitions.build(draft), "x"))
    assert asked(back.draft) == asked(draft)
    assert not back.decisions


SIGNS = [
    "$",
    "{",
    "\u2060",
    "}",
    "“",
    "’",
    "'",
    '"',
    " ",
    "\u00a0",
    "\n",
    "a",
    "B",
    "9",
    "é",
    "ש",
    "_",
    "*",
    "=",
    "<",
    "&",
    "-",
    "😀",
]


def test_texts_of_every_sign_come_back():
    """One file has many texts, because a separate process reads each file."""
    chance = random.Random(46)
    texts = []
    while len(texts) < 150:
        text = "".join(chance.choices(SIGNS, k=chance.randint(1, 12)))
        if text.strip() == text and is_text(text, 100) and likeness(text) not in map(likeness, texts):
            texts.append(text)
    questions = [
        {"key": f"q{i}", "kind": "single_choice", "text": text, "note": text, "options": [text, "other"], "alpha": "1"}
        for i, text in enumerate(texts)
    ]
    kept = [each for each in questions if not definitions.refusals({"title": "x", "questions": [each]})]
    assert len(kept) > 100
    draft = {"title": kept[0]["text"], "introduction": kept[1]["text"], "questions": kept}
    assert asked(imported(writer.write(definitions.build(draft), "x")).draft) == asked(draft)


def test_other_programs_read_the_form():
    made = convert(io.BytesIO(writer.write(definitions.build(QUOTING), "x")), validate=False)
    assert "<h:title>Costs in $\u2060{t}</h:title>" in made.xform


def test_texts_with_a_sign_between_are_listed():
    [names] = [each.names for each in writer.remarks(definitions.build(QUOTING)) if "${" in each.text]
    assert names == ["a", "m", "title", "introduction", "consent", "thanks"]


def test_a_cell_of_our_own_that_does_not_fit_its_row_is_named():
    rows = [
        row("integer", "a", "A?", deniable='{"kind": "date", "dates": ["2000"]}', constraint=". >= 0 and . <= 9"),
        row("integer", "b", "B?", deniable="mine"),
        row("decimal", "c", "C?", deniable='{"kind": "mean", "low": 0, "high": 5}', constraint=". >= 0 and . <= 5"),
        row("decimal", "d", "D?", deniable='{"kind": "mean", "low": 0, "high": 5}', constraint=". >= 0 and . <= 6"),
    ]
    read = imported(form(*rows))
    assert named(read, "column deniable") == ["a", "b", "d"]
    assert [each["kind"] for each in read.draft["questions"]] == ["histogram", "histogram", "mean", "histogram"]
    assert (read.draft["questions"][2]["low"], read.draft["questions"][2]["high"]) == ("0", "5")
