"""Changes of a stored draft."""

import pytest
from django.contrib.auth.models import User

from surveys.drafts import Changed, NotDraft, mark
from surveys.life.lifecycle import begin_draft, open_survey
from tests.support.drafts import edit
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return begin_draft(User.objects.create_user("ada"), DRAFT)


def test_a_change_is_applied_to_what_stands_there(survey):
    edit(survey.pk, lambda draft: draft.update(title=" Sleep "))
    edit(survey.pk, lambda draft: draft["questions"].pop())
    survey.refresh_from_db()
    assert (survey.title, survey.draft["title"], len(survey.draft["questions"])) == ("Sleep", " Sleep ", 2)


def test_a_change_that_is_refused_stores_nothing(survey):
    def refused(draft):
        draft["title"] = "Other"
        raise Changed

    with pytest.raises(Changed):
        edit(survey.pk, refused)
    survey.refresh_from_db()
    assert survey.draft == DRAFT


def test_what_was_opened_is_edited_no_more(survey):
    open_survey(survey)
    with pytest.raises(NotDraft):
        edit(survey.pk, lambda draft: draft.update(title="Other"))


def test_a_mark_tells_what_differs_and_not_how_it_is_ordered():
    assert mark({"a": 1, "b": 2}) == mark({"b": 2, "a": 1}) != mark({"a": 1, "b": 3})
