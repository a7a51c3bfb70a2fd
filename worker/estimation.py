"""The published document of a release: its estimates, computed from its totals alone."""

from collections.abc import Mapping, Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from ldp import results
from ldp.confidences import OTHERS, USUAL
from ldp.document import ConditionTally, Document, Header, Retention
from ldp.forms import results as in_forms
from ldp.forms.definition import groups
from ldp.inference.variables import Variable
from ldp.microdata import MicrodataTable
from ldp.planning import survey_efficiency
from ldp.regression.condition_scores import scores_of
from surveys import __version__
from surveys.life.lifecycle import close_survey
from surveys.models import Export, Release, Survey
from surveys.researcher.analyses.frame.reports import forms_about
from surveys.researcher.results import precision
from surveys.survey.definition import alphas_of_forms
from worker.job_expiry import Abandoned
from worker.released_reports import ReleasedReports


def estimate(release: Release) -> None:
    """Compute and store a release's document, unless it has one, and close a survey that has reached its precision.

    One transaction does both. After a crash between the two the survey would stay open.
    """
    pending = Release.objects.filter(pk=release.pk, document__isnull=True)
    if not pending.update(attempts=F("attempts") + 1):
        return
    document = compose(release)
    with transaction.atomic():
        stored = pending.update(document=document)
        if stored and precision.is_reached(release.survey, document):
            close_survey(release.survey, by_its_reports=True)
    # After the commit a concurrent publication either sees the release, or is seen here.
    if stored:
        _ask_for_files(release)


def _ask_for_files(release: Release) -> None:
    """Request the files of a new release if they are public, or the survey keeps them."""
    wished = Survey.objects.filter(Q(microdata_public=True) | Q(keeps_files=True), pk=release.survey_id)
    for keeps in wished.values_list("keeps_files", flat=True):
        Export.ask(release=release)
        Export.objects.filter(release=release).update(kept=keeps)


def compose(release: Release) -> Document:
    survey: Survey = release.survey
    every_look = not release.is_for_one_look
    document = results.document(header(release), release.counted.values(), OTHERS, every_look)
    document["efficiency"] = survey_efficiency.document(survey.definition, release.counted.values(), release.n)
    if "forms" in survey.definition:
        _add_forms(document, release)
    if not every_look and (tallies := _conditions(release)):
        document["conditions"] = tallies
    if groups(survey.definition):
        in_forms.add_groups(document, survey.definition, release.form_tallies, OTHERS, every_look)
    return document


def _add_forms(document: Document, release: Release) -> None:
    definition, tallies = release.survey.definition, release.form_tallies
    retention: Sequence[Retention | None] = [None] * len(tallies)
    if release.final:
        counts, every_look = [tally.n for tally in tallies], not release.is_for_one_look
        retention = in_forms.stayed(definition, counts, settings.RELEASE_LEAST, every_look)
    in_forms.add_forms(document, definition, tallies, alphas_of_forms(definition), retention)


def _conditions(release: Release) -> dict[str, ConditionTally]:
    """Return the scores that show who was asked, for questions on which several answers decide, if reports show it.
    Their intervals are for one look, so only the last release has them, and no later release has its blocks."""
    questions = release.counted_questions
    scores = {each["key"]: own for each in questions if (own := scores_of(questions, each))}
    variables: dict[int, list[Variable]] = {}
    by_form: dict[int, list[str]] = {}
    for key, each in scores.items():
        for form in forms_about(release, each.variables):
            variables.setdefault(form, []).extend(each.variables)
            by_form.setdefault(form, []).append(key)

    def add(form: int, tables: Mapping[str, MicrodataTable]) -> None:
        for key in by_form[form]:
            scores[key].add(tables)

    if variables:
        try:
            ReleasedReports(release).read(variables, add)
        except Abandoned:
            return {}
    return {key: tally for key, each in scores.items() if (tally := each.tally()) is not None}


def header(release: Release) -> Header:
    """Return the facts about a release that precede its estimates."""
    survey: Survey = release.survey
    assert survey.slug is not None, "opened"
    return {
        "survey": survey.slug,
        "title": survey.title,
        "digest": survey.digest,
        "release": release.number,
        "date": release.day.isoformat(),
        "final": release.final,
        "n": release.n,
        "totals_digest": release.digest,
        "confidence": USUAL,
        "alpha_total": survey.alpha_total,
        "software": f"deniable {__version__}",
    }
