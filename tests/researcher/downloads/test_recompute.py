"""Every published number is found again by a program that was written from docs/recompute.md and shares no code."""

import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ldp.forms import results as form_results
from ldp.forms.results import FormTally
from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA, of
from ldp.privatize import draw_form, make_report, randomize
from ldp.results import results
from ldp.tally import Batch, Field
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import layouts
from tests.support import recompute

CONFIDENCE = 0.95
EXACTLY = 1e-11
ENDS = 1e-9

ALPHAS = ("0.3", "1", "2.5", "5")
SIZES, LARGE, LARGE_AT = (1, 4, 40), 150, "1"


def _asked(name, chance, alpha):
    """A definition's question for a mechanism, with random sizes."""
    kind = next(kind for kind, names in FITTING.items() if name in names)
    d = chance.randint(2, 6)
    asked = {"key": "q", "kind": kind, "text": "?", "alpha": alpha, "mechanism": name}
    extra = {}
    if kind == "mean":
        asked |= {"low": "-2", "high": "6", "unit": ""}
    else:
        asked["options"] = [f"option {j}" for j in range(d)]
    if kind == "grid":
        asked["items"] = [f"item {i}" for i in range(chance.randint(2, 4))]
    if kind in ("grid", "multiple_choice"):
        extra["sample"] = asked_sample = chance.randint(1, 2)
        assert asked_sample <= d
    if name in WITH_DELTA:
        asked["delta"] = "0.000001"
        extra["delta"] = Fraction(asked["delta"])
    asked["table"] = MECHANISMS[name].table(Fraction(alpha), d, **extra)
    return asked


def _answer(asked, chance):
    d = len(asked.get("options", ()))
    if asked["kind"] == "mean":
        return f"{chance.choice([-2, 6, chance.uniform(-2, 6)]):.4f}"
    if asked["kind"] == "multiple_choice":
        return [chance.random() < 0.3 for _ in range(d)]
    if asked["kind"] == "grid":
        return [chance.randrange(d) for _ in asked["items"]]
    return min(chance.randrange(d), chance.randrange(d))


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_another_program_finds_the_same_numbers(name, alpha, nightly):
    """Many reports, which take the other program longest, at one alpha daily."""
    chance = random.Random(f"{name} {alpha}")
    for n in (*SIZES, LARGE) if nightly or alpha == LARGE_AT else SIZES:
        try:
            asked = _asked(name, chance, alpha)
        except ValueError:
            return  # no table at so small an alpha
        reports = [randomize(asked, _answer(asked, chance), lambda: chance.getrandbits(53)) for _ in range(n)]
        for ours, theirs in zip(
            _published(asked, reports), recompute.question(asked, reports, CONFIDENCE), strict=True
        ):
            assert (ours["n_about"], ours["together"]) == (theirs["n_about"], theirs["together"])
            assert [method["method"] for method in ours["methods"]] == list(theirs["methods"])
            for method in ours["methods"]:
                for one, other in zip(method["categories"], theirs["methods"][method["method"]], strict=True):
                    _compare(one, other)


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("n", [5, 90])
def test_another_program_finds_the_same_numbers_of_forms(alpha, n):
    chance = random.Random(f"{alpha} {n}")
    definition = definitions.build(_draft_in_forms(chance, alpha))
    bodies = [json.loads(_body(definition, chance)) for _ in range(n)]
    ours = form_results.of_survey(definition, list(_tallies(definition, bodies)), CONFIDENCE)
    by_key = recompute.survey(definition, bodies, CONFIDENCE)
    assert [result["key"] for result in ours] == list(by_key)
    for one, [other] in zip(ours, by_key.values(), strict=True):
        assert (one["n_about"], one["together"]) == (other["n_about"], other["together"])
        for method in one["methods"]:
            for mine, its in zip(method["categories"], other["methods"][method["method"]], strict=True):
                _compare(mine, its)


def _draft_in_forms(chance, alpha):
    """A joint form of two to four questions of any kind that can be, one of two questions, and one for everybody."""

    def options(most):
        return [f"option {j}" for j in range(chance.randint(2, most))]

    kinds = [
        lambda: {"kind": "yes_no", "prefer_not_to_say": chance.random() < 0.5},
        lambda: {"kind": "single_choice", "options": options(5)},
        lambda: {"kind": "ordered", "options": options(4)},
        lambda: {"kind": "histogram", "edges": ["0", "1", "2", "3"], "unit": ""},
        lambda: {"kind": "mean", "low": "-2", "high": "6"},
    ]
    together = [chance.choice(kinds)() for _ in range(chance.randint(2, 4))]
    own = {"alpha": alpha, "mechanism": "randomized_response"}
    alone = [
        {"kind": "yes_no"} | own,
        {"kind": "mean", "low": "0", "high": "1", "alpha": alpha, "mechanism": "one_bit"},
    ]
    everybody = {"kind": "single_choice", "options": options(4)} | own
    questions = [{"key": f"q{i}", "text": "?"} | question for i, question in enumerate([*together, *alone, everybody])]
    keys = [question["key"] for question in questions]
    return {
        "title": "?",
        "questions": questions,
        "forms": [
            {"weight": chance.randint(1, 3), "questions": keys[: len(together)], "alpha": alpha},
            {"weight": chance.randint(1, 3), "questions": keys[len(together) : -1]},
        ],
    }


def _body(definition, chance):
    form = draw_form(definition, lambda: chance.getrandbits(32))
    answers = {asked["key"]: _answer(asked, chance) for asked in definition["questions"]}
    return make_report(definition, "0" * 64, answers, lambda: chance.getrandbits(32), form)


def _tallies(definition, bodies):
    for form, layout in enumerate(layouts(definition)):
        packed = [layout.pack(body["answers"]) for body in bodies if body["form"] == form]
        batch = Batch(np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), layout.bytes))
        totals = [field.part.tally(batch.field(field.start, field.width)) for field in layout.fields]
        yield FormTally(len(packed), tuple(totals))


def _published(asked, reports):
    randomizer = of(asked)
    width, encode, *_ = randomizer.packing()
    codes = [encode(report) for report in reports]
    bits = np.array([[int(bit) for bit in f"{code:0{width}b}"] for code in codes], dtype=np.uint8)
    return results(asked, randomizer.tally(Field.of(bits)), len(reports), CONFIDENCE)


def _compare(one, other):
    assert one["estimate"] == pytest.approx(other["estimate"], abs=EXACTLY, rel=EXACTLY)
    for target in ("population", "respondents"):
        error, *ends = other[target]
        assert one[target]["standard_error"] == pytest.approx(error, abs=EXACTLY, rel=EXACTLY)
        assert [*one[target]["interval"], *one[target]["simultaneous"]] == pytest.approx(ends, abs=ENDS), target


def test_the_other_program_shares_no_code():
    source = Path(recompute.__file__).read_text(encoding="utf-8")
    imports = [line for line in source.splitlines() if line.startswith(("import", "from"))]
    assert not [line for line in imports if "ldp" in line or "surveys" in line or "tests" in line]
