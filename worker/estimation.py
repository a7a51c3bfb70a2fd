"""The published document of a release: its estimates, from its totals alone."""

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from ldp import results
from ldp.confidences import OTHERS, USUAL
from ldp.document import Document, Header, Retention
from ldp.forms import results as in_forms
from ldp.forms.definition import groups
from ldp.planning import survey_efficiency
from surveys import __version__
from surveys.life.lifecycle import close_survey
from surveys.models import Export, Release, Survey
from surveys.researcher.results import widths
from surveys.survey.definition import alphas_of_forms


def estimate(release: Release) -> None:
    """Compute and store a release's document, unless it has one, and with it end a survey that ends at its precision.

    Both or neither: a precision that was reached and not acted upon would be forgotten.
    """
    pending = Release.objects.filter(pk=release.pk, document__isnull=True)
    if not pending.update(attempts=F("attempts") + 1):
        return
    document = compose(release)
    with transaction.atomic():
        stored = pending.update(document=document)
        if stored and widths.reached(release.survey, document):
            close_survey(release.survey, by_its_reports=True)
    # After the commit: a concurrent publication sees the release then, or is seen here.
    if stored:
        _ask_for_files(release)


def _ask_for_files(release: Release) -> None:
    """Make the files of a release with it where they are public, or the survey keeps them."""
    wished = Survey.objects.filter(Q(microdata_public=True) | Q(keeps_files=True), pk=release.survey_id)
    for keeps in wished.values_list("keeps_files", flat=True):
        Export.ask(release=release)
        Export.objects.filter(release=release).update(kept=keeps)


def compose(release: Release) -> Document:
    survey: Survey = release.survey
    every_look = not release.is_for_one_look
    document = results.document(header(release), release.counted.values(), OTHERS, every_look)
    document["efficiency"] = survey_efficiency.document(survey.definition, release.form_tallies)
    if "forms" in survey.definition:
        _add_forms(document, release)
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


def header(release: Release) -> Header:
    """The facts of a release before any estimate."""
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
