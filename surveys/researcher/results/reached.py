"""Results among the people who were asked a question that not everyone was asked (M34d).

The document has everyone in it: for people who were not asked, one answer was randomized. Pages take these people
out. Where reports only bound how many these are, pages have intervals without estimates. That depends on the questions,
and where single reports show the share on whether the release is for one look; never on what reports say, so no
interval is chosen by what it shows. Everything else on a page follows from the numbers that are put here.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from django.http import Http404

from ldp.document import Precision
from ldp.inference.intervals import Interval
from ldp.inference.reading import unasked
from ldp.inference.reading.unasked import Decider, Deciders, Reached
from ldp.kinds import KINDS
from ldp.question import Drawn, Rule
from ldp.routing import condition, leads_on
from ldp.scores import Target
from surveys.figures.display import Category, Document, Method, Result
from surveys.models import Release
from surveys.researcher.results import released as releases
from surveys.researcher.results.released import ReleasedQuestion
from surveys.researcher.results.selection import by_estimate
from surveys.survey.kinds.date import in_words

DECIDERS_MAX = 100  # questions, each as often as it decides; where it takes more the rest counts as unknown


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
    """Return the result of those who were asked alone; unchanged if everyone was."""
    confidence, wanted = result.get("level", 0.95), cast(Target, result.get("target", "population"))
    if (narrowing := narrowing_of(question, wanted)) is None:
        return result
    deciding, target = narrowing
    numbers = among_reached(question, confidence, wanted)
    by_option = dict(zip(in_words(question.options), numbers, strict=True))
    guarantee = proved(question, target)
    first = question.result(confidence)["methods"][0]["method"]
    [method] = [method for method in result["methods"] if method["method"] == first]
    own = [_category(each, by_option, question, guarantee) for each in method["categories"]]
    methods: list[Method] = [{**method, "categories": own}]
    known = {"of_asked": True, "bounded": not deciding.exact, "planned": False, "target": target}
    known["sampled"] = target != wanted
    return by_estimate(cast(Result, {**result, **known, "methods": methods}))


def among_reached(question: ReleasedQuestion, confidence: float, target: Target) -> list[Reached]:
    """Return the numbers of those who were asked alone, in the order of the options; none if everyone was."""
    if (narrowing := narrowing_of(question, target)) is None:
        return []
    deciding, about = narrowing
    return unasked.among_reached(question.rows, fillers(question), deciding, confidence, question.items, about)


def share_among(question: ReleasedQuestion, place: int, confidence: float) -> tuple[float, Interval]:
    """Return the share of the option at this place in the population, of those who were asked alone unless everyone
    was, with its interval."""
    (tallied, j), deciding = question.rows[place], deciders(question)
    if deciding is None:
        return float(tallied.shares[j]), tallied.interval(j, confidence, "population")
    return unasked.number_among(
        float(tallied.shares[j]),
        lambda level: tallied.interval(j, level, "population"),
        fillers(question)[place],
        deciding,
        confidence,
    )


def narrowing_of(question: ReleasedQuestion, target: Target) -> tuple[Deciders, Target] | None:
    """Return the questions by which those who were not asked are taken out of the results, and whom these describe;
    None if everyone was asked. Where forms ask the questions of different people, whose numbers cannot be divided by
    each other, they describe the population."""
    used: list[ReleasedQuestion] = []
    if (deciding := deciders(question, used)) is None:
        return None
    people = {tuple(each.forms) for each in (question, *used)}
    same = len(people) == 1 and all(len(forms) <= 1 for forms in people)
    return deciding, target if same else "population"


def target_of(question: ReleasedQuestion, wanted: Target) -> Target:
    """Return whom the results describe where this target is wanted."""
    narrowing = narrowing_of(question, wanted)
    return wanted if narrowing is None else narrowing[1]


def shows_who(question: ReleasedQuestion) -> bool:
    """Return whether everyone was asked, or reports show how many were and do not just bound it."""
    return (deciding := deciders(question)) is None or deciding.exact


def shows_who_of(release: Release, question: Drawn) -> bool:
    """Return the same of a question of a release, whose items share their condition."""
    if "asked_if" not in question:
        return True
    name = release.survey.slug or "", release.number, question["key"]
    try:
        parts = releases.of_grid(*name) if "items" in question else (releases.of_release(*name),)
    except Http404:
        return True  # no report is about it
    return all(map(shows_who, parts[:1]))


def _category(
    category: Category, numbers: Mapping[str, Reached], question: ReleasedQuestion, is_proved: bool
) -> Category:
    """Return the category with numbers of those who were asked alone. Without an estimate only its interval is known,
    and the middle of that is the category's place among others."""
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
    known = {"estimate": estimate, "estimated": one.estimate is not None, "shown": precision}
    return cast(Category, {**category, **known})


# How many were asked -------------------------------------------------------------------------------------------------


def deciders(released: ReleasedQuestion, used: list[ReleasedQuestion] | None = None) -> Deciders | None:
    """Return the questions that decide who was asked, and add those with reports to `used`; None if everyone was."""
    rules, joined = condition(released.question)
    if not rules:
        return None
    used = [] if used is None else used
    each = [_decider(released, rule, used) for rule in rules]
    filled = (row for row, filler in zip(released.rows, fillers(released), strict=True) if filler == 1)
    own = None if released.is_mean else next(filled, None)
    return Deciders(each, joined, released.condition, own)


def _decider(released: ReleasedQuestion, rule: Rule, used: list[ReleasedQuestion]) -> Decider:
    """Return the decider; UNKNOWN where no report is about it."""
    own = released.beside(rule["question"])
    options = _reported(own, rule["options"]) if own else []
    if own is None or not options or len(used) == DECIDERS_MAX:
        return unasked.UNKNOWN
    used.append(own)
    partial = len(options) < len(rule["options"])
    decider = Decider(own.rows, options, own.shared_totals is None, partial=partial)
    if not leads_on(own.question, rule["options"]):
        return decider  # people who were not asked that one are among those with another answer
    return decider._replace(before=deciders(own, used))


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
