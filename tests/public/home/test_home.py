"""What the first page says: the trial's odds, who runs the site, and the results of the demo where there are some."""

import json
import re
from datetime import date
from html import unescape

import pytest

from ldp.exact import RESOLUTION
from surveys.life.lifecycle import create_draft, open_survey
from surveys.models import Release, Survey
from surveys.public.demo.drafts import draft

pytestmark = pytest.mark.django_db


def home(client) -> str:
    return client.get("/").content.decode()


def script(page: str) -> dict:
    """What the page's script is given."""
    return json.loads(unescape(re.search(r'data-trial="([^"]*)"', page).group(1)))


def test_the_script_randomizes_by_the_table_whose_odds_the_page_says(client):
    page = home(client)
    given = script(page)
    other = (RESOLUTION - given["question"]["table"]["keep"]) / 2
    assert (given["question"]["alpha"], given["question"]["mechanism"]) == ("1", "randomized_response")
    kept, changed = round(100 - 100 * other / RESOLUTION), round(100 * other / RESOLUTION)
    assert f"{kept} reports say Yes. Of 100 who answer No, {changed} do" in page


def test_every_sentence_of_the_trial_has_the_places_that_its_script_fills(client):
    places = {
        "kept": {"answer", "report"}, "changed": {"answer", "report"}, "drawn": {"count", "yes", "no"},
        "crowd": {"yes"}, "truth": {"yes"}, "settled": {"count", "share", "low", "high", "truth"},
        "picture": {"count", "truth"},
    }  # fmt: skip
    for language in ("en", "de", "ar"):
        client.cookies["django_language"] = language
        given = script(home(client))
        assert {name: set(re.findall(r"{(\w+)}", given["words"][name])) for name in places} == places


def test_the_page_says_who_runs_the_site(client, settings):
    assert "This site does not say who runs it." in home(client)
    settings.SITE_OPERATOR, settings.SITE_CONTACT = "Statistics <Office>", "mailto:surveys@example.org"
    settings.SITE_NOTICE = "https://example.org/privacy"
    page = home(client)
    assert "This site is run by Statistics &lt;Office&gt;." in page
    assert 'href="mailto:surveys@example.org"' in page and 'href="https://example.org/privacy"' in page


def test_the_demos_results_are_offered_once_they_are_published(client):
    assert "Example results" not in home(client)
    survey = create_draft(draft("anes96"), results_public=True)
    open_survey(survey)
    Release.objects.create(survey=survey, number=1, day=date(2026, 1, 2), n=944, final=True, tallies=[], document={})
    assert f'href="/r/{survey.slug}/"' in home(client)
    Survey.objects.filter(pk=survey.pk).update(results_public=False)
    assert "Example results" not in home(client)
