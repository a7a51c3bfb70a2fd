"""The published document of a release: its estimates, from its totals alone."""

from django.db.models import F

from ldp.document import Document, Header
from ldp.results import document
from surveys import __version__
from surveys.models import Release, Survey

CONFIDENCE = 0.95
OTHERS = (0.9, 0.99)


def estimate(release: Release) -> None:
    """Compute and store a release's document, unless it has one."""
    pending = Release.objects.filter(pk=release.pk, document__isnull=True)
    if pending.update(attempts=F("attempts") + 1):
        pending.update(document=compose(release))


def compose(release: Release) -> Document:
    survey: Survey = release.survey
    assert survey.slug is not None, "opened"
    header: Header = {
        "survey": survey.slug,
        "title": survey.title,
        "digest": survey.digest,
        "release": release.number,
        "date": release.day.isoformat(),
        "final": release.final,
        "n": release.n,
        "totals_digest": release.digest,
        "confidence": CONFIDENCE,
        "alpha_total": survey.alpha_total,
        "software": f"deniable {__version__}",
    }
    return document(header, survey.questions, release.totals, OTHERS)
