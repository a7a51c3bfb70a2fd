"""Results of a question that only some were asked, as pages show them: of those who were asked alone (M34d).

The document has everybody in it, and whoever was not asked counts as one answer there. Pages take these people out
wherever it is known how many they are. Everything else on a page follows from the numbers that are put here."""

from collections.abc import Mapping, Sequence
from typing import cast

from django.http import Http404

from ldp.document import Precision
from ldp.inference.reading import unasked
from ldp.inference.reading.unasked import Decider, Deciders, Reached
from ldp.kinds import KINDS
from ldp.question import Drawn, Rule
from ldp.routing import condition
from ldp.scores import Target
from surveys.figures.display import Category, Document, Method, Result
from surveys.models import Release
from surveys.researcher.results import released as releases
from surveys.researcher.results.released import ReleasedQuestion
from surveys.researcher.results.selection import by_estimate
from surveys.survey.kinds.date import in_words

DECIDERS_MAX = 100  # questions, each as often as it decides; where it takes more nothing is said


def applied(document: Document, release: Release) -> Document:
    """The document as a reader chose to see it, with the results of those who were asked alone."""
    return cast(Document, {**document, "questions": of_release(document["questions"], release)})


def of_release(results: Sequence[Result], release: Release) -> list[Result]:
    routed = {question["key"] for question in release.survey.questions if "asked_if" in question}
    return [_of_release(result, release) if result["key"].partition(".")[0] in routed else result for result in results]


def _of_release(result: Result, release: Release) -> Result:
    assert release.survey.slug is not None
    return narrowed(result, releases.of_release(release.survey.slug, release.number, result["key"]))


def narrowed(result: Result, question: ReleasedQuestion) -> Result:
    """The result of those who were asked alone; as it is where everybody was, or where their number is not known, or so
    small that there is no estimate."""
    confidence, target = result.get("level", 0.95), cast(Target, result.get("target", "population"))
    if (deciding := exact_deciders(question, target)) is None:
        return result
    numbers = unasked.among_reached(question.rows, fillers(question), deciding, confidence, question.items, target)
    by_option = dict(zip(in_words(question.options), numbers, strict=True))
    guarantee = proved(question, target)
    first = question.result(confidence)["methods"][0]["method"]
    [method] = [method for method in result["methods"] if method["method"] == first]
    own = [_category(each, by_option, question, guarantee) for each in method["categories"]]
    methods: list[Method] = [{**method, "categories": own}]
    return by_estimate({**result, "methods": methods, "of_asked": True, "planned": False})


def exact_deciders(question: ReleasedQuestion, target: Target) -> Deciders | None:
    """The questions by which those who were not asked are taken out of the results; None where they are not."""
    used: list[ReleasedQuestion] = []
    deciding = deciders(question, used)
    if deciding is None or not unasked.readable(deciding, target):
        return None
    # The people of two forms are others, whose numbers cannot be divided by each other.
    return None if target == "respondents" and any(each.forms for each in (question, *used)) else deciding


def _category(
    category: Category, numbers: Mapping[str, Reached], question: ReleasedQuestion, is_proved: bool
) -> Category:
    (low, scale), one = question.scale, numbers[category["option"]]
    alone, at_once = ([low + scale * end for end in ends] for ends in (one.interval, one.simultaneous))
    assert one.estimate is not None
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
    return cast(Category, {**category, "estimate": low + scale * one.estimate, "shown": precision})


# How many were asked -------------------------------------------------------------------------------------------------


def deciders(released: ReleasedQuestion, used: list[ReleasedQuestion] | None = None) -> Deciders | None:
    """The questions on which it depends who was asked, which also stand in `used` then; None where everybody was, or
    where too little is known of them."""
    rules, joined = condition(released.question)
    used = [] if used is None else used
    known = [_decider(released, rule, used) for rule in rules]
    each = [decider for decider in known if decider is not None]
    reported = [len(decider.options) if decider else 0 for decider in known]
    partial = reported != [len(rule["options"]) for rule in rules]
    return Deciders(each, joined, partial) if each and (joined is any or len(each) == len(rules)) else None


def _decider(released: ReleasedQuestion, rule: Rule, used: list[ReleasedQuestion]) -> Decider | None:
    """None where too little is known of the question."""
    try:
        own = releases.of_release(released.slug, released.number, rule["question"])
    except Http404:
        return None  # no report is about it
    options = _reported(own, rule["options"])
    if not options or len(used) == DECIDERS_MAX:
        return None
    used.append(own)
    decider = Decider(own.rows, options, own.shared_totals is None)
    if "asked_if" not in own.question or not _leads_on(own.question, rule["options"]):
        return decider  # whoever was not asked that one is among those with another answer
    before = deciders(own, used)
    return decider._replace(before=before) if before else None


def _reported(own: ReleasedQuestion, options: list[int]) -> list[int]:
    """The places of these options among those that a report is about."""
    names = [own.question["options"][option] for option in options if own.shared_totals is None]
    return [own.options.index(name) for name in names if name in own.options] if names else list(options)


def _leads_on(question: Drawn, options: list[int]) -> bool:
    """Whether somebody who was not asked this question counts as one whose answer leads on."""
    filler = KINDS[question["kind"]].filler(question)
    return any(filler[option] for option in options) if isinstance(filler, list) else filler in options


def fillers(released: ReleasedQuestion) -> list[float]:
    """The filler's part in each category's share, or its place on the scale of a mean."""
    question, filler = released.question, KINDS[released.kind].filler(released.question)
    if released.is_mean:
        low, high = float(question["low"]), float(question["high"])
        return [(float(filler) - low) / (high - low)]
    if released.shared_totals is None:
        applies = KINDS[released.kind].answer(question, filler, lambda: 0)
        return [float(applies[question["options"].index(option)]) for option in released.options]
    place = filler[released.place - 1] if released.place else filler
    return [float(j == place) for j in range(len(released.options))]


def proved(released: ReleasedQuestion, target: Target) -> bool:
    """Return whether the intervals of the question and of all that decide on it are."""
    used = [released]
    deciders(released, used)
    return all(each.sums_proved(target) for each in used)
