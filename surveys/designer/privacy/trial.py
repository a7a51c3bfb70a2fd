"""A trial run of one question: invented people, their reports by the real mechanism, and the results as the results
page would show them. A seed determines everything; nothing is stored or enters a release."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp import kinds as mathematics
from ldp import results
from ldp.planning import trial
from ldp.planning.thirds import CONFIDENCE
from ldp.question import Drawn
from surveys.figures import numerals, typed
from surveys.figures.display import Document
from surveys.survey import kinds

SHARES_MAX = 300  # numbers in a URL


class TrialField(NamedTuple):
    """A number that describes the invented people, with its error message."""

    label: str
    value: str
    error: str = ""


class QuestionTrial(NamedTuple):
    question: Drawn
    shares: tuple[float, ...]
    n: int
    seed: int

    @property
    def people(self) -> int:
        return min(self.n, affordable(json.dumps(self.question)))

    def document(self) -> Document:
        """Return the displayed part of a release's document."""
        return _document(json.dumps(self.question), self.shares, self.people, self.seed)


def read(question: Drawn, n: int, data: QueryDict) -> QuestionTrial:
    """Return the trial that a URL describes. Texts that are no numbers are ignored."""
    given = [_number(question, text)[0] for text in data.getlist("share")[:SHARES_MAX]]
    seed = data.get("seed", "")
    return QuestionTrial(question, _shares(question, given), n, int(seed) if seed.isdecimal() and len(seed) < 10 else 1)


def fields(question: Drawn, data: QueryDict) -> list[TrialField]:
    """Return the fields as typed."""
    values, labels = data.getlist("share"), labels_of(question)
    values = [*values, *[""] * len(labels)]
    return [TrialField(label, value, _number(question, value)[1]) for label, value in zip(labels, values, strict=False)]


def labels_of(question: Drawn) -> list[str]:
    return [_("Mean")] if kinds.of(question).averaged else kinds.lines(question)


def unit_of(question: Drawn) -> str:
    return question["unit"] if kinds.of(question).averaged else "%"


def _number(question: Drawn, text: str) -> tuple[float | None, str]:
    """Return the number or its error message; None and "" for an empty field."""
    if not text.strip():
        return None, ""
    try:
        number = float(typed.percent(text, most=None if kinds.of(question).averaged else 100))
    except typed.Unread as unread:
        return None, str(unread) or _("Give a number, such as 0.")
    return (number, "") if -1e15 < number < 1e15 else (None, _("Give a number, such as 0."))


def _shares(question: Drawn, filled: list[float | None]) -> tuple[float, ...]:
    """Return shares as fractions of 1. Exclusive options are scaled to the sum 1; without input they are equal."""
    count = mathematics.of(question).parameters(question)
    given = [*filled, *[None] * count][:count]
    if kinds.of(question).averaged:
        low, high = float(question["low"]), float(question["high"])
        place = 0.5 if given[0] is None else (given[0] - low) / (high - low)
        return (min(max(place, 0.0), 1.0),)
    if kinds.of(question).several and kinds.of(question).options_are_answers:
        return tuple(0.5 if each is None else min(max(each / 100, 0.0), 1.0) for each in given)
    weights = [max(each or 0.0, 0.0) for each in given]
    total = sum(weights)
    return tuple(weight / total for weight in weights) if total else (1 / count,) * count


@lru_cache(maxsize=256)
def affordable(question: str) -> int:
    return trial.affordable(json.loads(question))


@lru_cache(maxsize=32)
def _document(text: str, shares: tuple[float, ...], n: int, seed: int) -> Document:
    question = json.loads(text)
    totals = trial.totals(question, list(shares), n, seed)
    estimates = [result | {"ended": True} for result in results.results(question, totals, n, CONFIDENCE)]
    document = {"n": n, "confidence": CONFIDENCE, "software": f"trial {seed}", "questions": estimates}
    return cast(Document, document)


def on_scale(question: Drawn, true: Sequence[float]) -> dict[str, float]:
    """Return the true values on the question's scale, by option. The input is shares, or places in the range."""
    scale = kinds.of(question).scale(question)
    return dict(
        zip(question.get("options", ["mean"]), (scale.low + scale.width * share for share in true), strict=True)
    )


def contained(run: QuestionTrial) -> str:
    """Return how many of the simultaneous intervals contain the true share or mean."""
    inside, every = 0, 0
    true = on_scale(run.question, mathematics.of(run.question).true_shares(run.question, list(run.shares)))
    for result in run.document()["questions"]:
        for category in result["methods"][0]["categories"]:
            truth = true[category["option"]]
            low, high = category["population"]["simultaneous"]
            inside, every = inside + (low <= truth <= high), every + 1
    text = _("%(inside)s of %(every)s intervals hold the truth that was invented.")
    return text % {"inside": numerals.count(inside), "every": numerals.count(every)}
