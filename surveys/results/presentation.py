"""From an estimate's document to what the results page says: numbers become text here, not in a template.

A `question` is one of the survey's definition, a `result` one of the document's, with the same texts and its estimates.
"""

import datetime
import hashlib
import json
from fractions import Fraction
from itertools import groupby
from typing import Any

from surveys import kinds
from surveys.figures import numerals
from surveys.figures.layout import WIDTHS
from surveys.results import facts
from surveys.results.findings import findings, impossible, too_early
from surveys.results.glossary import MECHANISMS, METHODS
from surveys.results.widths import at_every_release

Data = dict[str, Any]

BEYOND = (
    "(a hollow dot): the effect of chance is taken out on average, and now and then that takes out too much. Cut off, "
    "it would bias every sum it enters, so it stands as it is; the interval holds only possible"
)


def page(document: Data, questions: list[Data]) -> Data:
    """Context of results/page.html for a survey that has an estimate."""
    by_key = {question["key"]: question for question in questions}
    results = groupby(document["questions"], key=lambda result: result["key"].partition(".")[0])
    return {
        "n": numerals.count(document["n"]),
        "level": numerals.percent(document["confidence"]),
        "alpha_total": document["alpha_total"],
        "factor_total": numerals.odds_factor(document["alpha_total"]),
        "apart_from": facts.apart_from(sum(Fraction(question.get("delta", "0")) for question in questions)),
        "date": datetime.date.fromisoformat(document["date"]),
        "software": document["software"],
        "final": document["final"],
        "at_every_release": at_every_release(document),
        "questions": [question(by_key[key], list(own), i, document, by_key) for i, (key, own) in enumerate(results, 1)],
    }


def plot_tag(result: Data, document: Data) -> str:
    """Names the picture of `result`: other numbers, texts or software, another tag."""
    drawn = json.dumps([result, document["confidence"], document["software"]], sort_keys=True)
    return hashlib.sha256(drawn.encode()).hexdigest()[:20]


def level(document: Data) -> str:
    return numerals.percent(document["confidence"])


def question(
    question: Data, results: list[Data], number: int, document: Data, by_key: dict[str, Data] | None = None
) -> Data:
    """A question and its parts: one result of its own, or one for each of its items. `by_key` has all questions, where
    it may depend on another one."""
    shared = facts.of_question(question, results[0]["methods"][0], document, by_key or {})
    parts = [_part(question, result, document) for result in results]
    context = {"number": number, "text": question["text"], "parts": parts}
    items = kinds.of(question).items(question)
    if not items:
        parts[0]["facts"] = shared + parts[0]["facts"]
        return context
    for part, result in zip(parts, results, strict=True):
        place = int(result["key"].partition(".")[2])
        part["number"], part["id"] = f"{number}.{place}", f"{number}-{place}"
        part["item"], part["about"] = items[place - 1], facts.about_item(result, document)
    by_chance = any(part["respondents"] is None for part in parts)
    return context | {"facts": shared, "missing": len(items) - len(parts), "by_chance": by_chance}


def _part(question: Data, result: Data, document: Data) -> Data:
    kind, (first, *others) = kinds.of(question), result["methods"]
    level = numerals.percent(document["confidence"])
    sizes = {width: kind.layout(result, width) for width in WIDTHS}
    return {
        "key": result["key"],
        "tag": plot_tag(result, document),
        "sizes": {width: {"width": plan.width, "height": plan.height} for width, plan in sizes.items()},
        "alt": kind.alternative(result, level),
        "findings": findings(result),
        "too_early": too_early(result),
        "beyond": _beyond(result, first),
        "facts": kind.facts(question) + facts.of_method(first, result),
        "what": kind.scale(result).quantity,
        "population": kind.numbers(result, first, "population"),
        "respondents": None if _same(result, first) else kind.numbers(result, first, "respondents"),
        "by_chance": kind.sampling is not None and not kind.items(question),
        "others": [_other(method, result) for method in others],
    }


def _same(result: Data, method: Data) -> bool:
    """Whether for the respondents nothing else can be said than for a population: of what only a part of them was
    asked, and where their luck cannot be told from the mechanism's. Few reports can make other numbers the same by
    chance."""
    same = all(category["population"] == category["respondents"] for category in method["categories"])
    return same and (kinds.of(result).sampling is not None or MECHANISMS[result["mechanism"]].one_for_both)


def _other(method: Data, result: Data) -> Data:
    name, meaning = METHODS[method["method"]]
    return {
        "name": name,
        "caption": f"Share of the population by {name.lower()}",
        "meaning": meaning,
        "facts": [facts.intervals(method), *facts.of_method(method, result)],
        "numbers": kinds.of(result).numbers(result, method, "population"),
        "beyond": _beyond(result, method),
    }


def _beyond(result: Data, method: Data) -> str:
    if not impossible(result, method):
        return ""
    scale = kinds.of(result).scale(result)
    return f"An estimate can fall {scale.outside} {BEYOND} {scale.quantity}s."
