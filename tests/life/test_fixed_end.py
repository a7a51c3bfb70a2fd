"""Intervals for one look are published only if no result could move the end: it was fixed before the first release and
kept. Otherwise the last release's intervals hold at every release. Every page, file and card says which (M29)."""

import csv
import io
from datetime import timedelta
from fractions import Fraction

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from ldp.inference import published
from ldp.mechanisms import randomized_response
from surveys.life.actions import set_end
from surveys.life.lifecycle import close_survey
from surveys.models import Release, Survey
from surveys.researcher.downloads import codebook
from surveys.researcher.results import cards
from tests.life.test_precision import methods
from tests.respondent.intake.test_limits import send
from tests.support.estimates import document_of, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
DRAFT = {"title": "One", "questions": [{"key": "yes", "kind": "yes_no", "text": "Yes?", "alpha": "1"}]}
DAY = timedelta(days=1)


def opened(**fields):
    return opened_survey(DRAFT, results_public=True, **fields)


def collect(survey, first=0, count=300):
    store(survey, range(first, first + count))
    work(survey)
    survey.refresh_from_db()


def ended(survey):
    """Return the methods of the last release's intervals, and the release."""
    work(survey)
    survey.refresh_from_db()
    document, release = document_of(survey), Release.objects.latest_of(survey)
    assert document["final"] and survey.state == "closed"
    return methods(document), release


def due(survey):
    """Move the end's time to now; the worker then ends the survey in its sweep."""
    Survey.objects.filter(pk=survey.pk).update(closes_at=timezone.now())
    [survey] = Survey.objects.due(timezone.now())
    close_survey(survey)
    return ended(survey)


def fill(survey, n):
    """Send reports until the survey has ended at its number."""
    assert [send(survey, seed).status_code for seed in range(1000, 1000 + n)] == [201] * n
    survey.refresh_from_db()
    assert survey.state == "closed"


def test_a_survey_that_is_ended_by_hand_after_a_release_has_intervals_for_every_release():
    survey = opened()
    collect(survey)
    close_survey(survey)
    assert ended(survey)[0] == {"sequence"}


def test_a_survey_that_is_ended_by_hand_before_any_release_has_intervals_for_one_look():
    survey = opened()
    collect(survey, count=50)
    close_survey(survey)
    assert ended(survey)[0] == {"exact"}


def test_an_end_at_a_number_of_reports_or_a_time_that_was_kept_has_intervals_for_one_look():
    survey = opened(closes_after=20)
    collect(survey)
    fill(survey, 20)
    assert ended(survey)[0] == {"exact"}
    timed = opened(closes_at=timezone.now() + DAY)
    collect(timed)
    assert due(timed)[0] == {"exact"}


def test_a_fixed_end_that_was_not_waited_for_is_none():
    survey = opened(closes_after=1000, closes_at=timezone.now() + DAY)
    collect(survey)
    close_survey(survey)
    assert ended(survey)[0] == {"sequence"}


@pytest.mark.parametrize("later", [DAY / 2, 2 * DAY])
def test_an_end_that_was_moved_after_a_release_is_not_a_fixed_one(ada, later):
    survey = opened(closes_at=timezone.now() + DAY)
    collect(survey)
    before = timezone.now().date()
    assert set_end(survey, ada, timezone.now() + later) and before <= survey.end_moved_on <= timezone.now().date()
    assert due(survey)[0] == {"sequence"}


def test_an_end_that_was_first_set_after_a_release_is_not_a_fixed_one(ada):
    survey = opened()
    collect(survey)
    set_end(survey, ada, timezone.now() + DAY)
    assert due(survey)[0] == {"sequence"}


def test_an_end_that_was_moved_before_any_release_or_to_where_it_was_is_a_fixed_one(ada):
    survey, end = opened(), timezone.now() + DAY
    collect(survey, count=50)
    set_end(survey, ada, end)
    collect(survey, 50)
    set_end(survey, ada, end)
    assert survey.end_moved_on is None and due(survey)[0] == {"exact"}


@pytest.mark.parametrize("by_hand", [True, False])
def test_every_page_file_and_card_says_which(by_hand):
    survey = opened(closes_after=20)
    collect(survey)
    if by_hand:
        close_survey(survey)
    else:
        fill(survey, 20)
    found, release = ended(survey)
    client, address = Client(), f"/r/{survey.slug}/"
    yes, no = (
        ("hold at every release", "are for one look") if by_hand else ("are for one look", "hold at every release")
    )
    card = cards.of_release(release, "en")["yes"].alternative
    page = client.get(address).content.decode()
    assert ("all at once, at every release" in card) == by_hand == ("all at once, for one look" not in card)
    assert yes in page and no not in page
    question = client.get(f"{address}{release.number}/questions/yes/").content.decode()
    assert ("for all its releases together" in question) == by_hand == ("for one look at this release" not in question)

    def rows_of(name):
        text = client.get(f"{address}{release.number}/downloads/{name}").content.decode()
        return list(csv.DictReader(io.StringIO(text, newline="")))

    assert {row["interval_method"] for row in rows_of("estimates.csv")} == found
    own = codebook.of_release(release)
    assert own["every_release"] == by_hand and own["intervals"] == codebook.INTERVALS[by_hand]
    assert {row["every_release"] for row in rows_of("shares.csv")} == {"true" if by_hand else "false"}


def test_before_the_end_by_hand_its_page_says_what_becomes_of_the_intervals(ada):
    from surveys.models import Membership, Role
    from tests.support.life import signed_in

    survey = opened()
    Membership.objects.create(survey=survey, user=ada, role=Role.OWNER)
    collect(survey)
    page = signed_in(ada).get(f"/surveys/{survey.pk}/close/").content.decode()
    assert "wider" in page and "made for one look" not in page


LOOKS = tuple(dict.fromkeys(np.cumsum([200, *[100] * 18, *[120] * 10, *[150] * 22]).tolist()))


def excluding_totals(spans, n, confidence):
    """Return the least number of one answer whose interval excludes one half."""
    low, high = n // 2, n
    while low < high:
        middle = (low + high) // 2
        if spans.interval([middle, n - middle], 0, confidence, "population").low > 0.5:
            high = middle
        else:
            low = middle + 1
    return low


@pytest.mark.alike
@pytest.mark.parametrize("alpha", [1, 4])
def test_who_ends_a_survey_at_the_first_release_that_shows_something_publishes_no_more_false_claims_than_promised(
    alpha,
):
    """There are 20,000 surveys of two equally common answers and 51 releases. Each is ended by hand at its first
    release whose interval for one look says that an answer is the more common one. With intervals for one look, more
    than a quarter would say so at their ends. At a rate of .05, more than 1,120 would for fewer than one seed in
    10,000."""
    moments = randomized_response.moments(randomized_response.table(Fraction(alpha), 2), 2)["support"]
    steps = np.diff([0, *LOOKS])
    totals = np.cumsum(np.random.default_rng(alpha).binomial(steps, 0.5, (20_000, len(LOOKS))), axis=1)
    leading = np.maximum(totals, np.array(LOOKS) - totals)
    one, every = (
        leading >= np.array([excluding_totals(published.of(moments, n, looks), n, 0.95) for n in LOOKS])
        for looks in (False, True)
    )
    assert one.any(axis=1).mean() > 0.25
    stops = np.where(one.any(axis=1), one.argmax(axis=1), len(LOOKS) - 1)
    assert every[np.arange(len(stops)), stops].sum() <= every.any(axis=1).sum() <= 1_120
