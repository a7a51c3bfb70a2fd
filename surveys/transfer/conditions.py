"""Check a release's document on questions with several conditions (M34e)."""

from collections.abc import Sequence
from itertools import pairwise

from ldp.document import ConditionTally
from ldp.regression.condition_scores import ConditionScores, scores_of
from surveys.models import Release
from surveys.researcher.analyses.frame.reports import forms_about
from surveys.transfer.rules import must

NEAR = 1e-9  # a fraction of the largest score: other machines may compute slightly different numbers


def check(release: Release, stated: dict[str, ConditionTally]) -> None:
    """Raise BrokenField unless reports can have these scores. `stated` has them by question key."""
    field = "release.document: conditions"
    must(not stated or release.is_for_one_look, field, "must be of the last release alone, if it is for one look")
    questions = release.counted_questions
    scores = {each["key"]: own for each in questions if each["key"] in stated and (own := scores_of(questions, each))}
    must(stated.keys() <= scores.keys(), field, "must be of questions that several answers decide on")
    for key, tally in stated.items():
        _check_tally(tally, scores[key], sum(release.tallies[form]["n"] for form in _forms(release, scores[key])))


def _forms(release: Release, scores: ConditionScores) -> list[int]:
    return forms_about(release, scores.variables)


def _check_tally(tally: ConditionTally, scores: ConditionScores, n: int) -> None:
    field, (low, high) = "release.document: conditions", scores.ends
    near = NEAR * max(1.0, abs(low), abs(high))
    (least, most), own = _pair(tally["ends"]), tally["scores"]
    same = low - near <= least <= low + near and high - near <= most <= high + near
    must(same, f"{field}: ends", "must be the least and the largest possible score")
    inside = bool(own) and all(low - near <= score <= high + near for score in own)
    must(inside, f"{field}: scores", "must be between the ends")
    must(all(one < other for one, other in pairwise(own)), f"{field}: scores", "must increase")
    counts = tally["counts"]
    must(len(counts) == len(own) and min(counts) >= 1, f"{field}: counts", "must be one or more for each score")
    all_count = all(variable.place is None for variable in scores.variables)
    whole = sum(counts) == n if all_count else sum(counts) <= n
    must(whole, f"{field}: counts", "must add up to the reports about all deciding questions")


def _pair(ends: Sequence[float]) -> Sequence[float]:
    must(len(ends) == 2, "release.document: conditions: ends", "must be two numbers")
    return ends
