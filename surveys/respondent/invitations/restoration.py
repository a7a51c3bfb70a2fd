"""A book of invitations that is older than the database would let in again who answered since.

Every report was let in by an invitation that was used, on the disk, before its report could come. So there are never
more reports in the database than uses in the book, and where there are, an older book was put in its place. That needs
no count kept for it, and joins nothing. It does not notice as many uses as had not yet led to a report.
"""

from typing import NamedTuple

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from surveys.models import Report, ReportId, Survey
from surveys.respondent.invitations.file import UNUSED, changed, exists, opened
from surveys.survey.definition.invitations import FIELD


class Gap(NamedTuple):
    """A survey that is open, with more reports than uses; `uses` is None where the book does not know it."""

    survey: Survey
    reports: int
    uses: int | None


def gaps() -> list[Gap]:
    """What is wrong with the book that is here."""
    if not exists():
        return []
    compared = [Gap(survey, _reports(survey), _uses(survey.digest)) for survey in by_invitation()]
    return [gap for gap in compared if gap.uses is None or gap.reports > gap.uses]


def by_invitation() -> list[Survey]:
    """The open ones, of no more columns than they need: a database is checked before it has those of this version."""
    surveys = Survey.objects.filter(state=Survey.State.OPEN).only("slug", "state", "digest", "canonical")
    return [survey for survey in surveys if FIELD in survey.definition]


def forgive(survey: Survey) -> int:
    """Go on with an older book: so many people can answer once more, which is then no gap."""
    more = _reports(survey) - (_uses(survey.digest) or 0)
    if more > 0:
        with changed() as book:
            book.execute("UPDATE survey SET forgiven = forgiven + ? WHERE digest = ?", [more, survey.digest])
    return max(0, more)


def _reports(survey: Survey) -> int:
    """In one statement: a batch that is being taken is in one table or in the other."""
    waiting, counted = (
        Coalesce(Subquery(rows.values("survey").annotate(n=Count("id")).values("n")), 0)
        for rows in (model._default_manager.filter(survey=OuterRef("pk")).order_by() for model in (Report, ReportId))
    )
    return int(Survey.objects.annotate(reports=waiting + counted).values_list("reports", flat=True).get(pk=survey.pk))


def _uses(digest: str) -> int | None:
    used = "(SELECT count(*) FROM place WHERE place.digest = survey.digest AND used != ?)"
    with opened() as book:
        row = book.execute(f"SELECT forgiven + {used} FROM survey WHERE digest = ?", [UNUSED, digest]).fetchone()
    return row[0] if row else None
