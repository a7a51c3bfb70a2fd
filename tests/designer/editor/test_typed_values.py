"""Values that the builder's pages never send: JSON that is no position, huge numbers, unknown keys. The draft can still
be stored, and the site does not fail."""

import pytest

from surveys.designer.editor.editors import CHARACTERS_MAX
from surveys.designer.privacy.storage import forms_mark
from surveys.drafts.normalize import normalized
from surveys.models import Survey
from tests.designer.editor.test_routing import dependent, marked, question
from tests.support.builder import begun, signed_in, url
from tests.support.drawn import drawn
from tests.support.factories import DRAFT

pytestmark = pytest.mark.django_db

LONG = "9" * 5000  # more digits than Python reads as a number
TYPED = ["1e400", "[NaN]", "-Infinity", r'"\u0000"', r'["\ud800"]', "[" * 400 + "]" * 400, '{"a": {"b": 1}}', LONG]


@pytest.mark.parametrize("typed", TYPED, ids=range(len(TYPED)))
def test_what_is_no_position_stays_the_text_that_it_was(typed):
    client, survey = signed_in(), dependent()
    sent = {"mark": marked(question(survey, "brand")), "right": typed}
    assert client.post(url(survey, "brand"), sent).status_code == 302
    assert question(survey, "brand")["right"] == typed and client.get(url(survey, "brand")).status_code == 200


@pytest.mark.parametrize("key", ["../..", "a/b", "?"])
def test_a_picture_for_a_key_that_no_question_has_is_for_one_that_is_gone(key):
    client, survey = signed_in(), begun(DRAFT)
    response = client.post(f"/surveys/{survey.pk}/pictures/", {"question": key, "remove": "file"})
    assert response.status_code == 302 and response["Location"] == url(survey)


SECTIONS = [{"title": "A", "questions": ["yes"]}, {"title": "B", "questions": ["which", "many"]}]


@pytest.mark.parametrize("action", ["duplicate", "arm", "part", "remove", "up", "down", "move"])
@pytest.mark.parametrize("name", ["0", "1", LONG])
def test_a_heading_is_no_question(action, name):
    client, survey = signed_in(), begun(DRAFT | {"sections": SECTIONS})
    for response in (client.post(url(survey), {action: name}), client.get(url(survey, name))):
        assert response.status_code == 302 and response["Location"] == url(survey)
    assert Survey.objects.get(pk=survey.pk).draft == survey.draft


def test_nothing_is_moved_before_a_heading_that_no_one_counts_to():
    client, survey = signed_in(), begun(DRAFT | {"sections": SECTIONS})
    client.post(url(survey), {"move": "many", "before": LONG})
    client.post(url(survey), {"add_section": LONG})
    assert Survey.objects.get(pk=survey.pk).draft == survey.draft


@pytest.mark.parametrize("action", ["remove_section", "section_up", "section_down"])
def test_a_section_that_no_one_counts_to_is_gone(action):
    client, survey = signed_in(), begun(DRAFT)
    response = client.post(url(survey), {action: LONG})
    assert response.status_code == 302 and response["Location"] == url(survey)


def test_a_form_that_no_one_counts_to_is_gone():
    client, survey = signed_in(), begun(drawn(DRAFT | {"forms": [{"questions": ["yes"]}, {"questions": ["which"]}]}))
    sent = {"do": "move", "key": "yes", "to": LONG, "mark": forms_mark(normalized(survey.draft))}
    assert client.post(f"/surveys/{survey.pk}/alpha/", sent).status_code == 302


def test_what_comes_in_a_field_several_times_is_as_long_as_all_of_it():
    client, survey = signed_in(), dependent()
    before, sent = survey.draft, {"mark": marked(question(survey, "brand"))}
    assert client.post(url(survey, "brand"), sent | {"asked_if": ["k" * CHARACTERS_MAX, "1"]}).status_code == 413
    assert Survey.objects.get(pk=survey.pk).draft == before
    earlier = "text=" + "x" * (CHARACTERS_MAX // 2)
    assert client.post(url(survey, "brand"), sent | {"text": "New?", "unanswered": [earlier] * 3}).status_code == 302
    assert question(survey, "brand")["text"] == "New?", "earlier sendings of a form are not stored"
