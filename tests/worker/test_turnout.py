"""While a survey runs, pages show how many people answered. The number reveals neither a report nor its time."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.life.lifecycle import close_survey
from surveys.models import Membership, Release, Role, Survey, Tally, Turnout
from tests.respondent.invitations.test_groups import survey_with, wait
from tests.support import forms
from tests.support.estimates import work
from tests.support.factories import opened_survey
from tests.support.life import page, signed_in, text
from tests.support.turnout import noticed, noticed_in_a_group, whole_groups
from tests.worker.test_batches import store
from worker import turnout

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=1)
HOUR = timedelta(hours=1)


def at(hour: int) -> datetime:
    return NOON + hour * HOUR


def shown(survey: Survey) -> int:
    return Turnout.objects.get(survey=survey).people


def seen_by(role: Role, survey: Survey) -> tuple[str, str, dict[str, object]]:
    """Return the overview, the progress and the API's answer."""
    user, _ = User.objects.get_or_create(username=role)
    Membership.objects.get_or_create(survey=survey, user=user, role=role)
    client = signed_in(user)
    document = client.get(f"/api/v1/studio/{survey.pk}").json()
    return text(page(client, survey)), text(page(client, survey, "progress/")), document


# Shown numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "least", "most"), [(19, 0, 0), (20, 20, 20), (29, 20, 20), (1234, 1210, 1230)])
def test_it_is_in_tens_from_20_on_and_never_more_than_have_answered(people, least, most):
    counts = {turnout.step(0, 20, people)[0] for _ in range(200)}
    assert min(counts) >= least and max(counts) <= most and all(count % 10 == 0 for count in counts)


def test_a_step_stands_for_one_to_nineteen_people_and_comes_at_a_place_drawn_by_lot():
    places, count = [], (0, 20)
    for people in range(20_000):
        if (following := turnout.step(*count, people))[0] > count[0]:
            places.append(people)
        count = following
    assert {b - a for a, b in pairwise(places)} <= set(range(1, 20))
    assert places[0] == 20 and {place % 10 for place in places} == set(range(10))


def test_reports_that_wait_are_held_back_or_are_counted_are_people():
    survey = opened_survey()
    store(survey, range(250))
    work(survey)
    store(survey, range(250, 275))
    turnout.count(at(0))
    assert Release.objects.get(survey=survey).n == 150 and 250 < shown(survey) <= 270


def test_it_is_renewed_on_the_hour_and_everyone_sees_the_stored_number():
    survey = opened_survey()
    store(survey, range(20))
    turnout.count(at(0) + timedelta(minutes=3))
    store(survey, range(20, 90))
    turnout.count(at(0) + timedelta(minutes=59))
    for role in Role:
        overview, progress, document = seen_by(role, survey)
        assert "at least 20 people counted at" in overview and "at least 20 people counted at" in progress
        assert (document["answered"], document["answered_at"]) == (20, f"{at(0):%Y-%m-%dT%H:%M:%SZ}")
    turnout.count(at(1))
    assert 70 <= shown(survey) <= 90


def test_a_survey_by_invitation_is_counted_once_a_day(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    survey = survey_with(30, 30)
    turnout.count(at(0))
    wait(survey, 0, 60)
    turnout.count(at(11))
    assert shown(survey) <= 60, "still the same day (UTC)"
    turnout.count(at(12))
    assert shown(survey) >= 70


def test_a_group_of_fewer_than_20_is_not_among_them(settings, tmp_path):
    """Group membership may be known, so a small group's count stays as secret as its results at the end."""
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    survey = survey_with(60, 19)
    turnout.count(at(0))
    assert 20 <= shown(survey) <= 41
    wait(survey, 1, 1)
    assert turnout.people(Tally.objects.get(survey=survey)) == 42, "the 20th person of a group adds one"


def test_of_small_groups_it_says_what_is_left_out(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    survey = survey_with(28, 28)
    turnout.count(at(0))
    overview, _, document = seen_by(Role.OWNER, survey)
    assert "fewer than 20 people beyond the first 19 of each group counted at" in overview and document["answered"] == 0


def test_where_a_release_must_have_more_the_first_step_is_there(settings):
    settings.RELEASE_LEAST = 45
    survey = opened_survey()
    store(survey, range(49))
    turnout.count(at(0))
    assert "fewer than 50 people counted at" in seen_by(Role.OWNER, survey)[0]
    store(survey, range(49, 50))
    turnout.count(at(1))
    assert shown(survey) == 50


def test_people_of_all_forms_are_among_them():
    """No form has enough reports for a release yet."""
    survey = opened_survey(forms.DRAFT)
    store(survey, range(60))
    turnout.count(at(0))
    assert 50 <= shown(survey) <= 60 and not Release.objects.exists()


def test_before_20_people_it_says_fewer_than_20_and_the_end_takes_it_away():
    survey = opened_survey()
    store(survey, range(19))
    turnout.count(at(0))
    overview, _, document = seen_by(Role.OWNER, survey)
    assert "fewer than 20 people counted at" in overview and document["answered"] == 0
    close_survey(survey)
    assert "counted at" not in seen_by(Role.OWNER, survey)[0]
    turnout.count(at(1))
    assert not Turnout.objects.exists()


def test_nothing_is_counted_before_a_survey_begins():
    survey = opened_survey(opens_at=at(5))
    turnout.count(at(0))
    assert not Turnout.objects.filter(survey=survey).exists()


def test_a_release_says_more_than_a_step_does():
    """A step may wait for 19 more people; a release that everyone has read does not."""
    survey = opened_survey()
    store(survey, range(200))
    turnout.count(at(0))
    store(survey, range(200, 300))
    work(survey)
    turnout.count(at(1))
    assert shown(survey) >= Release.objects.get(survey=survey).n


def test_by_the_evening_is_what_the_last_day_brought_an_hour(monkeypatch):
    survey = opened_survey()
    Turnout.objects.create(survey=survey, hour=at(0), counts=[40, 60, 80, 100], turning=115)
    monkeypatch.setattr("django.utils.timezone.now", lambda: at(0) + timedelta(minutes=20))
    assert "by this evening about 260" in seen_by(Role.VIEWER, survey)[0]
    monkeypatch.setattr("django.utils.timezone.now", lambda: at(8))
    assert "by this evening" not in seen_by(Role.VIEWER, survey)[0]


def test_hours_in_which_no_worker_ran_show_the_count_before():
    survey = opened_survey()
    store(survey, range(20))
    turnout.count(at(0))
    turnout.count(at(3))
    assert Turnout.objects.get(survey=survey).counts[-4:] == [20, 20, 20, 20]


# Observers ------------------------------------------------------------------------------------------------------------


def test_an_observer_who_reads_each_hours_count_reads_no_report():
    """Contents change by a batch or not at all. They do not depend on the count, and the count reveals none of them."""
    counts = []
    for answer in (0, 1):
        survey = opened_survey(results_public=True)
        looks = []
        for hour in range(30):
            store(survey, range(11 * hour, 11 * hour + 11), yes=answer)
            work(survey)
            turnout.count(at(hour))
            answered = Client().get(f"/api/v1/surveys/{survey.slug}/estimates")
            looks.append((shown(survey), answered.json()["n"] if answered.status_code == 200 else 0))
        assert len({people for people, _ in looks}) > 15, "the count goes on"
        assert all(b - a == 0 or b - a >= 100 for (_, a), (_, b) in pairwise(looks))
        assert all(11 * hour - 8 <= people <= 11 * hour + 11 for hour, (people, _) in enumerate(looks) if people)
        counts.append(looks[-1][1])
    assert counts[0] == counts[1], "as many are released, whatever they say"


def test_an_observer_who_knows_all_reports_but_one_seldom_sees_that_one_come():
    """At a full ten, nine reports of the observer's own are enough. A release takes 199, and then repeats the count."""
    assert noticed(1, 9)[0] == 1
    assert noticed(10, 0)[0] < 0.12 and noticed(10, 9)[0] < 0.22 and noticed(10, 50)[0] < 0.55


@pytest.mark.parametrize("place", [19, 20, 21, 50])
def test_an_observer_who_knows_all_of_a_group_but_one_sees_that_one_come_no_more_often(place):
    """The 20th of a group is seen no more often than any other person, though the group is first published then."""
    assert noticed_in_a_group(turnout.beyond, place) < 0.12
    assert place != 20 or noticed_in_a_group(whole_groups, place) == 1


def test_what_is_stored_has_no_order_and_no_time_but_full_hours_of_a_day():
    survey = opened_survey()
    for hour in range(40):
        store(survey, range(hour, hour + 1))
        turnout.count(at(hour) + timedelta(minutes=17))
    stored = Turnout.objects.get(survey=survey)
    assert stored.hour == at(39) and len(stored.counts) == 24
    assert set(stored.counts) <= {0, 20, 30, 40}
