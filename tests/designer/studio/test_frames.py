"""Pages that may embed a survey, in the studio: typed, shown before opening, and the HTML to embed."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User

from surveys.life.lifecycle import begin_draft, open_survey
from surveys.models import Survey
from tests.support.builder import errors, form
from tests.support.factories import DRAFT
from tests.support.life import page, signed_in, text

pytestmark = pytest.mark.django_db(transaction=True)

ALLOWED, NOT_YET = "https://www.example.org", "https://intranet.example.org:8443"
WORD = f"Browsers keep the survey out of pages at {NOT_YET} until the operator of this site allows them."


@pytest.fixture
def ada(settings):
    settings.FRAME_HOSTS = [ALLOWED]
    return User.objects.create_user("ada")


@pytest.fixture
def draft(ada):
    return begin_draft(ada, DRAFT | {"title": 'Who & "what"?', "frame_hosts": [ALLOWED, NOT_YET]})


def test_what_is_frozen_is_shown_before_opening_with_those_whom_the_operator_keeps_out(ada, draft, settings):
    shown = text(page(signed_in(ada), draft, "open/"))
    assert f"Pages that may hold the survey {ALLOWED} {NOT_YET}" in shown and WORD in shown
    settings.FRAME_HOSTS = [ALLOWED, NOT_YET]
    assert "Browsers keep the survey out" not in text(page(signed_in(ada), draft, "open/"))


def test_sharing_has_the_html_of_a_frame_where_the_survey_names_its_holders(ada, draft, settings):
    settings.SITE_URL = "https://surveys.example.org"
    open_survey(draft, ada)
    response = page(signed_in(ada), draft, "share/")
    shown = text(response)
    assert (
        f"Only pages on these sites may show the survey in a frame: {ALLOWED}" in shown
        and NOT_YET in shown
        and WORD in shown
    )
    assert "No page can show the survey inside itself" not in shown
    html = unescape(re.search(r'<textarea id="frame"[^>]*>(.*?)</textarea>', response.content.decode(), re.DOTALL)[1])
    assert html == (
        f'<iframe src="https://surveys.example.org/s/#{draft.slug}" title="Who &amp; &quot;what&quot;?" width="100%" '
        'height="720" style="border: 0" referrerpolicy="origin"></iframe>'
    )


def test_sharing_has_none_where_it_names_no_one(ada):
    survey = begin_draft(ada, DRAFT)
    open_survey(survey, ada)
    shown = page(signed_in(ada), survey, "share/").content.decode()
    assert "iframe" not in shown and "No page can show the survey inside itself" in shown


def test_each_line_of_the_builder_is_an_origin(ada, draft):
    client, address = signed_in(ada), f"/surveys/{draft.pk}/texts/"
    shown = client.get(address).content.decode()
    assert f"\n{ALLOWED}\n{NOT_YET}</textarea>" in shown
    client.post(address, form(client, address) | {"frame_hosts": f" {ALLOWED} \r\n\r\nhttps://*.example.org"})
    assert Survey.objects.get(pk=draft.pk).draft["frame_hosts"] == [ALLOWED, "https://*.example.org"]
    (said,) = errors(client.get(address).content.decode(), "frame_hosts")
    assert "must be https:// with a host in lower case" in said.lower()
