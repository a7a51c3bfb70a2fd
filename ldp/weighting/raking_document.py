"""The document of a question weighted by several margins (M41), for a population and one look at a release."""

from collections.abc import Iterator, Sequence
from typing import TypedDict

import numpy as np

from ldp.arrays import Values
from ldp.confidences import CONFIDENCES
from ldp.document import Header
from ldp.forms.crossed import Crossed
from ldp.inference.variables import Variable
from ldp.regression.sample import Sample, total
from ldp.tidy import Row
from ldp.weighting import document as one_margin
from ldp.weighting import margin, margins, raking
from ldp.weighting.document import Shares, Stratum, mean_of, rows_of
from ldp.weighting.margin import Weighted, checked
from ldp.weighting.margins import Margins

FORMAT = 2


class KnownQuestion(TypedDict):
    """A question with known shares."""

    key: str
    text: str
    strata: list[Stratum]


class TooUncertain(TypedDict):
    """Too few reports to weight by these margins. `needed` is about how many would be enough, None if unknown."""

    needed: int | None


class RakingDocument(Shares):
    """The document. With a `refusal` there are no `shares` and no `mean`."""

    options: list[str]
    margins: list[KnownQuestion]
    refusal: TooUncertain | None


def document(header: Header, chosen: Margins, variables: Sequence[Variable], sample: Sample) -> RakingDocument:
    """Return the document for variables with `chosen.keys`, from a sample. NotWeighted if `chosen` breaks a rule."""
    margins.check(chosen, variables)
    made = _without_shares(header, chosen, variables, total(sample), raking.strata(sample, variables))
    try:
        weighted = raking.raked(sample, variables, [each.shares for each in chosen.known])
    except raking.NotRaked as refused:
        return {**made, "refusal": {"needed": refused.needed}}
    return _with_shares(made, variables[-1], weighted)


def by_one_margin(header: Header, chosen: Margins, crossing: Crossed) -> RakingDocument:
    """Return the document by one margin, from the crossing of its question with the weighted one. NotWeighted if
    `chosen` breaks a rule."""
    variables, [known] = (crossing.first, crossing.second), chosen.known
    margins.check(chosen, variables)
    made = _without_shares(header, chosen, variables, crossing.n, [np.stack(crossing.margins[0], axis=1)])
    try:
        weighted = margin.weighted(crossing, known.shares)
    except margin.TooFewStrata as refused:
        return {**made, "refusal": {"needed": max(refused.needed.values())}}
    return _with_shares(made, crossing.second, weighted)


def _with_shares(made: RakingDocument, question: Variable, weighted: Weighted) -> RakingDocument:
    shares = [] if question.scale else rows_of(question, weighted, CONFIDENCES)
    return {**made, "shares": shares, "mean": mean_of(question, weighted, CONFIDENCES)}


def _without_shares(
    header: Header, chosen: Margins, variables: Sequence[Variable], n: int, strata: Sequence[Values]
) -> RakingDocument:
    """Return the document without shares and mean. `strata` has, for each known question, its answers' shares and
    standard errors, (d, 2), among the people asked all questions."""
    question = variables[-1]
    options = [] if question.scale else list(question.options)
    return {
        "format": FORMAT,
        "header": header,
        "n_about": n,
        "confidences": list(CONFIDENCES),
        "together": question.together if options else 0,
        "question": question.key,
        "text": question.text,
        "options": options,
        "margins": list(_known(chosen, variables, strata)),
        "shares": [],
        "mean": None,
        "refusal": None,
    }


def _known(chosen: Margins, variables: Sequence[Variable], each_strata: Sequence[Values]) -> Iterator[KnownQuestion]:
    for known_shares, variable, estimates in zip(chosen.known, variables[:-1], each_strata, strict=True):
        known = checked(known_shares.shares, len(variable.options)).tolist()
        strata = [
            Stratum(option=option, share=share, estimate=estimate, standard_error=error)
            for option, share, (estimate, error) in zip(variable.options, known, estimates.tolist(), strict=True)
        ]
        yield {"key": variable.key, "text": variable.text, "strata": strata}


def rows(document: RakingDocument) -> Iterator[Row]:
    """Yield rows like those of one margin. `by` has the known questions, `known_shares` their shares, separated by
    semicolons."""
    by = " ".join(known["key"] for known in document["margins"])
    shares = "; ".join(one_margin.shares_text(known["strata"]) for known in document["margins"])
    yield from one_margin.flat(document, by, shares)
