"""P11: an observer who sees all pages of any role learns no single report and no report's time."""

import json
import time
from itertools import pairwise

import pytest

from tests.services.system import EmbeddedSystem
from tests.support import observation, observer
from tests.support.journeys import published, request

BATCH = 12
OPTIONS = 12  # a larger survey takes longer to draw and changes no sooner
PAUSE = 0.12  # seconds between two reports
ROUND = 1.0  # seconds between two looks of a role at the next few URLs; at important moments it looks at all
SHORT, FORMS = observation.draft(OPTIONS), observation.in_forms(OPTIONS, 4)

pytestmark = [pytest.mark.system, pytest.mark.slow]


@pytest.fixture(scope="module", params=["embedded", "production"])
def system(request):
    """Yield the system; production's is the one that all modules of this folder share."""
    own = request.param == "embedded"
    running = EmbeddedSystem(**observer.settings(BATCH)) if own else request.getfixturevalue("fragile")[0]
    running.eventually(lambda: ask(running, "/status")[0] == 200, "the schedule runs")
    yield running
    if own:
        running.stop()


# Both pairs share the code that decides when to release and who sees it. The last test checks what only the embedded
# pair would show.
DAILY_ON_ONE = pytest.mark.parametrize(
    "system", [pytest.param("embedded", marks=pytest.mark.long), "production"], indirect=True
)


def ask(system, path):
    return request(f"{system.url}{path}")


def watch(system, survey, count, pause=PAUSE, roles=observer.ROLES, exactly=(), around=(), draft=SHORT):
    """Return what the observer saw while reports came one by one and the survey was closed, and the releases.

    After each number in `exactly`, the next report waits until the worker has taken the batch and released what it can.
    After each number in `around` and its batch's release, the observer looks at everything. The observer also looks at
    the end and, for 0, at the beginning. If two looks lie between the same releases, the second look would show what
    came meanwhile.
    """
    with observer.Observer(system, survey.slug, observation.keys(draft), roles, ROUND) as eyes:
        if 0 in around:
            eyes.look_around()
        for k in range(count):
            survey.send(k)
            time.sleep(pause)
            if k + 1 in exactly:
                system.eventually(lambda n=k + 1: taken(system, survey) == (n, 0), "the batch is taken")
            if k + 1 in around:
                if exactly:
                    published(system, survey.slug, lambda document, n=k + 1: document["n"] > n - 2 * BATCH)
                eyes.look_around()
        time.sleep(2)  # shows the effects of the last reports: a sweep and a snapshot of the figures
        state = system.query(f"SELECT state FROM surveys_survey WHERE slug = '{survey.slug}'")
        if state == [("open",)]:
            system.manage("survey", "close", "--", survey.slug)
        published(system, survey.slug, lambda document: document["final"])
        eyes.look_around()
    assert eyes.failures == []
    return eyes, releases(system, survey)


COUNT = """
from datetime import UTC, datetime, timedelta
from worker import turnout
turnout.count(datetime(2100, 1, 1, tzinfo=UTC) + timedelta(hours={hour}))
"""


def taken(system, survey):
    """Return how many reports were taken, and how many of the worker's tries have failed or not ended."""
    of_survey = f"(SELECT id FROM surveys_survey WHERE slug = '{survey.slug}')"
    attempts = f"SELECT attempts FROM surveys_tally WHERE survey_id = {of_survey}"
    return system.query(f"SELECT count(*), ({attempts}) FROM surveys_reportid WHERE survey_id = {of_survey}")[0]


def releases(system, survey):
    """Return (number, n, final) of each release, from its permanent URL."""
    found = []
    while (answer := ask(system, f"/api/v1/surveys/{survey.slug}/releases/{len(found) + 1}/estimates"))[0] == 200:
        document = json.loads(answer[2])
        found.append((document["release"], document["n"], document["final"]))
    return found


def refuse_single_reports(eyes, survey, released, batch=BATCH):
    """Check that answers change only with releases, and that any two releases differ by at least a batch."""
    assert observer.changed_between_releases(eyes.seen) == []
    counts = [n for _, n, _ in released]
    seen = observer.documents(eyes.seen["visitor", "GET", f"/api/v1/surveys/{survey.slug}/estimates"])
    assert {document.document["n"] for document in seen} <= set(counts)
    assert min(observer.steps(seen)) >= batch, observer.steps(seen)
    assert all(b - a >= batch for a, b in pairwise([0, *counts])), counts


PROGRESS = {"viewer": 200, "owner": 200, "superuser": 200, "account": 404, "visitor": 302}


@DAILY_ON_ONE
def test_no_one_sees_a_single_report(system, tmp_path):
    survey, roles, started = observation.Single(system, tmp_path, draft=SHORT), observer.ROLES, time.time()
    exactly = range(BATCH, 5 * BATCH + 1, BATCH)
    around = (2 * BATCH + 1, 3 * BATCH - 2)  # between the first two releases: a batch is held back
    eyes, released = watch(system, survey, 5 * BATCH + 7, exactly=exactly, around=around, roles=roles)
    refuse_single_reports(eyes, survey, released)
    assert released[-1] == (len(released), 5 * BATCH + 7, True) and len(released) >= 3, released
    assert len(eyes.seen) > 30 * len(roles), "each address"
    assert all(len(looks) > 1 for looks in eyes.seen.values()), "more than once"
    ((pk,),) = system.query(f"SELECT id FROM surveys_survey WHERE slug = '{survey.slug}'")
    counts = int(time.time() // 3600 - started // 3600)
    for role in PROGRESS.keys() & set(roles):
        looks = eyes.seen[role, "GET", f"/surveys/{pk}/progress/"]
        status, bodies = PROGRESS[role], {look.answer.body for look in looks}
        assert {look.answer.status for look in looks} == {status}, role
        most = len(released) + 2 + counts  # the end, each release, and each full hour
        assert status != 200 or 1 < len(bodies) <= most, role


def test_who_reads_the_count_each_hour_ties_no_report_to_it(system, tmp_path):
    """Each report is alone in its hour, which is the worst case. The count reveals one hour in ten."""
    survey, count = observation.Single(system, tmp_path, draft=SHORT), 3 * BATCH
    ((pk,),) = system.query(f"SELECT id FROM surveys_survey WHERE slug = '{survey.slug}'")
    with observer.Observer(system, survey.slug, observation.keys(SHORT), ("visitor", "viewer"), ROUND) as eyes:
        for hour in range(count):
            survey.send(hour)
            system.manage("shell", "-c", COUNT.format(hour=hour))
        published(system, survey.slug, lambda document: document["n"] >= BATCH)
        system.manage("shell", "-c", COUNT.format(hour=count))
        eyes.look_around()
    assert eyes.failures == [] and observer.changed_between_releases(eyes.seen) == []
    shown = [observer.turnouts(eyes.seen["viewer", "GET", f"/surveys/{pk}/{page}"]) for page in ("", "progress/")]
    assert all(set(numbers) <= {0, 20, 30} and numbers[-1] >= 20 for numbers in shown), shown
    assert observer.turnouts(eyes.seen["visitor", "GET", f"/surveys/{pk}/"]) == [], "who has no role sees none"
    seen = observer.documents(eyes.seen["visitor", "GET", f"/api/v1/surveys/{survey.slug}/estimates"])
    assert min(observer.steps(seen)) >= BATCH, "contents move by batches"


@DAILY_ON_ONE
def test_the_end_of_a_survey_with_a_few_reports_more_shows_at_least_a_batch(system, tmp_path):
    """The survey has two batches and three reports. Without the batch held back, the last three would show alone."""
    survey = observation.Single(system, tmp_path, draft=SHORT)
    eyes, released = watch(system, survey, 2 * BATCH + 3, roles=("visitor", "superuser"), exactly=(BATCH, 2 * BATCH))
    refuse_single_reports(eyes, survey, released)
    assert released == [(1, BATCH, False), (2, 2 * BATCH + 3, True)]


@DAILY_ON_ONE
def test_a_survey_that_closes_by_itself_shows_at_least_a_batch(system, tmp_path):
    count = 2 * BATCH + 1
    survey = observation.Single(system, tmp_path, "--closes-after", str(count), draft=SHORT)
    eyes, released = watch(system, survey, count, roles=("visitor", "designer"), exactly=(BATCH, 2 * BATCH))
    refuse_single_reports(eyes, survey, released)
    assert released == [(1, BATCH, False), (2, count, True)]
    ((closed_at,),) = system.query(f"SELECT closed_at FROM surveys_survey WHERE slug = '{survey.slug}'")
    assert "00:00:00" in str(closed_at), "not the time of the last report"


@DAILY_ON_ONE
def test_a_large_survey_is_released_when_it_has_grown_by_a_twentieth(system, tmp_path):
    """Above 240 reports, a twentieth is more than the batch of 12."""
    survey = observation.Single(system, tmp_path, draft=SHORT)
    survey.send_many(300)
    published(system, survey.slug, lambda document: document["n"] > 240)
    eyes, released = watch(system, survey, 5 * BATCH, pause=0.05, roles=("visitor", "superuser"))
    refuse_single_reports(eyes, survey, released)
    open_ones = [n for _, n, final in released if not final]
    assert all(b - a >= a / 20 for a, b in pairwise(open_ones)), released
    assert released[-1][1] == 300 + 5 * BATCH


@DAILY_ON_ONE
def test_no_one_sees_a_single_report_of_a_form(system, tmp_path):
    """Each number of one of the four overlapping forms changes by a batch of the form's reports, or not at all."""
    survey = observation.Single(system, tmp_path, draft=FORMS)
    survey.send_many(16 * BATCH)
    published(system, survey.slug, lambda document: document["n"] >= 4 * BATCH)
    eyes, _released = watch(system, survey, 8 * BATCH, pause=0.05, roles=("visitor", "superuser"), draft=FORMS)
    assert observer.changed_between_releases(eyes.seen) == []
    seen = observer.documents(eyes.seen["visitor", "GET", f"/api/v1/surveys/{survey.slug}/estimates"])
    steps = observer.steps_by_question(seen)
    assert set(steps) == set(observation.keys(FORMS)) and seen[-1].document["n"] == 24 * BATCH
    assert all(step == 0 or step >= BATCH for own in steps.values() for step in own), steps


def test_a_survey_without_a_batch_shows_nothing_before_its_end(systems, tmp_path):
    """The embedded pair's batch is larger. The observer looks at everything before the first report and after the
    last."""
    system, count = systems("embedded"), 21
    survey = observation.Single(system, tmp_path, draft=SHORT)
    eyes, released = watch(system, survey, count, roles=("visitor", "superuser"), around=(0, count))
    assert observer.changed_between_releases(eyes.seen) == []
    assert released == [(1, count, True)]
