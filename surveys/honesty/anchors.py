"""The attention questions of a release, and what can be corrected by each."""

from typing import NamedTuple

from ldp.honesty import attention
from ldp.inference.intervals import Interval
from ldp.inference.variables import Variable, variables
from surveys.counting.requests import Refused
from surveys.crossings import requests
from surveys.models import Release
from surveys.results.question.released import of_release


class Attention(NamedTuple):
    """The estimated share of people who pay attention, with its interval."""

    estimate: float
    interval: Interval


def anchors(release: Release) -> list[Variable]:
    """In the order of the definition; those that reports are about."""
    questions = [question for question, _, _ in release.counted.values() if attention.is_anchor(question)]
    return variables(questions)


def correctable(release: Release, anchor: Variable) -> list[Variable]:
    """What can be corrected by the anchor, of what reports are about."""
    every = variables([question for question, _, _ in release.counted.values()])
    return [each for each in every if attention.corrects(anchor, each) and _crossed(release, anchor.key, each.key)]


def of_anchor(release: Release, anchor: Variable, confidence: float) -> Attention:
    """From all reports about the anchor."""
    tallied, j = of_release(release.survey.slug or "", release.number, anchor.key).rows[anchor.question["right"]]
    interval, d = tallied.interval(j, confidence, "population"), len(anchor.options)
    return Attention(attention.attention(float(tallied.shares[j]), d), attention.attention_interval(interval, d))


def _crossed(release: Release, first: str, second: str) -> bool:
    try:
        requests.ordered(release, first, second)
    except Refused:
        return False
    return True
