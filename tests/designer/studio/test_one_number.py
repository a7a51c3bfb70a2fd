"""One number for precision. A survey's pages, files and programs show the same half-width and the same interval for the
same people. They name these people: the participants of a closed group, or a population for an open link or a
sample."""

import csv
import io
import re

import pytest
from django.test import Client
from django.utils import timezone

from surveys.designer.evidence import facts
from surveys.figures.targets import usual_target
from surveys.life.lifecycle import begin_draft, open_survey
from surveys.models import Release
from surveys.public.demo import truth
from surveys.researcher.downloads import shares
from surveys.researcher.results import cards, response_cache
from tests.support.estimates import work
from tests.support.life import page, text

pytestmark = pytest.mark.django_db
N = 2000
BOTH = pytest.mark.parametrize(
    ("who", "target"),
    [
        ({"invitations": False}, "population"),
        ({"invitations": True}, "respondents"),
        ({"invitations": True, "sample": True}, "population"),
    ],
    ids=["open", "invited", "sample"],
)
WIDTH = r"(±[\d.]+)"
NAMED = {
    "population": "All widths are about a population, if the people who take part are a random sample of it",
    "respondents": "All widths are about exactly the people who take part",
}


@pytest.fixture
def survey(ada, who):
    asked = {"key": "a", "kind": "yes_no", "text": "Is it?", "alpha": "2"}
    survey = begin_draft(ada, {"title": "x", "questions": [asked]} | who)
    survey.expected_n = N
    survey.save()
    return survey


@pytest.fixture
def release(survey, ada):
    open_survey(survey, ada)
    survey.results_public = True
    survey.save()
    totals = [{"n": N, "totals": {"a": {"support": [N // 2, N // 2]}}}]
    made = Release.objects.create(survey=survey, number=1, day=timezone.now().date(), final=True, n=N, tallies=totals)
    work(survey)
    made.refresh_from_db()
    return made


def planned(client, survey, query=""):
    """Return the first half-width on each page of the studio, with the page's words."""
    pages = {
        "privacy": (f"alpha/?{query}", rf"Is it\? alpha 2 .*?{WIDTH} points"),
        "question": (f"alpha/?question=a&{query}", rf"Alpha 2 .*?{WIDTH} points with"),
        "legend": (f"alpha/?question=a&{query}", rf"With this alpha {WIDTH}"),
        "mechanism": (f"alpha/?question=a&{query}", rf"used here {WIDTH}"),
        "open": (f"open/?{query}", rf"Is it\? {WIDTH} points"),
    }
    found = {}
    for name, (address, pattern) in pages.items():
        words = text(page(client, survey, address))
        shown = re.search(pattern, words)
        found[name] = (shown[1] if shown else None, words)
    return found


@BOTH
def test_planned_widths_are_one_number_about_people_who_are_named(client, survey, target):
    assert usual_target(survey.draft) == target
    found = planned(client, survey)
    widths = {name: width for name, (width, _) in found.items()}
    widths.pop("mechanism") if widths["mechanism"] is None else None
    assert len(set(widths.values())) == 1, widths
    for _, words in found.values():
        assert NAMED[target] in words
    [question] = facts.of_survey(survey).questions
    assert question.target == target
    [width] = set(widths.values())
    assert 0 <= float(width[1:]) - 100 * question.half_width < 0.1


@BOTH
def test_the_other_people_are_a_switch_away_and_change_every_number_of_the_page(client, survey, target):
    other = {"population": "respondents", "respondents": "population"}[target]
    assert f"?target={other}" in page(client, survey, "open/").content.decode()
    switched, usual = planned(client, survey, f"target={other}"), planned(client, survey)
    for name in ("privacy", "question", "legend", "open"):
        assert (float(switched[name][0][1:]) < float(usual[name][0][1:])) == (other == "respondents"), name
        assert NAMED[other] in switched[name][1] and NAMED[target] not in switched[name][1]


@BOTH
def test_found_intervals_are_one_number_about_the_same_people(client, survey, release, target):
    document = response_cache.document(release)
    [yes, _] = document["questions"][0]["methods"][0]["categories"]
    low, high = yes[target]["simultaneous"]
    assert yes["population"]["simultaneous"] != yes["respondents"]["simultaneous"]
    [row, _] = csv.DictReader(io.StringIO(shares.csv_text(release)))
    assert (row["target"], float(row["simultaneous_low"]), float(row["simultaneous_high"])) == (target, low, high)
    [demo, _] = truth.compare(document, survey.questions, [{"a": 0}] * N, target=usual_target(survey.definition))
    assert (demo.low, demo.high) == (low, high)
    api = Client().get(f"/api/v1/surveys/{survey.slug}/releases/1/value-comparison?question=a&value=50").json()
    assert api["value_comparison"][0]["target"] == target
    results, progress = text(client.get(f"/r/{survey.slug}/")), text(page(client, survey, "progress/"))
    own = text(client.get(f"/r/{survey.slug}/1/questions/a/"))
    interval = re.search(r"([\d.]+) to ([\d.]+)", results)
    assert 0 <= 100 * low - float(interval[1]) < 1 and 0 <= float(interval[2]) - 100 * high < 1, results
    assert interval[0] in own
    [width] = re.findall(rf"Is it\? {WIDTH}", progress)
    assert abs(float(width[1:]) - 100 * (high - low) / 2) < 0.11
    whose = {"population": "The population", "respondents": "Only those who took part"}[target]
    assert whose in results
    share = {"population": "Share of the population", "respondents": "Share of the respondents"}[target]
    assert any(share in card.alternative for card in cards.of_release(release, "en").values())
