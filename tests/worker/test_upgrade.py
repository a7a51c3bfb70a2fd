"""A database of the software before forms: what waits, what was counted and what was published stay what they were."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from surveys.models import Block, Release, Report, Tally
from tests.support.estimates import document_of, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import batches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def stood():
    """Everything that a migration may not change."""
    reports = sorted((str(one.id), bytes(one.packed), one.form) for one in Report.objects.all())
    releases = list(Release.objects.order_by("number").values_list("number", "n", "tallies", "digest", "document"))
    return (
        reports,
        releases,
        Tally.objects.values_list("tallies", "held").get(),
        sorted(Block.objects.values_list("n", "form")),
    )


def test_an_upgrade_keeps_reports_counts_and_releases():
    survey = opened_survey()
    store(survey, range(320))
    batches.take(survey)
    work(survey)
    store(survey, range(1000, 1040))
    before, document = stood(), document_of(survey)
    call_command("migrate", "surveys", "0011", verbosity=0)
    call_command("migrate", "surveys", verbosity=0)
    assert stood() == before and document_of(survey) == document and len(before[0]) == 40
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        Release.objects.update(tallies=[])
