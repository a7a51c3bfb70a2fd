"""A survey opens once, as it was shown and on the shown terms."""

import threading
from datetime import timedelta

import pytest
from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from surveys.life.lifecycle import DraftChanged, Terms, begin_draft, close_survey, open_survey
from surveys.models import AuditEntry, Survey, Tally
from surveys.survey import definition
from tests.support.drafts import edit
from tests.support.factories import DRAFT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database,
]


@pytest.fixture
def survey(ada):
    return begin_draft(ada, DRAFT)


def actions():
    return list(AuditEntry.objects.order_by("pk").values_list("username", "action", "detail"))


def opened_by_two(survey, tries=8):
    """Return the number of users who succeed in opening it at the same moment."""
    copies, together, opened = [Survey.objects.get(pk=survey.pk) for _ in range(tries)], threading.Barrier(tries), []

    def attempt(copy):
        try:
            together.wait(30)
            open_survey(copy)
            opened.append(copy.slug)
        except ValueError:
            pass
        finally:
            connections.close_all()

    threads = [threading.Thread(target=attempt, args=(copy,)) for copy in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert opened == [] or opened == [Survey.objects.get(pk=survey.pk).slug]
    return len(opened)


def test_of_two_designers_who_open_at_once_one_does(survey):
    assert opened_by_two(survey) == 1
    assert Tally.objects.count() == 1


def test_who_opened_what_is_in_the_log_and_a_command_needs_no_one(ada, survey):
    open_survey(survey, ada)
    assert close_survey(survey, ada) and not close_survey(survey, ada)
    assert actions() == [("ada", "created", ""), ("ada", "opened", f"digest {survey.digest}"), ("ada", "closed", "")]


def test_a_draft_that_differs_from_what_was_shown_is_not_opened(ada, survey):
    shown = definition.digest(definition.build(survey.draft))
    edit(survey.pk, lambda draft: draft.update(title="Another"))
    with pytest.raises(DraftChanged):
        open_survey(Survey.objects.get(), ada, digest=shown)
    assert Survey.objects.get().is_draft and "opened" not in [action for _name, action, _detail in actions()]
    open_survey(Survey.objects.get(), ada, digest=definition.digest(definition.build(Survey.objects.get().draft)))


def test_a_draft_that_changes_while_it_is_opened_is_not_opened(ada, survey):
    stale = Survey.objects.get()
    edit(survey.pk, lambda draft: draft.update(title="Another"))
    with pytest.raises(DraftChanged):
        open_survey(stale, ada)
    assert Survey.objects.get().is_draft and not Tally.objects.exists()


def test_the_terms_are_frozen_with_it_but_for_the_dates(ada, survey, settings):
    settings.BATCH = 50
    day = timezone.now() + timedelta(days=1)
    terms = Terms(day, day + timedelta(days=1), 900, 0.05, 70)
    open_survey(survey, ada, terms=terms)
    assert Terms.of(survey) == terms
    for change in ({"closes_after": 1}, {"closes_at_half_width": 0.5}, {"batch": 2}):
        with pytest.raises(DatabaseError, match="frozen"), transaction.atomic():
            Survey.objects.update(**change)
    Survey.objects.update(closes_at=None, opens_at=None)


def test_without_terms_those_of_the_draft_hold(ada):
    survey = begin_draft(ada, DRAFT)
    Survey.objects.update(closes_after=25)
    open_survey(Survey.objects.get(pk=survey.pk))
    assert Survey.objects.get().closes_after == 25
