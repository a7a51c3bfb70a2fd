"""A trial run of the whole survey: the results page that invented people would give, form by form."""

import re
from html import unescape

import pytest
from django.urls import reverse

from ldp.forms import results as in_forms
from ldp.planning import survey_trial
from surveys.definition import build
from surveys.figures import numerals
from surveys.lifecycle import open_survey
from tests.support.alpha import UNFINISHED, begun, get, words
from tests.support.form_cases import DRAFT
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db


def trial(client, survey, **query):
    response = client.get(reverse("survey-trial", args=[survey.pk]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("draft", [DRAFT, EVERY_KIND], ids=["forms", "everybody"])
def test_it_shows_what_ldp_estimates_of_invented_people(client, ada, draft):
    survey = begun(ada, draft["questions"], n=900)
    survey.draft = draft
    survey.save()
    definition = build(draft)
    n = min(900, survey_trial.affordable(definition))
    page = trial(client, survey, seed="7")
    text = words(page)
    assert f"Trial with {n:,} invented people: no result of a survey" in text
    run = survey_trial.run(definition, n, 7)
    found = in_forms.of_survey(definition, run.tallies, 0.95)
    for result in found:
        estimates = result["methods"][0]["categories"]
        if result["kind"] != "mean":
            decimals = numerals.decimals_of(result["methods"][0])
            for category in estimates:
                assert f'<td role="cell" class="share">{numerals.share(category["estimate"], decimals)}</td>' in page
    for place, tally in enumerate(run.tallies, 1):
        assert ("forms" not in definition) or f"Form {place}: {tally.n} people" in text
    inside, every = map(int, re.search(r"(\d+) of (\d+) intervals hold the truth", text).groups())
    assert 0.9 * every < inside <= every and every > len(found)
    plots = set(re.findall(r'srcset="([^"]+)"', page))
    assert len(plots) == 3 * len(found)
    picture = client.get(unescape(sorted(plots)[0]))
    assert picture["Content-Type"] == "image/svg+xml" and picture.content.startswith(b"<?xml")


def test_other_people_come_from_another_seed_and_the_same_address_shows_the_same(client, ada):
    survey = begun(ada)
    one, again, other = (trial(client, survey, seed=seed) for seed in ("3", "3", "4"))
    assert one == again != other and 'href="?seed=4"' in one
    assert trial(client, survey, seed="nonsense") == trial(client, survey)


def test_a_draft_that_cannot_be_opened_says_so_and_leads_to_what_is_missing(client, ada):
    survey = begun(ada, UNFINISHED)
    text = words(trial(client, survey))
    assert "Some questions are not complete yet, or have no alpha" in text and "invented people:" not in text
    plot = reverse("survey-trial-plot", args=[survey.pk, "yes", "light", "wide"])
    assert client.get(plot).status_code == 404


def test_an_opened_survey_has_one_too_and_the_page_about_privacy_leads_there(client, ada):
    survey = begun(ada)
    assert reverse("survey-trial", args=[survey.pk]) in get(client, survey)
    open_survey(survey)
    assert "no result of a survey" in words(trial(client, survey))


def test_strangers_see_none(client, ada, django_user_model):
    survey = begun(ada)
    client.force_login(django_user_model.objects.create_user("eve"))
    assert client.get(reverse("survey-trial", args=[survey.pk])).status_code == 404
