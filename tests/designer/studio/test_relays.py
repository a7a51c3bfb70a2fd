"""The route of a survey's reports, chosen in a draft's settings on a site with relays."""

import pytest

from surveys.life.lifecycle import begin_draft
from surveys.models import AuditEntry, Survey
from tests.support.factories import DRAFT
from tests.support.life import page, press, signed_in, text

pytestmark = pytest.mark.django_db(transaction=True)

RELAY, GONE = "https://relay.example.org", "https://gone.example.org"


@pytest.fixture
def draft(settings, tmp_path):
    from django.contrib.auth.models import User  # once Django is set up

    settings.RELAYS, settings.GATEWAY_DIR = [RELAY], tmp_path / "gateway"
    ada = User.objects.create_user("ada")
    return begin_draft(ada, DRAFT), signed_in(ada)


def named(survey):
    return Survey.objects.get(pk=survey.pk).draft.get("relay")


def test_a_relay_of_the_site_is_chosen_and_taken_back(draft):
    survey, client = draft
    assert "It sees who sends something, but cannot read it." in text(page(client, survey, "alpha/"))
    for origin, stored in [(RELAY, RELAY), ("", None)]:
        assert press(client, survey, "participation/", relay=origin).status_code == 302 and named(survey) == stored
    for wrong in (GONE, f"{RELAY}/", "https://relay.example.org.evil.example"):
        assert press(client, survey, "participation/", relay=wrong).status_code == 404 and named(survey) is None
    details = AuditEntry.objects.filter(survey_number=survey.pk).values_list("detail", flat=True)
    assert {f"relay {RELAY}", "no relay"} <= set(details)


def test_where_the_site_has_no_relay_nothing_is_to_be_chosen(draft, settings):
    survey, client = draft
    settings.RELAYS = []
    assert "How reports reach this site" not in text(page(client, survey, "alpha/"))


def test_a_relay_that_the_site_has_no_more_is_said_before_it_opens_and_can_be_taken_back(draft, settings):
    survey, client = draft
    press(client, survey, "participation/", relay=RELAY)
    settings.RELAYS = []
    survey.refresh_from_db()
    assert f"Through the relay {RELAY}" in text(page(client, survey, "alpha/"))
    assert press(client, survey, "participation/", relay="").status_code == 302 and named(survey) is None
