"""The part of docs/developers/data-flow.md about a survey in forms: the differences, with their bytes."""

import hashlib
import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from ldp.exact import RESOLUTION
from ldp.forms import definition as in_forms
from ldp.forms import report
from ldp.forms.results import FormTally, counted
from ldp.privatize import draw_form, make_report
from ldp.results import results
from ldp.tally import Batch
from ldp.words import shuffled, uniform_from
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout, key_of, layouts
from tests.support.drawn import drawn

Data = dict[str, Any]
Code = Callable[..., str]

DRAFT: Data = drawn(
    {
        "title": "Three questions",
        "questions": [
            {"key": "shoplifted", "kind": "yes_no", "text": "Have you ever shoplifted?"},
            {"key": "drinks", "kind": "histogram", "text": "How many drinks a week?", "unit": "drinks"}
            | {"edges": ["0", "1", "8", "30"]},
            {"key": "voted", "kind": "yes_no", "text": "Did you vote?", "alpha": "2"},
        ],
        "forms": [
            {"weight": 2, "questions": ["shoplifted", "drinks"], "alpha": "2"},
            {"weight": 1, "questions": ["voted"]},
        ],
    }
)
ANSWERS = {"shoplifted": 0, "drinks": 2}
PEOPLE = 1500


def page(code: Code, wrap: Callable[[str], str]) -> str:
    definition = definitions.build(DRAFT)
    digest = definitions.digest(definition)
    layout = Layout(definition, 0)
    body, drawn, words = _sent(definition, digest)
    sent = json.loads(body)
    return _TEXT.format(
        draft=code(json.dumps(DRAFT["forms"]), "json"),
        forms=code(wrap(definitions.canonical(definition["forms"]).decode()), "json"),
        draw=code(_draw(definition, drawn)),
        lists=code(_lists(definition["forms"][0]["draws"][0], words, sent["answers"])),
        body=code(wrap(body), "json"),
        layout=code(_layout(layout, sent["answers"])),
        row=code(f"survey  2\nid      {sent['report_id']}\nform    0\npacked  {layout.pack(sent['answers']).hex()}"),
        people=f"{PEOPLE:,}",
        **_results(definition, digest, code),
    )


def _sent(definition: Data, digest: str) -> tuple[str, list[int], list[int]]:
    """Return a report of form 0, the words that drew the form, and the words that made the report."""
    words, used = random.Random(12).getrandbits, list[int]()

    def record() -> int:
        used.append(words(32))
        return used[-1]

    form = draw_form(definition, record)
    assert form == 0, "the page is about the form of two questions"
    before = len(used)
    body = make_report(definition, digest, ANSWERS, record, form)
    return body, used[:before], used[before:]


def _uniform(words: list[int]) -> Callable[[], int]:
    left = iter(words)
    return uniform_from(lambda: next(left))


def _draw(definition: Data, words: list[int]) -> str:
    weights, u = in_forms.weights(definition), _uniform(words)()
    place = u % sum(weights)
    return (
        f"u = (0x{words[0]:08x} & 0x1fffff) * 2^32 + 0x{words[1]:08x} = {u}\n"
        f"u mod {sum(weights)} = {place}, one of the first {weights[0]} of {sum(weights)} places: form 0"
    )


def _lists(draw: Data, words: list[int], reported: Data) -> str:
    table, uniform = draw["table"], _uniform(words[4:])
    t, u = table["keep"], uniform()
    lines = [
        f"u = {u}",
        f"t = {t}, that is a chance of {t / RESOLUTION:.6f} that the answers are kept",
        f"u {'<' if u < t else '>='} t, so they {'are' if u < t else 'are not'}",
    ]
    for key, d, size in zip(draw["questions"], (2, 3), table["sizes"], strict=True):
        steps = shuffled(d, size, uniform)
        changed = [0, *steps[1:]] if u < t and 0 not in steps else steps
        turned = f", which become {changed}" if changed != steps else ""
        lines.append(
            f"{key}: the steps {steps} of 0..{d - 1}{turned}, from {ANSWERS[key]} to the options {reported[key]}"
        )
    return "\n".join(lines)


def _layout(layout: Layout, answers: Data) -> str:
    bits = "".join(f"{byte:08b}" for byte in layout.pack(answers))
    lines = [
        f"bits {f.start} to {f.start + f.width - 1}  {f.key}: "
        + ", ".join(f"{answers[key]}" for key in f.part.keys)
        + f" = {bits[f.start : f.start + f.width]}"
        for f in layout.fields
    ]
    return "\n".join([*lines, f"{bits[: layout.bits]} | {bits[layout.bits :]} (filling)"])


def _results(definition: Data, digest: str, code: Code) -> dict[str, str]:
    """Return the texts about PEOPLE reports. 300 of a thousand people answer yes to the first question."""
    chance, bodies = random.Random(4), []
    for i in range(PEOPLE):
        answers = {"shoplifted": int(i % 10 >= 3), "drinks": i % 3, "voted": i % 2}
        form = draw_form(definition, lambda: chance.getrandbits(32))
        bodies.append(json.loads(make_report(definition, digest, answers, lambda: chance.getrandbits(32), form)))
    tallies = [_tally(form, layout, bodies) for form, layout in enumerate(layouts(definition))]
    every = [
        {"n": tally.n, "totals": {key_of(part): own for part, own in zip(parts, tally.totals, strict=True)}}
        for tally, parts in zip(tallies, (report.parts(definition, form) for form in range(2)), strict=True)
    ]
    question, totals, n = next(counted(definition, tallies))
    [summary] = results(question, totals, n, 0.95)
    category = summary["methods"][0]["categories"][0]
    low, high = category["population"]["interval"]
    [yes, no] = totals["support"]
    counts, [_, size] = (
        every[0]["totals"]["shoplifted,drinks"]["support"],
        definition["forms"][0]["draws"][0]["table"]["sizes"],
    )
    return {
        "tally": code("\n".join(json.dumps(each) for each in every), "json"),
        "digest": code(hashlib.sha256(definitions.canonical(every)).hexdigest()),
        "estimate": code(
            f"Yes: {_sum(counts[:3], size)} = {yes}   No: {_sum(counts[3:], size)} = {no}\n"
            f"table  {json.dumps(question['table'])}\n"
            f"estimate of Yes {category['estimate']:.4f}, 95% interval for the population {low:.4f} to {high:.4f}"
        ),
        "microdata": code("report.form,shoplifted,drinks,voted\n" + "\n".join(_row(body) for body in bodies[:3])),
    }


def _sum(counts: list[int], size: int) -> str:
    together = " + ".join(map(str, counts))
    return f"({together}) / {size}" if size > 1 else together


def _tally(form: int, layout: Layout, bodies: list[Data]) -> FormTally:
    packed = [layout.pack(body["answers"]) for body in bodies if body["form"] == form]
    batch = Batch(np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), layout.bytes))
    totals = tuple(field.part.tally(batch.field(field.start, field.width)) for field in layout.fields)
    return FormTally(len(packed), totals)


def _row(body: Data) -> str:
    cells = (body["answers"].get(key, [""])[0] for key in ("shoplifted", "drinks", "voted"))
    return ",".join(map(str, (body["form"], *cells)))


_TEXT = """\
## 12. A survey in forms (`ldp/forms/`)

A survey may ask each person a part of its questions. The designer's draft then has forms beside the questions. The
first of these has an alpha, so its questions have none of their own:

{draft}

In the definition a form has draws. One with an alpha has one draw for all its questions, whose sizes say how many
options of each a report lists:

{forms}

The browser draws the form before it asks anything, by one uniform integer of two words:

{draw}

The person is asked the two questions of this form only, and answers as above, 0 and 2. One more integer decides whether
both answers are kept. Then steps are drawn for each question, before the answers are looked at, and added to them:

{lists}

The report says its form, and has each answer under its own key:

{body}

The packed report has one after the other. The row has the form as a column:

{layout}

{row}

Each batch, tally and block is about one form. After {people} reports the tallies say how many reports list both of each
two options, in the order (0, 0), (0, 1), (0, 2), (1, 0) and so on, and what came for the question with a draw of its
own:

{tally}

The release's digest is that of the list of both:

{digest}

Sums over the other question's options, divided by how many of them a report lists, are what one question's answers came
as. Its channel is the same mechanism with the same `keep` and its own size, and its n is the form's:

{estimate}

The microdata have the form in their first column, and empty cells where it does not have the question. Three of these
reports, in the order in which they were sent; in the file the order reveals nothing:

{microdata}
"""
