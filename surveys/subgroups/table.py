"""A document of subgroups as rows of a page, with its numbers as text."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from ldp.inference.variables import APPLIES, DOES_NOT
from ldp.subgroups import ByStratum, Share, Stratum, SubgroupsDocument, Within
from surveys.figures import numerals


class Row(NamedTuple):
    """A stratum: percentages as texts, and where they stand on a line of 100. Without an estimate it is too small, and
    `needed` says how many reports would do."""

    stratum: str
    estimate: str
    interval: str
    needed: str
    low: str
    high: str
    point: str


class Answer(NamedTuple):
    """An answer with its share of all who were asked both, as text and on the line."""

    name: str
    of_all: str
    mark: str
    rows: list[Row]


class Part(NamedTuple):
    """A question, item or option."""

    key: str
    text: str
    n: str
    answers: list[Answer]


def option_texts(names: Sequence[str]) -> list[str]:
    """Options as they are shown: those of a multiple choice's option are ours, not the survey's."""
    ours = {APPLIES: _("applies"), DOES_NOT: _("does not apply")}
    return [ours.get(name, name) for name in names] if set(names) <= {APPLIES, DOES_NOT} else list(names)


def parts(document: SubgroupsDocument, place: int) -> list[Part]:
    """`place` is that of the confidence."""
    strata = option_texts(document["stratum"]["options"])
    return [_part(question, strata, place) for question in document["questions"]]


def _part(question: ByStratum, strata: list[str], place: int) -> Part:
    shares, digits = question["shares"], _decimals(question)
    names = option_texts([share["option"] for share in shares])
    answers = [_answer(question, share, name, strata, place, digits) for share, name in zip(shares, names, strict=True)]
    return Part(question["key"], question["text"], numerals.count(question["n_about"]), answers)


def _decimals(question: ByStratum) -> int:
    return min(1, numerals.decimals_for(max(share["standard_error"] for share in question["shares"])))


def _answer(question: ByStratum, share: Share, name: str, strata: list[str], place: int, digits: int) -> Answer:
    rows = [
        _row(stratum, own, within, place, digits)
        for stratum, own, within in zip(strata, question["strata"], share["within"], strict=True)
    ]
    return Answer(name, numerals.share(share["estimate"], digits), _at(share["estimate"]), rows)


def _row(name: str, stratum: Stratum, within: Within | None, place: int, digits: int) -> Row:
    if within is None:
        return Row(name, "", "", numerals.whole(stratum["needed"] or 0), "", "", "")
    low, high = within["simultaneous"][place]
    estimate, interval = numerals.share(within["estimate"], digits), numerals.span((low, high), digits)
    return Row(name, estimate, interval, "", _at(low), _at(high), _at(within["estimate"]))


def _at(share: float) -> str:
    """Its place on a line from 0 to 100, where an estimate outside is drawn at the end."""
    return f"{100 * min(1.0, max(0.0, share)):.2f}"
