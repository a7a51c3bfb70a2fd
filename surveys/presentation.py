"""From an estimate's document to what the results page says: numbers become text here, not in a template."""

import datetime
import hashlib
import json

from surveys import numerals
from surveys.findings import findings, impossible
from surveys.plot_layout import layout

SPOKEN = 7  # options that a plot's text alternative lists; beyond that it points to the table

MECHANISMS = {
    "randomized_response": (
        "Randomized response",
        "Each browser sent the true answer or, by published odds, one of the others.",
    ),
    "subset": (
        "Subset selection",
        "Each browser sent a set of answers that holds the true one by published odds.",
    ),
    "bitwise": (
        "Bitwise randomized response",
        "Each browser sent a 1 or a 0 for every answer, each of them changed by published odds.",
    ),
    "laplace": (
        "Discrete Laplace noise per bin",
        "Each browser sent a number for every bin, with random noise of a published law added to each.",
    ),
}
OTHER = "Each browser changed the true answer by published odds and sent the outcome."
METHODS = {
    "support": (
        "Corrected count (support)",
        "How often each answer was reported, corrected for the known odds of a change.",
    ),
    "threshold": (
        "Threshold",
        "How often a bin's number was 1 or more, corrected for how often noise alone does that.",
    ),
    "sum": (
        "Sum",
        "All the numbers of a bin added up, so that their noise cancels out on average.",
    ),
}


def page(document: dict) -> dict:
    """Context of results.html for a survey that has an estimate."""
    level = numerals.percent(document["confidence"])
    return {
        "n": numerals.count(document["n"]),
        "level": level,
        "alpha_total": document["alpha_total"],
        "factor_total": numerals.odds_factor(document["alpha_total"]),
        "computed_at": datetime.datetime.fromisoformat(document["computed_at"]),
        "software": document["software"],
        "provisional": document["provisional"],
        "questions": [_question(q, number, document) for number, q in enumerate(document["questions"], 1)],
    }


def plot_tag(question: dict, document: dict) -> str:
    """Names the picture of `question`: other numbers, texts or software, another tag."""
    told = json.dumps([question, document["confidence"], document["software"]], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:20]


def _question(question: dict, number: int, document: dict) -> dict:
    first, *others = question["methods"]
    level = numerals.percent(document["confidence"])
    sizes = {width: layout(question, width) for width in ("wide", "narrow")}
    return {
        "number": number,
        "key": question["key"],
        "text": question["text"],
        "tag": plot_tag(question, document),
        "sizes": {width: {"width": plan.width, "height": plan.height} for width, plan in sizes.items()},
        "alt": _alternative(question, level),
        "findings": findings(question),
        "impossible": impossible(first),
        "facts": _facts(question, first, document),
        "table": _table(first, "population"),
        "respondents": _table(first, "respondents"),
        "others": [_other(method, document) for method in others],
    }


def _table(method: dict, target: str) -> list[dict]:
    decimals = numerals.decimals_of(method, target)
    return [
        {
            "option": category["option"],
            "share": numerals.share(category["estimate"], decimals),
            "simultaneous": numerals.span(category[target]["simultaneous"], decimals),
            "interval": numerals.span(category[target]["interval"], decimals),
            "standard_error": numerals.share(category[target]["standard_error"], decimals),
        }
        for category in method["categories"]
    ]


def _other(method: dict, document: dict) -> dict:
    name, meaning = METHODS[method["method"]]
    facts = [_efficiency(method["efficiency"]), _effective(method["effective_n"], document["n"])]
    return {
        "name": name,
        "caption": f"Share of the population by {name.lower()}",
        "meaning": meaning,
        "facts": facts,
        "table": _table(method, "population"),
        "impossible": impossible(method),
    }


def _facts(question: dict, method: dict, document: dict) -> list[dict]:
    """What each number beside the plot means: term, value, one plain sentence."""
    unnamed = question["mechanism"].replace("_", " ").capitalize(), OTHER
    mechanism, sent = MECHANISMS.get(question["mechanism"], unnamed)
    name, counted = METHODS[method["method"]]
    factor = numerals.odds_factor(question["alpha"])
    odds = f"A report can change the odds between two answers to this question at most {factor}-fold."
    return [
        _fact("Reports", numerals.count(document["n"]), "Everyone who took part answered this question."),
        _fact("Privacy parameter", f"α = {question['alpha']}", odds),
        _fact("Mechanism", mechanism, sent),
        _fact("Method", name, counted),
        _efficiency(method["efficiency"]),
        _effective(method["effective_n"], document["n"]),
    ]


def _efficiency(efficiency: float) -> dict:
    share = numerals.percent(efficiency)
    if efficiency > 1 - 1e-6:
        told = "No mechanism with the same α is more precise (minimax bound, equal shares, many reports)."
    else:
        told = (
            f"The best mechanism possible with the same α needs {share} as many reports for the same "
            "precision (minimax bound, equal shares, many reports)."
        )
    return _fact("Efficiency", share, told)


def _effective(effective: float, n: int) -> dict:
    reports = numerals.count(n)
    told = f"So many answers without any privacy would be as precise as these {reports} reports (equal shares)."
    return _fact("Effective sample size", numerals.count(effective), told)


def _fact(term: str, value: str, meaning: str) -> dict:
    return {"term": term, "value": value, "meaning": meaning}


def _alternative(question: dict, level: str) -> str:
    """The plot in words, for those who do not see it."""
    shape = "Histogram" if question["kind"] == "histogram" else "Dots with intervals"
    head = f"{shape}: estimated shares of the population with {level} intervals for all answers at once."
    rows = _table(question["methods"][0], "population")
    if len(rows) > SPOKEN:
        return f"{head} The table next to it holds the same numbers for all {len(rows)} answers."
    told = "; ".join(f"{row['option']} {row['share']}% ({row['simultaneous']})" for row in rows)
    return f"{head} {told}."
