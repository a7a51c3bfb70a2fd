"""The context of the results page from an estimates document. Numbers become text here, not in a template.

A `question` comes from the survey's definition. A `result` comes from the document; it has the same texts and the
estimates. The reader's choice has been applied to the document (selection.py).
"""

import datetime
import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ldp.document import ReleaseHeader
from ldp.honesty.attention import is_anchor
from ldp.inference.estimates import TARGETS
from ldp.question import Drawn, asked_in
from surveys.figures import cells, numerals
from surveys.figures.display import Document, Method, Result, has_estimates
from surveys.figures.layout import WIDTHS
from surveys.figures.sentences import within
from surveys.figures.targets import about_reached
from surveys.researcher.results import efficiency, facts, forms, groups, routing
from surveys.researcher.results.findings import findings, findings_of_grid, impossible, too_early
from surveys.researcher.results.glossary import METHODS
from surveys.researcher.results.versions import first_version
from surveys.researcher.results.widths import at_every_release
from surveys.rules.context import Context
from surveys.survey import kinds, mechanisms
from surveys.survey.kinds.protocol import Kind


def page(document: Document, questions: list[Drawn], projected: bool = False) -> Context:
    """Return the context of results/page.html for a survey with estimates."""
    by_key = {each["key"]: each for each in questions}
    grouped = groupby(document["questions"], key=lambda result: result["key"].partition(".")[0])
    results = {key: list(own) for key, own in grouped}
    shown = [
        question(part, results[part["key"]], i, document, projected, by_key)
        if part["key"] in results
        else {"number": i, "key": part["key"], "text": part["text"], "headline": forms.nothing(document), "none": True}
        for i, part in enumerate(questions, 1)
    ]
    for part, context in zip(questions, shown, strict=True):
        context["first"], context["first_place"] = first_version(questions, part["key"])
    return {
        "n": numerals.count(document["n"]),
        "level": level(document),
        "confidence": numerals.percent(document["confidence"]),
        "alpha_total": document["alpha_total"],
        "factor_total": numerals.odds_factor(document["alpha_total"]),
        "apart_from": facts.apart_from(total_delta(questions)),
        "forms": forms.split(document, questions),
        "groups": groups.tables(document),
        "efficiency": efficiency.of_survey(document),
        "date": datetime.date.fromisoformat(document["date"]),
        "software": document["software"],
        "final": document["final"],
        "at_every_release": at_every_release(document),
        "questions": shown,
    }


def total_delta(questions: list[Drawn]) -> Fraction:
    """Return the largest chance that a report's alpha does not hold: the sum over the questions of a report."""
    by_form: dict[int | None, Fraction] = {None: Fraction(0)}
    for each in questions:
        # If questions have a delta, all their forms have the same draws.
        forms: Sequence[int | None] = asked_in(each) or [None]
        for form in forms:
            by_form[form] = by_form.get(form, Fraction(0)) + Fraction(each.get("delta", "0"))
    everyone = by_form.pop(None)
    return everyone + max(by_form.values(), default=Fraction(0))


def plot_tag(result: Result, document: ReleaseHeader) -> str:
    """Return a tag that changes with the picture's numbers, texts, language and software."""
    drawn = json.dumps([result, document["confidence"], document["software"], get_language()], sort_keys=True)
    return hashlib.sha256(drawn.encode()).hexdigest()[:20]


def level(document: ReleaseHeader) -> str:
    return numerals.level(document["confidence"])


def question(
    question: Drawn,
    results: list[Result],
    number: int,
    document: ReleaseHeader,
    projected: bool = False,
    by_key: dict[str, Drawn] | None = None,
) -> Context:
    """Return a question and its parts: one result of its own, or one for each of its items. `by_key` has all questions,
    where it may depend on another one."""
    bounded = results[0].get("bounded", False)
    shared = facts.of_question(question, results[0], document, by_key or {})
    parts = [_part(question, result, document, projected) for result in results]
    context = {"number": number, "key": question["key"], "text": question["text"], "parts": parts}
    context |= {"n": numerals.count(forms.reports(question, document)), "in_form": asked_in(question) is not None}
    context["left"] = _left(question, document)
    context["counted"] = routing.counted(results[0])
    context["is_anchor"] = is_anchor(question)
    context["comparisons"] = "" if kinds.of(question).averaged or bounded else results[0]["key"]
    if not kinds.of(question).items(question):
        parts[0]["facts"] = shared + parts[0]["facts"]
        return context | claims(parts[0]["findings"])
    return context | {"facts": shared} | _grid(question, results, parts, number, document)


def claims(sentences: list[str]) -> Context:
    """Return the headline number, its comparison with others, and the collapsed sentences."""
    return {"headline": sentences[0], "standing": sentences[1:2], "sentences": sentences[2:]}


def _left(question: Drawn, document: ReleaseHeader) -> str:
    """Return the sentence that people left the question's form more than others; empty if nothing shows that."""
    if not any(
        form["retention"] and form["retention"]["direction"] < 0 for form in forms.of_question(question, document)
    ):
        return ""
    return _("It seems that people left the form with this question more than others: see who was asked what.")


def _grid(
    question: Drawn, results: list[Result], parts: list[Context], number: int, document: ReleaseHeader
) -> Context:
    items = kinds.of(question).items(question)
    for part, result in zip(parts, results, strict=True):
        place = int(result["key"].partition(".")[2])
        part["number"], part["id"] = f"{number}.{place}", f"{number}-{place}"
        part["item"], part["about"] = items[place - 1], facts.about_item(result, document)
    sentences, together = findings_of_grid(results, items), grid_result(question, results)
    return claims(sentences) | {
        "by_chance": any(part["same"] for part in parts),
        "whole": picture_of(together, document) if cells.fits(together) else None,
    }


def grid_result(question: Drawn, results: list[Result]) -> Result:
    """Return the results of a grid as one result, for the picture."""
    items = kinds.of(question).items(question)
    texts = [items[int(result["key"].partition(".")[2]) - 1] for result in results]
    return {
        **results[0],
        "key": question["key"],
        "text": question["text"],
        "items": texts,
        "parts": results,
        "methods": [],
    }


def picture_of(result: Result, document: ReleaseHeader) -> Context:
    """Return the page's information about a picture before it is drawn."""
    kind = kinds.of(result)
    return {
        "key": result["key"],
        "tag": plot_tag(result, document),
        "sizes": sizes_of(kind, result),
        "alt": kind.alternative(result, level(document)),
    }


def sizes_of(kind: Kind, result: Result) -> dict[str, dict[str, int]]:
    """Return the picture's size for each of its widths."""
    plans = {width: kind.layout(result, width) for width in WIDTHS}
    return {width: {"width": plan.width, "height": plan.height} for width, plan in plans.items()}


def _part(question: Drawn, result: Result, document: ReleaseHeader, projected: bool) -> Context:
    kind, (first, *others) = kinds.of(question), result["methods"]
    numbers = kind.numbers(result, first)
    if projected:
        _add_projected(numbers, result, first)
    return picture_of(result, document) | {
        "findings": findings(result),
        "too_early": too_early(result),
        "beyond": _beyond(result, first),
        "facts": kind.facts(question) + facts.of_method(first, result),
        "numbers": numbers,
        "of_respondents": result.get("target") == TARGETS[1],
        "of_asked": about_reached(result),
        "same": _same(result, first),
        "by_chance": kind.sampling is not None and not kind.items(question),
        "others": [_other(method) for method in others],
    }


def _add_projected(numbers: Context, result: Result, method: Method) -> None:
    """Add the projected values beside the unbiased estimates (M14)."""
    kind, estimates = kinds.of(result), [category["estimate"] for category in method["categories"]]
    projected = kind.possible(estimates, result)
    if "mean" in numbers and has_estimates(result):
        numbers["mean"]["projected"] = kind.written(projected[0], result, method)
    for row, share in zip(numbers.get("rows", ()), projected, strict=False):
        row["projected"] = kind.written(share, result, method) if has_estimates(result) else numerals.NONE


def _same(result: Result, method: Method) -> bool:
    """Return whether respondents and population must have the same numbers.

    They must if only some people were asked, or if the respondents' luck cannot be separated from the mechanism's. With
    few reports, numbers can also be equal by chance.
    """
    same = all(category["population"] == category["respondents"] for category in method["categories"])
    return same and (kinds.of(result).sampling is not None or mechanisms.of(result).one_for_both)


def _other(method: Method) -> Context:
    name, meaning = METHODS[method["method"]]
    return {"method": method["method"], "name": name, "name_within": within(str(name)), "meaning": meaning}


def _beyond(result: Result, method: Method) -> str:
    if not impossible(result, method):
        return ""
    if kinds.of(result).averaged:
        return _(
            "An estimate can fall beyond the ends of the scale (a hollow dot): we correct for the randomization on "
            "average, and sometimes that corrects too much. We do not truncate it, because that would bias sums; the "
            "interval holds only possible means."
        )
    return _(
        "An estimate can fall below 0 or above 100 (a hollow dot): we correct for the randomization on average, and "
        "sometimes that corrects too much. We do not truncate it, because that would bias sums; the interval holds "
        "only possible shares."
    )
