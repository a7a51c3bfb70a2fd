"""The types of the documents of comparisons that a reader chose, of which the API's description is made."""

from typing import Annotated, Literal, TypedDict


class ReleaseName(TypedDict):
    survey: str
    release: int
    date: Annotated[str, {"format": "date"}]
    totals_digest: Annotated[str, "SHA-256 of n and the score totals in canonical JSON."]
    n: Annotated[int, "All reports of the release."]


class ComparedRow(TypedDict):
    """A comparison at one confidence, with intervals and p-values for all that were chosen together."""

    comparison: Annotated[
        Literal["pair", "value", "survey"],
        "pair: of two answers. value: of an answer and the value. survey: of an answer here and in the other survey.",
    ]
    question: str
    text: str
    n_about: int
    option: str
    other_option: Annotated[str | None, "The second answer of a pair."]
    value: Annotated[float | None, "A fraction of 1."]
    other_survey: Annotated[str | None, "The other survey's slug."]
    other_release: int | None
    other_question: str | None
    difference: Annotated[float, "Of shares, as a fraction of 1: the answer's less the other, or less the value."]
    confidence: float
    together: Annotated[int, "How many comparisons hold at once."]
    simultaneous_low: float
    simultaneous_high: float
    told_apart: Annotated[bool, "Whether the difference is shown, all comparisons taken together."]
    p_value: Annotated[float | None, "Exact and two-sided, for this comparison alone."]
    corrected_p_value: Annotated[float | None, "The same by Holm for all comparisons."]
    every_release: Annotated[bool, "Whether it holds at all releases together."]
    guarantee: Literal["proved", "checked"]
    reason: Annotated[str | None, "Why there is no p-value."]


class ComparisonsDocument(ReleaseName):
    comparisons: list[ComparedRow]


class ValueComparisonRow(TypedDict):
    """An answer, or a mean, against a value that was picked before, at one confidence."""

    question: str
    text: str
    n_about: int
    option: str
    unit: Annotated[str | None, "Of a mean."]
    value: Annotated[float, "A share as a fraction of 1, a mean in its unit."]
    than: Literal["more", "less"]
    target: Literal["population", "respondents"]
    estimate: float
    confidence: float
    interval_low: float
    interval_high: float
    p_value: Annotated[float | None, "Exact and one-sided."]
    answer: Annotated[Literal["yes", "no", "unknown"], "Whether it is more, or less, than the value."]
    every_release: bool
    reason: Annotated[str | None, "Why there is no p-value."]


class ValueComparisonDocument(ReleaseName):
    value_comparison: list[ValueComparisonRow]
