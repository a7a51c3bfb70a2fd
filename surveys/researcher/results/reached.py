"""Results among the people who were asked a question that not everyone was asked (M34d).

The document describes everyone: people who were not asked have one randomized answer, the filler. Pages take these
people out if their share can be estimated. The questions decide that. If single reports show the share, the number of
looks at the release decides it too. Reports never decide it, so no interval is chosen by its result. Everything else on
a page follows from these numbers.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from django.http import Http404

from ldp.document import Document as ReleaseDocument
from ldp.document import Precision
from ldp.inference.intervals import Interval
from ldp.inference.reading import unasked
from ldp.inference.reading.unasked import Decider, Deciders, Reached
from ldp.kinds import KINDS
from ldp.question import Rule
from ldp.routing import condition, leads_on
from ldp.scores import Target
from surveys.figures.display import Category, Document, Method, Result
from surveys.models import Release
from surveys.researcher.results import released as releases
from surveys.researcher.results import response_cache
from surveys.researcher.results.released import ReleasedQuestion
from surveys.researcher.results.selection import by_estimate
from surveys.survey.kinds.date import in_words

DECIDERS_MAX = 100  # questions, counted each time they decide; beyond it there is no result


def applied(document: Document, release: Release) -> Document:
    """Return the document with the reader's choice applied, and with results among people who were asked."""
    applied = {**document, "questions": of_release(document["questions"], release)}
    if "by_group" in document:
        applied["by_group"] = of_release(document["by_group"], release, [each["name"] for each in document["groups"]])
    return cast(Document, applied)


def of_release(results: Sequence[Result], release: Release, groups: Sequence[str] = ()) -> list[Result]:
    """Return results of a release, or of its groups with these names, among people who were asked."""
    routed = {question["key"] for question in release.survey.questions if "asked_if" in question}
    return [
        _of_release(result, release, groups) if result["key"].partition(".")[0] in routed else result
        for result in results
    ]


def _of_release(result: Result, release: Release, groups: Sequence[str]) -> Result:
    slug, group = release.survey.slug or "", groups.index(result["group"]) if groups else None
    return narrowed(result, releases.of_release(slug, release.number, result["key"], group))


def narrowed(result: Result, question: ReleasedQuestion) -> Result:
    """Return the result among people who were asked; unchanged if everyone was, or if reports only bound how many."""
    confidence, target = result.get("level", 0.95), cast(Target, result.get("target", "population"))
    if (numbers := among_reached(question, confidence, target)) is None:
        return result
    by_option = dict(zip(in_words(question.options), numbers, strict=True))
    guarantee = proved(question, target)
    first = question.result(confidence)["methods"][0]["method"]
    [method] = [method for method in result["methods"] if method["method"] == first]
    own = [_category(each, by_option, question, guarantee) for each in method["categories"]]
    methods: list[Method] = [{**method, "categories": own}]
    return by_estimate({**result, "methods": methods, "of_asked": True, "planned": False})


def among_reached(question: ReleasedQuestion, confidence: float, target: Target) -> list[Reached] | None:
    """Return the numbers among people who were asked, in the order of the options."""
    if (deciding := exact_deciders(question, target)) is None:
        return None
    return unasked.among_reached(question.rows, fillers(question), deciding, confidence, question.items, target)


def share_among(question: ReleasedQuestion, place: int, confidence: float) -> tuple[float, Interval]:
    """Return the population's share of the option at this place, with its interval. The share is among people who were
    asked, if their number can be estimated."""
    (tallied, j), deciding = question.rows[place], exact_deciders(question, "population")
    if deciding is None:
        return float(tallied.shares[j]), tallied.interval(j, confidence, "population")
    return unasked.number_among(
        float(tallied.shares[j]),
        lambda level: tallied.interval(j, level, "population"),
        fillers(question)[place],
        deciding,
        confidence,
    )


def exact_deciders(question: ReleasedQuestion, target: Target) -> Deciders | None:
    """Return the questions that decide who was asked, to take others out; None if no one is taken out."""
    used: list[ReleasedQuestion] = []
    deciding = deciders(question, used)
    if deciding is None or not deciding.exact:
        return None
    # Two forms have different respondents: their numbers cannot be divided by each other.
    return None if target == "respondents" and any(each.forms for each in (question, *used)) else deciding


def _category(
    category: Category, numbers: Mapping[str, Reached], question: ReleasedQuestion, is_proved: bool
) -> Category:
    """Return the category with numbers among people who were asked. If too few were asked for a quotient, the estimate
    is the middle of the interval."""
    (low, scale), one = question.scale, numbers[category["option"]]
    alone, at_once = ([low + scale * end for end in ends] for ends in (one.interval, one.simultaneous))
    estimate = sum(alone) / 2 if one.estimate is None else low + scale * one.estimate
    precision = cast(
        Precision,
        {
            **category.get("shown", category["population"]),
            "interval": alone,
            "simultaneous": at_once,
            "standard_error": scale * one.standard_error,
            "guarantee": "proved" if is_proved else "checked",
        },
    )
    return cast(Category, {**category, "estimate": estimate, "shown": precision})


# How many were asked -------------------------------------------------------------------------------------------------


def deciders(released: ReleasedQuestion, used: list[ReleasedQuestion] | None = None) -> Deciders | None:
    """Return the questions that decide who was asked, and add them to `used`. Return None if everyone was asked, or if
    too little is known of these questions."""
    rules, joined = condition(released.question)
    used = [] if used is None else used
    known = [_decider(released, rule, used) for rule in rules]
    each = [decider for decider in known if decider is not None]
    reported = [len(decider.options) if decider else 0 for decider in known]
    partial = reported != [len(rule["options"]) for rule in rules]
    if not each or not (joined is any or len(each) == len(rules)):
        return None
    tallies = _document(released).get("conditions", {}) if released.group is None else {}
    tally = tallies.get(released.question["key"])
    return Deciders(each, joined, partial, tally)


def _document(released: ReleasedQuestion) -> ReleaseDocument:
    return response_cache.document_of(released.slug, released.number)


def _decider(released: ReleasedQuestion, rule: Rule, used: list[ReleasedQuestion]) -> Decider | None:
    """Return the decider; None if too little is known of the question."""
    try:
        own = releases.of_release(released.slug, released.number, rule["question"], released.group)
    except Http404:
        return None  # the question has no reports
    options = _reported(own, rule["options"])
    if not options or len(used) == DECIDERS_MAX:
        return None
    used.append(own)
    decider = Decider(own.rows, options, own.shared_totals is None)
    if "asked_if" not in own.question or not leads_on(own.question, rule["options"]):
        return decider  # anyone not asked that question counts among people with another answer
    before = deciders(own, used)
    return decider._replace(before=before) if before else None


def _reported(own: ReleasedQuestion, options: list[int]) -> list[int]:
    """Return the places of these options among the options with reports."""
    names = [own.question["options"][option] for option in options if own.shared_totals is None]
    return [own.options.index(name) for name in names if name in own.options] if names else list(options)


def fillers(released: ReleasedQuestion) -> list[float]:
    """Return the filler's part in each category's share; for a mean its place on the scale."""
    question = released.question
    shares = KINDS[released.kind].filler_shares(question, max(released.place - 1, 0))
    if released.shared_totals is None:
        return [shares[question["options"].index(option)] for option in released.options]
    return shares


def proved(released: ReleasedQuestion, target: Target) -> bool:
    """Return whether the intervals of the question, and of all questions that decide on it, are proved."""
    used = [released]
    deciding = deciders(released, used)
    return (deciding is None or deciding.tally is None) and all(each.sums_proved(target) for each in used)
