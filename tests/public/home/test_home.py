"""The first page: the trial's odds, the site's operator, and the demo's results if there are any."""

import json
import re
from datetime import date
from fractions import Fraction
from html import unescape

import pytest

from ldp.exact import RESOLUTION
from ldp.kinds.protocol import Size
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.design import Brief, BriefQuestion
from ldp.planning.design_needs import people
from surveys.figures import numerals
from surveys.life.lifecycle import create_draft, open_survey
from surveys.models import Release, Survey
from surveys.public.demo.drafts import draft

pytestmark = pytest.mark.django_db


def home(client) -> str:
    return client.get("/").content.decode()


def script(page: str) -> dict:
    """Return the data of the page's script."""
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


# Number of people -----------------------------------------------------------------------------------------------------


def answered(client, query="") -> str:
    page = client.get(f"/{query}").content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", page.partition('id="people"')[2].partition("</section>")[0]).split())


@pytest.mark.parametrize(("questions", "points", "total"), [(1, 10, "2"), (5, 5, "1"), (20, 10, "2")])
def test_the_first_page_says_how_many_people_the_planner_needs(client, questions, points, total):
    asked = PlannedQuestion("yes_no", Size(2))
    listed = tuple(BriefQuestion(f"q{number}", asked) for number in range(questions))
    needed = people(Brief(listed, Fraction(total), 1000), points / 100)
    text = answered(client, f"?questions={questions}&points={points}&total={total}")
    assert f"{numerals.count_up(needed)} people" in text and "about a population" in text


def test_without_numbers_it_answers_for_five_questions(client):
    assert answered(client) == answered(client, "?questions=5&points=10&total=2")


@pytest.mark.parametrize("wrong", ["questions=0", "questions=51", "questions=many", "points=0", "points=50", "total=3"])
def test_a_number_that_cannot_be_is_refused_beside_its_field_and_stays_typed(client, wrong):
    page = client.get(f"/?{wrong}").content.decode()
    name, value = wrong.split("=")
    assert f'id="{name}-error"' in page and "each asked some" not in page
    assert name == "total" or f'autocomplete="off" value="{value}" aria-invalid="true"' in page


def test_the_limits_name_the_biggest_first(client):
    assert "cannot protect against:</strong> a site that serves you manipulated code" in home(client)
