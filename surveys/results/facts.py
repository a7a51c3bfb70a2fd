"""What each number beside a plot means: term, value, one plain sentence."""

from fractions import Fraction
from typing import Any

from surveys import kinds
from surveys.figures import numerals
from surveys.kinds import Fact
from surveys.results import routing
from surveys.results.glossary import INTERVALS, MECHANISMS, METHODS, TARGETS

Data = dict[str, Any]


def of_question(question: Data, first: Data, document: Data, by_key: dict[str, Data]) -> list[Fact]:
    """Those that are the same for all its parts; `first` is a part's first method, `by_key` has all questions."""
    method = Fact("Method", *METHODS[first["method"]])
    asked = [_reports(question, document), *routing.facts(question, by_key)]
    return [*asked, _privacy(question), _mechanism(question), method, intervals(first)]


def of_method(method: Data, result: Data) -> list[Fact]:
    """How much the method tells, where it is known."""
    worth = [_efficiency(method["at_equal_shares"]["efficiency"]), _effective(method, result["n_about"])]
    return [fact for fact in worth if fact]


def about_item(result: Data, document: Data) -> str:
    """An item of a grid has reports of its own."""
    n, everyone = numerals.count(result["n_about"]), numerals.count(document["n"])
    effective = numerals.count(result["methods"][0]["at_estimate"]["effective_n"])
    return (
        f"{n} of the {everyone} reports are about this item. They are as precise as {effective} answers without any "
        "privacy would be (effective sample size, at the estimated shares)."
    )


def apart_from(delta: Fraction | int) -> str:
    """What (alpha, delta) promises less than alpha alone."""
    if not delta:
        return ""
    return f", apart from a chance (δ) of at most {numerals.one_in(Fraction(delta))} that it happens to tell more"


def intervals(method: Data) -> Fact:
    """Those of the population; those of the respondents are named where they are another kind."""
    population, respondents = (method["categories"][0][target]["interval_method"] for target in TARGETS)
    name, meaning = INTERVALS[population]
    if respondents != population:
        other, its = INTERVALS[respondents]
        meaning += f" Those for only these respondents are another kind, {other.lower()}: {its[0].lower()}{its[1:]}"
    return Fact("Intervals", name, meaning)


def _reports(question: Data, document: Data) -> Fact:
    meaning, sampling = "Everyone who took part answered this question.", kinds.of(question).sampling
    if "asked_if" in question:
        meaning = "Everyone who took part sent one, whether they were asked this question or not."
    if sampling:
        sample = f"{_sample(question)} {sampling.elements}"
        meaning = f"Everyone who took part sent one. It is about {sample}, drawn by chance."
    return Fact("Reports", numerals.count(document["n"]), meaning)


def _sample(question: Data) -> str:
    """How many a report is about; empty where it is about the whole answer."""
    sampling = kinds.of(question).sampling
    return f"{question['table']['sample']} of the {len(question[sampling.field])}" if sampling else ""


def _privacy(question: Data) -> Fact:
    value = f"α = {question['alpha']}" + (f", δ = {question['delta']}" if "delta" in question else "")
    meaning = f"A report can change the odds between two {kinds.of(question).answer} to this question at most "
    meaning += f"{numerals.odds_factor(question['alpha'])}-fold{apart_from(Fraction(question.get('delta', '0')))}."
    return Fact("Privacy parameters" if "delta" in question else "Privacy parameter", value, meaning)


def _mechanism(question: Data) -> Fact:
    words = MECHANISMS[question["mechanism"]]
    return Fact("Mechanism", words.name, words.sent.format(sample=_sample(question)))


def _efficiency(efficiency: float | None) -> Fact | None:
    if efficiency is None:
        return None
    share = numerals.percent(efficiency)
    if efficiency > 1 - 1e-6:
        meaning = "No mechanism with the same α is more precise (minimax bound, equal shares, many reports)."
    else:
        meaning = (
            f"The best mechanism possible with the same α needs {share} as many reports for the same "
            "precision (minimax bound, equal shares, many reports)."
        )
    return Fact("Efficiency", share, meaning)


def _effective(method: Data, n: int) -> Fact | None:
    """At the estimated shares: a rare answer drowns in the noise that a common one rises above."""
    here, equal = method["at_estimate"]["effective_n"], method["at_equal_shares"]["effective_n"]
    if here is None:
        return None
    meaning = f"So many answers without any privacy would be as precise as these {numerals.count(n)} reports at the "
    meaning += f"estimated shares; if all shares were equal it would be {numerals.count(equal)}."
    return Fact("Effective sample size", numerals.count(here), meaning)
