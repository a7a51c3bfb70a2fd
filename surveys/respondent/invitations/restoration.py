"""Detection of a book of invitations that is older than the database, with which people could answer twice.

The use of an invitation is on the disk before its report can come. So the database never has more reports than the book
has uses, unless an older book was restored. This needs no stored count and links nothing. However, uses without a
report yet can hide an equal number of lost uses.
"""

from typing import NamedTuple

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from surveys.models import Report, ReportId, Survey
from surveys.respondent.invitations.file import UNUSED, changed, exists, opened
from surveys.survey.definition.invitations import FIELD


class Gap(NamedTuple):
    """An open survey with more reports than uses. `uses` is None if the book lacks the survey."""

    survey: Survey
    reports: int
    uses: int | None


def gaps() -> list[Gap]:
    """Return the gaps between this machine's book and the database."""
    if not exists():
        return []
    compared = [Gap(survey, _reports(survey), _uses(survey.digest)) for survey in by_invitation()]
    return [gap for gap in compared if gap.uses is None or gap.reports > gap.uses]


def by_invitation() -> list[Survey]:
    """Return the open surveys by invitation, with few columns: the check runs before migrations."""
    surveys = Survey.objects.filter(state=Survey.State.OPEN).only("slug", "state", "digest", "canonical")
    return [survey for survey in surveys if FIELD in survey.definition]


def forgive(survey: Survey) -> int:
    """Accept an older book. Return how many people can answer once more; they are no gap any more."""
    more = _reports(survey) - (_uses(survey.digest) or 0)
    if more > 0:
        with changed() as book:
            book.execute("UPDATE survey SET forgiven = forgiven + ? WHERE digest = ?", [more, survey.digest])
    return max(0, more)


def _reports(survey: Survey) -> int:
    """Return the number of reports, by one statement: a batch that is being taken is in one of the tables."""
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
