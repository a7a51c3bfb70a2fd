"""The database itself enforces the rules of a survey's life."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Survey
from surveys.survey.definition import DraftRefused
from tests.support.factories import DRAFT, opened_survey

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.mark.parametrize("column", ["title", "slug", "canonical", "digest"])
def test_what_is_frozen_cannot_be_changed_even_in_sql(column):
    survey = opened_survey()
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE surveys_survey SET {column} = 'x' WHERE id = %s", [survey.pk])


@pytest.mark.parametrize(("before", "after"), [("open", "draft"), ("closed", "open"), ("closed", "draft")])
def test_a_survey_never_goes_back(before, after):
    survey = opened_survey()
    if before == "closed":
        assert close_survey(survey)
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(state=after)


def test_a_draft_cannot_be_closed():
    survey = create_draft(DRAFT)
    assert not close_survey(survey)
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(state="closed")


def test_what_is_not_frozen_can_be_changed():
    survey = opened_survey()
    Survey.objects.filter(pk=survey.pk).update(results_public=True, closes_at=timezone.now())
    assert close_survey(survey) and not close_survey(survey)


def test_a_survey_is_opened_once():
    survey = create_draft(DRAFT)
    again = Survey.objects.get(pk=survey.pk)
    open_survey(survey)
    with pytest.raises(ValueError, match="only a draft"):
        open_survey(again)
    assert Survey.objects.get(pk=survey.pk).slug == survey.slug


def test_a_draft_that_could_not_be_opened_is_not_stored():
    with pytest.raises(DraftRefused):
        create_draft({"title": "x", "questions": []})
    assert not Survey.objects.exists()


def test_slugs_are_unguessable():
    slugs = {opened_survey().slug for _ in range(20)}
    assert len(slugs) == 20 and all(len(slug) == 27 for slug in slugs)


def test_drafts_are_not_published():
    survey = create_draft(DRAFT)
    Survey.objects.filter(pk=survey.pk).update(slug="abc")
    with pytest.raises(Survey.DoesNotExist):
        Survey.objects.published("abc")


def test_a_survey_is_due_at_its_closing_time():
    now = timezone.now()
    due = opened_survey(closes_at=now - timedelta(seconds=1))
    opened_survey(closes_at=now + timedelta(hours=1))
    opened_survey()
    assert list(Survey.objects.due(now)) == [due]


def test_a_report_keeps_no_address_agent_account_time_or_serial_number():
    """P6: the tables have these columns and no others; the key is the browser's random id."""
    columns = {"surveys_report": {"survey_id", "id", "form", "packed"}, "surveys_reportid": {"survey_id", "id"}}
    for table, expected in columns.items():
        with connection.cursor() as cursor:
            described = {column.name for column in connection.introspection.get_table_description(cursor, table)}
            assert described == expected
            if connection.vendor == "sqlite":
                cursor.execute("SELECT sql FROM sqlite_master WHERE name = %s", [table])
                assert cursor.fetchone()[0].endswith("WITHOUT ROWID"), "a row number would tell the order of arrival"


def test_a_survey_may_ask_for_larger_batches_than_the_sites_and_never_for_smaller_ones(settings):
    settings.BATCH = 50
    assert [opened_survey(batch=asked).batch for asked in (None, 10, 80)] == [50, 50, 80]


def test_the_size_of_batches_is_frozen_at_opening():
    survey = opened_survey()
    with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
        Survey.objects.filter(pk=survey.pk).update(batch=2)
