"""A trial run shows the results page that invented respondents would give, form by form."""

import re
from html import unescape

import pytest
from django.urls import reverse

from ldp.forms import report
from ldp.forms import results as in_forms
from ldp.forms.joint_crossing import JointCrossing
from ldp.inference.variables import pair_of
from ldp.planning import trial as trials
from surveys.figures import numerals
from surveys.life.lifecycle import open_survey
from surveys.survey.definition import build
from tests.support.alpha import UNFINISHED, begun, get, words
from tests.support.form_cases import DRAFT, FOR_EVERYONE
from tests.support.vectors import EVERY_KIND

pytestmark = pytest.mark.django_db


def trial(client, survey, **query):
    response = client.get(reverse("survey-try", args=[survey.pk]), {"seed": "1"} | query)
    assert response.status_code == 200
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


@pytest.mark.parametrize("draft", [DRAFT, EVERY_KIND], ids=["forms", "everyone"])
def test_it_shows_what_ldp_estimates_of_invented_people(client, ada, draft):
    survey = begun(ada, draft["questions"], n=900)
    survey.draft = draft
    survey.save()
    definition = build(draft)
    n = min(900, trials.affordable_survey(definition))
    page = trial(client, survey, seed="7")
    text = words(page)
    assert f"Trial with {n:,} invented people: no result of a survey" in text
    run = trials.run(definition, n, 7)
    found = in_forms.of_survey(definition, run.tallies, 0.95)
    routed = {question["key"] for question in definition["questions"] if "asked_if" in question}
    for result in found:
        estimates = result["methods"][0]["categories"]
        if result["kind"] != "mean" and result["key"] not in routed:  # these are about the people who are asked
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
    assert one == again != other and 'href="?seed=4#trial"' in one
    nonsense, none = (
        page.partition('<footer class="site">')[0]
        for page in (trial(client, survey, seed="nonsense"), trial(client, survey))
    )
    assert nonsense == none != ""


def test_a_draft_that_cannot_be_opened_says_so_and_leads_to_what_is_missing(client, ada):
    survey = begun(ada, UNFINISHED)
    text = words(trial(client, survey))
    assert "Some questions are not complete yet, or have no alpha" in text and "invented people:" not in text
    plot = reverse("survey-trial-plot", args=[survey.pk, "yes", "light", "wide"])
    assert client.get(plot).status_code == 404


def test_an_opened_survey_has_one_too_and_the_page_about_protection_leads_there(client, ada):
    survey = begun(ada)
    assert f"{reverse('survey-try', args=[survey.pk])}?seed=1#trial" in get(client, survey)
    open_survey(survey)
    assert "no result of a survey" in words(trial(client, survey))


def test_strangers_see_none(client, ada, django_user_model):
    survey = begun(ada)
    client.force_login(django_user_model.objects.create_user("eve"))
    assert client.get(reverse("survey-try", args=[survey.pk])).status_code == 404


# The cross-table, and links onward ------------------------------------------------------------------------------------


@pytest.fixture
def in_forms_of_it(ada):
    survey = begun(ada, DRAFT["questions"], n=900)
    survey.draft = FOR_EVERYONE
    survey.save()
    return survey


def test_it_crosses_two_questions_that_are_randomized_together(client, in_forms_of_it):
    definition = build(FOR_EVERYONE)
    one, other = pair_of(report.alone(definition), "drugs", "often")
    crossing = trials.run(definition, 900, 7, (one, other)).crossing
    assert isinstance(crossing, JointCrossing)
    text = words(trial(client, in_forms_of_it, seed="7"))
    assert f"{crossing.n} of the invented people were asked both." in text
    assert "Cross-table: Ever? × How often?" in text
    for cell in crossing.joint.ravel():
        assert numerals.share(cell, 0) in text or numerals.share(cell, 1) in text


def test_a_wished_pair_comes_first_in_either_order_and_stays_wished(client, in_forms_of_it):
    definition = build(FOR_EVERYONE)
    crossing = trials.run(definition, 900, 1, pair_of(report.alone(definition), "region", "health")).crossing
    for wish in ({"first": "region", "second": "health"}, {"first": "health", "second": "region"}):
        page = trial(client, in_forms_of_it, **wish)
        assert "Cross-table: Here? × Health?" in words(page)
        assert f"{crossing.n} of the invented people were asked both." in words(page)
        query = f"first={wish['first']}&amp;second={wish['second']}"
        assert f"/open/?{query}" in page
    page = trial(client, in_forms_of_it, first="drugs", second="health")
    assert "Cross-table: Ever? × How often?" in words(page), "the wished one stands in two forms"


def test_no_table_counts_people_who_are_not_asked(client, in_forms_of_it):
    in_forms_of_it.draft = DRAFT
    in_forms_of_it.save()
    assert "Cross-table" not in words(trial(client, in_forms_of_it, first="drugs", second="often"))


def test_it_leads_on(client, ada):
    survey = begun(ada)
    page = trial(client, survey)
    assert f'class="button quiet" href="{reverse("survey-open", args=[survey.pk])}"' in page
    assert "Cross-table" not in words(page)
    open_survey(survey)
    assert reverse("survey-open", args=[survey.pk]) not in trial(client, survey)
