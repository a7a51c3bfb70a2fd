"""From an estimate's document to what the results page says: numbers become text here, not in a template."""

import datetime
import hashlib
import json
from fractions import Fraction
from itertools import groupby

from surveys.results import numerals
from surveys.results.findings import findings, impossible, too_early
from surveys.results.glossary import INTERVALS, MECHANISMS, METHODS
from surveys.results.plot_layout import layout

TARGETS = ("population", "respondents")
SPOKEN = 7  # options that a plot's text alternative lists; beyond that it points to the table
BEYOND = (
    "(a hollow dot): the effect of chance is taken out on average, and now and then that takes out too much. Cut off, "
    "it would bias every sum it enters, so it stands as it is; the interval holds only possible"
)


def page(document: dict, asked: list[dict]) -> dict:
    """Context of results/page.html for a survey that has an estimate; `asked` are the questions of its definition."""
    by_key = {question["key"]: question for question in asked}
    results = groupby(document["questions"], key=lambda result: result["key"].partition(".")[0])
    return {
        "n": numerals.count(document["n"]),
        "level": numerals.percent(document["confidence"]),
        "alpha_total": document["alpha_total"],
        "factor_total": numerals.odds_factor(document["alpha_total"]),
        "apart_from": _apart_from(sum(Fraction(question.get("delta", "0")) for question in asked)),
        "date": datetime.date.fromisoformat(document["date"]),
        "software": document["software"],
        "final": document["final"],
        "questions": [_question(by_key[key], list(own), i, document) for i, (key, own) in enumerate(results, 1)],
    }


def plot_tag(question: dict, document: dict) -> str:
    """Names the picture of `question`: other numbers, texts or software, another tag."""
    told = json.dumps([question, document["confidence"], document["software"]], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:20]


def _question(asked: dict, results: list[dict], number: int, document: dict) -> dict:
    """A question and its parts: one result of its own, or one for each item of a grid."""
    first = results[0]["methods"][0]
    shared = [_reports(asked, document), _privacy(asked), _mechanism(asked), _method(first), _intervals(first)]
    parts = [_part(asked, result, document) for result in results]
    question = {"number": number, "text": asked["text"], "parts": parts}
    if asked["kind"] != "grid":
        parts[0]["facts"] = shared + parts[0]["facts"]
        return question
    for part, result in zip(parts, results, strict=True):
        place = int(result["key"].partition(".")[2])
        part["number"], part["id"] = f"{number}.{place}", f"{number}-{place}"
        part["item"], part["about"] = asked["items"][place - 1], _about(result, document)
    by_chance = any(part["respondents"] is None for part in parts)
    return question | {"facts": shared, "missing": len(asked["items"]) - len(parts), "by_chance": by_chance}


def _part(asked: dict, result: dict, document: dict) -> dict:
    first, *others = result["methods"]
    level = numerals.percent(document["confidence"])
    sizes = {width: layout(result, width) for width in ("wide", "narrow")}
    facts = [_scale(asked), *_worth(first, result)]
    numbers = {target: _numbers(result, first, target) for target in TARGETS}
    return {
        "key": result["key"],
        "tag": plot_tag(result, document),
        "sizes": {width: {"width": plan.width, "height": plan.height} for width, plan in sizes.items()},
        "alt": _alternative(result, level),
        "findings": findings(result),
        "too_early": too_early(result),
        "beyond": _beyond(result, first),
        "facts": [fact for fact in facts if fact],
        "what": "mean" if result["kind"] == "mean" else "share",
        "population": numbers["population"],
        "respondents": None if _same(result, first) else numbers["respondents"],
        "by_chance": result["kind"] == "multiple_choice",
        "others": [_other(method, result) for method in others],
    }


# Estimates ----------------------------------------------------------------------------------------------------


def _numbers(result: dict, method: dict, target: str) -> dict:
    """Rows of a table of shares, or a mean."""
    if result["kind"] == "mean":
        return {"mean": _mean(result, method["categories"][0], target)}
    return {"rows": _table(method, target)}


def _table(method: dict, target: str) -> list[dict]:
    decimals = numerals.decimals_of(method, target)
    return [
        {
            "option": category["option"],
            "n": numerals.count(category["n_about"]) if "n_about" in category else "",
            "share": numerals.share(category["estimate"], decimals),
            "simultaneous": numerals.span(category[target]["simultaneous"], decimals),
            "interval": numerals.span(category[target]["interval"], decimals),
            "standard_error": numerals.share(category[target]["standard_error"], decimals),
        }
        for category in method["categories"]
    ]


def _mean(result: dict, category: dict, target: str) -> dict:
    about, unit = category[target], result["unit"]
    decimals = numerals.places(about["standard_error"])
    low, high = (numerals.number(end, decimals) for end in about["interval"])
    return {
        "estimate": numerals.with_unit(numerals.number(category["estimate"], decimals), unit),
        "interval": numerals.with_unit(f"{low} to {high}", unit),
        "standard_error": numerals.with_unit(numerals.number(about["standard_error"], decimals), unit),
    }


def _same(result: dict, method: dict) -> bool:
    """Whether for the respondents nothing else can be said than for a population: of what only a part of them was
    asked, and of one bit, whose luck they cannot be told from. Few reports can make other numbers the same by chance.
    """
    same = all(category["population"] == category["respondents"] for category in method["categories"])
    return same and (result["kind"] in ("multiple_choice", "grid") or result["mechanism"] == "one_bit")


def _other(method: dict, result: dict) -> dict:
    name, meaning = METHODS[method["method"]]
    facts = [_intervals(method), *_worth(method, result)]
    return {
        "name": name,
        "caption": f"Share of the population by {name.lower()}",
        "meaning": meaning,
        "facts": [fact for fact in facts if fact],
        "numbers": _numbers(result, method, "population"),
        "beyond": _beyond(result, method),
    }


def _beyond(result: dict, method: dict) -> str:
    if not impossible(result, method):
        return ""
    if result["kind"] == "mean":
        return f"An estimate can fall beyond the ends of the scale {BEYOND} means."
    return f"An estimate can fall below 0 or above 100 {BEYOND} shares."


def _alternative(result: dict, level: str) -> str:
    """The plot in words, for those who do not see it."""
    if result["kind"] == "mean":
        mean = _mean(result, result["methods"][0]["categories"][0], "population")
        told = f"estimated mean {mean['estimate']}, {level} interval {mean['interval']}"
        return f"Dot with interval on the scale from {_ends(result)}: {told}."
    shape = "Histogram" if result["kind"] == "histogram" else "Dots with intervals"
    head = f"{shape}: estimated shares of the population with {level} intervals for all answers at once."
    rows = _table(result["methods"][0], "population")
    if len(rows) > SPOKEN:
        return f"{head} The table next to it holds the same numbers for all {len(rows)} answers."
    told = "; ".join(f"{row['option']} {row['share']}% ({row['simultaneous']})" for row in rows)
    return f"{head} {told}."


# What each number beside the plot means: term, value, one plain sentence -----------------------------------------


def _reports(asked: dict, document: dict) -> dict:
    told = "Everyone who took part answered this question."
    if "sample" in asked["table"]:
        what = "items" if asked["kind"] == "grid" else "answers"
        told = f"Everyone who took part sent one. It is about {_sample(asked)} {what}, drawn by chance."
    return _fact("Reports", numerals.count(document["n"]), told)


def _about(result: dict, document: dict) -> str:
    """An item of a grid has reports of its own."""
    n, everyone = numerals.count(result["n_about"]), numerals.count(document["n"])
    effective = numerals.count(result["methods"][0]["at_estimate"]["effective_n"])
    return (
        f"{n} of the {everyone} reports are about this item. They are as precise as {effective} answers without any "
        "privacy would be (effective sample size, at the estimated shares)."
    )


def _sample(asked: dict) -> str:
    return f"{asked['table']['sample']} of the {len(asked.get('items', asked['options']))}"


def _scale(asked: dict) -> dict | None:
    if asked["kind"] != "mean":
        return None
    told = "Every answer is a number on this scale; one beyond an end counted as that end."
    return _fact("Scale", _ends(asked), told)


def _ends(asked: dict) -> str:
    low, high = numerals.decimal(asked["low"]), numerals.decimal(asked["high"])
    return numerals.with_unit(f"{low} to {high}", asked["unit"])


def _privacy(asked: dict) -> dict:
    answers = "sets of answers" if asked["kind"] in ("multiple_choice", "grid") else "answers"
    value = f"α = {asked['alpha']}" + (f", δ = {asked['delta']}" if "delta" in asked else "")
    told = f"A report can change the odds between two {answers} to this question at most "
    told += f"{numerals.odds_factor(asked['alpha'])}-fold{_apart_from(Fraction(asked.get('delta', '0')))}."
    return _fact("Privacy parameters" if "delta" in asked else "Privacy parameter", value, told)


def _apart_from(delta: Fraction) -> str:
    """What (alpha, delta) promises less than alpha alone."""
    if not delta:
        return ""
    return f", apart from a chance (δ) of at most {numerals.one_in(delta)} that it happens to tell more"


def _mechanism(asked: dict) -> dict:
    name, sent = MECHANISMS[asked["mechanism"]]
    if "sample" in asked["table"]:
        sent = sent.format(sample=_sample(asked))
    return _fact("Mechanism", name, sent)


def _method(method: dict) -> dict:
    return _fact("Method", *METHODS[method["method"]])


def _intervals(method: dict) -> dict:
    """Of the population; those of the respondents are named where they are another kind."""
    population, respondents = (method["categories"][0][target]["interval_method"] for target in TARGETS)
    name, meaning = INTERVALS[population]
    if respondents != population:
        other, its = INTERVALS[respondents]
        meaning += f" Those for only these respondents are another kind, {other.lower()}: {its[0].lower()}{its[1:]}"
    return _fact("Intervals", name, meaning)


def _worth(method: dict, result: dict) -> list[dict | None]:
    return [_efficiency(method["at_equal_shares"]["efficiency"]), _effective(method, result["n_about"])]


def _efficiency(efficiency: float | None) -> dict | None:
    if efficiency is None:
        return None
    share = numerals.percent(efficiency)
    if efficiency > 1 - 1e-6:
        told = "No mechanism with the same α is more precise (minimax bound, equal shares, many reports)."
    else:
        told = (
            f"The best mechanism possible with the same α needs {share} as many reports for the same "
            "precision (minimax bound, equal shares, many reports)."
        )
    return _fact("Efficiency", share, told)


def _effective(method: dict, n: int) -> dict | None:
    """At the estimated shares: a rare answer drowns in the noise that a common one rises above."""
    here, equal = method["at_estimate"]["effective_n"], method["at_equal_shares"]["effective_n"]
    if here is None:
        return None
    told = f"So many answers without any privacy would be as precise as these {numerals.count(n)} reports at the "
    told += f"estimated shares; if all shares were equal it would be {numerals.count(equal)}."
    return _fact("Effective sample size", numerals.count(here), told)


def _fact(term: str, value: str, meaning: str) -> dict:
    return {"term": term, "value": value, "meaning": meaning}
