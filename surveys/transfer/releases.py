"""Check the releases of a survey: each adds at least a batch, and its document follows from its totals."""

import math
import re
from datetime import timedelta
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.utils import timezone

from ldp import results
from ldp.document import Category, Document, QuestionResult
from ldp.forms import results as in_forms
from ldp.forms.definition import forms, groups
from surveys.life import summing
from surveys.models import Commitment, Release, Survey, Tally
from surveys.models.tally import FormCount
from surveys.rules.typed import fits
from surveys.transfer import conditions
from surveys.transfer.reports import are_counts
from surveys.transfer.rules import must

HEADER = ("survey", "title", "digest", "release", "date", "final", "n", "totals_digest", "alpha_total")
INTERVALS = {"methods", "informative_n", "risk_bound", "together", "realized_alpha", "realized_delta"}
OF_FORMS = {"form", "joint", "group"}
NONCE = re.compile("[0-9a-f]{64}", re.ASCII)


def check(survey: Survey) -> None:
    releases = list(Release.objects.filter(survey=survey).order_by("number"))
    tally = Tally.objects.get(survey=survey)
    must(bool(releases) == bool(tally.n), "release", "is there where a report was counted, and only there")
    for place, release in enumerate(releases, 1):
        must(release.number == place, "release.number", "must count from 1 on")
        must(release.final == (place == len(releases)), "release.final", "must be said of the last release alone")
        _check_counts(release)
        _check_document(release)
    for before, after in pairwise(releases):
        _check_order(before, after)
    for nonce in Commitment.objects.filter(release__survey=survey).values_list("nonce", flat=True):
        must(NONCE.fullmatch(nonce), "commitment.nonce", "must be 64 digits and letters from a to f")
    if releases:
        must(releases[-1].tallies == tally.tallies, "release.tallies", "must be those of the tally in the last release")


def header(release: Release) -> dict[str, object]:
    """Return the header that every document of a release has."""
    survey = release.survey
    values = (survey.slug, survey.title, survey.digest, release.number, release.day.isoformat(), release.final)
    return dict(zip(HEADER, (*values, release.n, release.digest, survey.alpha_total), strict=True))


def says(document: Any, release: Release) -> bool:
    """Return whether a document's header is that of the release."""
    return bool(document.items() >= header(release).items())


def _check_counts(release: Release) -> None:
    counts = release.tallies
    whole = are_counts(counts, len(forms(release.survey.definition)))
    must(whole, "release.tallies", "must be n and totals of each form")
    must(sum(each["n"] for each in counts) == release.n, "release.n", "must be the sum of release.tallies")
    must(release.digest == summing.totals_digest(counts), "release.digest", "must be the SHA-256 of release.tallies")
    opening = release.survey.opened_at
    assert opening is not None, "checked"
    within = opening.date() <= release.day <= timezone.now().date() + timedelta(days=1)
    must(within, "release.day", "must be between the survey's opening and today")
    for each in counts:
        few = 0 < each["n"] < settings.RELEASE_LEAST
        must(not few, "release.tallies", f"must hold {settings.RELEASE_LEAST} reports of a form or more, or none")


def _check_order(before: Release, after: Release) -> None:
    """Raise BrokenField unless a form's reports in two releases are equal in number or differ by at least a batch. A
    form's first reports may be fewer (P11)."""
    must(before.day <= after.day and before.n < after.n, "release.n", "must grow from release to release")
    batch = after.survey.batch_size
    for one, other in zip(before.tallies, after.tallies, strict=True):
        added = other["n"] - one["n"]
        apart = added == 0 or added >= (batch if one["n"] else 1)
        must(apart, "release.tallies", f"must differ by no report of a form or by {batch} at least")
        must(_alike(one, other) or not one["n"], "release.tallies", "must have the same parts in every release")


def _alike(one: FormCount, other: FormCount) -> bool:
    return _lengths(one) == _lengths(other)


def _lengths(counts: FormCount) -> dict[str, dict[str, int]]:
    return {key: {name: len(each) for name, each in totals.items()} for key, totals in counts["totals"].items()}


# The document ---------------------------------------------------------------------------------------------------------


def _check_document(release: Release) -> None:
    document: Any = release.document
    must(
        fits(document, Document, others=True),
        "release.document",
        "must have the fields of a release's document, and their types",
    )
    must(says(document, release), "release.document", "must name its survey and its release")
    conditions.check(release, document.get("conditions", {}))
    made = _recomputed(release, document["confidence"])
    for name in ("questions", "by_group"):
        own, other = document.get(name, []), made.get(name, [])
        same = len(own) == len(other) and all(map(_estimates, own, other))
        must(same, f"release.document: {name}", "must hold the estimates of the release's totals")
    if "forms" in document:
        _check_agreement(release, document.get("agreement", []))
    counts = [each["n"] for each in document.get("forms", ())]
    must(counts in ([], [each["n"] for each in release.tallies]), "release.document: forms", "must have the forms' n")


def _check_agreement(release: Release, stated: Any) -> None:
    made = in_forms.agreement_of(release.survey.definition, release.form_tallies)
    same = [each["question"] for each in stated] == list(made) and all(
        _close(each["statistic"], None if test is None else test.statistic)
        for each, test in zip(stated, made.values(), strict=True)
    )
    must(same, "release.document: agreement", "must be that of the forms' totals")


def _close(one: float | None, other: float | None) -> bool:
    return one is other is None or (one is not None and other is not None and math.isclose(one, other, rel_tol=1e-6))


def _recomputed(release: Release, confidence: float) -> Any:
    """Return the recomputed document, with intervals of the usual confidence only."""
    ending: Any = {**header(release), "confidence": confidence, "software": ""}
    made = results.document(ending, release.counted.values())
    if groups(release.survey.definition):
        in_forms.add_groups(made, release.survey.definition, release.form_tallies, (), False)
    return made


def _estimates(own: Any, made: Any) -> bool:
    """Return whether a question's result follows from its totals. Intervals may differ between versions, so they are
    not compared."""
    if any(_exact(name, own.get(name)) != _exact(name, made[name]) for name in made.keys() - INTERVALS):
        return False
    close = math.isclose(own["realized_alpha"], made["realized_alpha"], rel_tol=1e-6)
    return close and own.keys() <= made.keys() | OF_FORMS and _methods(own) == _methods(made)


def _exact(name: str, value: Any) -> Any:
    """Return a field's value without realized alphas: floating-point numbers differ between machines."""
    if name != "asked" or not isinstance(value, list):
        return value
    return [{field: own for field, own in each.items() if field != "realized_alpha"} for each in value]


def _methods(result: QuestionResult) -> list[tuple[str, list[tuple[str, float, float]]]]:
    return [(each["method"], [_category(its) for its in each["categories"]]) for each in result["methods"]]


def _category(category: Category) -> tuple[str, float, float]:
    return category["option"], round(category["score"], 6), round(category["estimate"], 9)
