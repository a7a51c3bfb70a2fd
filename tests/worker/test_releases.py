"""Published results change from release to release only, and by at least a batch (P11)."""

import datetime
import json
import threading
from itertools import pairwise

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client
from django.utils import timezone

from ldp import kinds
from ldp.inference.estimates import TARGETS
from surveys.life.lifecycle import close_survey
from surveys.models import Release, Report, ReportId, Survey, Tally
from tests.support.estimates import collect, document_of, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store, totals_by_hand
from worker import batches, releases, tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
DAY = datetime.date(2030, 1, 31)


def released(survey):
    return list(Release.objects.filter(survey=survey).order_by("number").values_list("number", "n", "final"))


# Times ----------------------------------------------------------------------------------------------------------------


def test_the_first_release_comes_when_a_batch_is_there_beside_the_one_held_back():
    survey = opened_survey()
    collect(survey, 199)
    assert released(survey) == []
    collect(survey, 101)
    assert released(survey) == [(1, 200, False)]


def test_a_release_holds_a_batch_and_a_twentieth_more_than_the_one_before():
    survey = opened_survey()
    collect(survey, 4100, 100, 100, 100)
    assert released(survey) == [(1, 4000, False), (2, 4200, False)]


def test_the_last_release_differs_by_a_batch_however_few_came_at_the_end():
    survey = opened_survey()
    collect(survey, 300, 1)
    close_survey(survey)
    work(survey)
    assert released(survey) == [(1, 200, False), (2, 301, True)]


def test_a_small_survey_has_one_release_at_its_end():
    survey = opened_survey()
    collect(survey, 20)
    assert released(survey) == []
    close_survey(survey)
    work(survey)
    assert released(survey) == [(1, 20, True)]
    work(survey)
    assert released(survey) == [(1, 20, True)] and not tasks.unfinished().exists()


def test_nothing_is_final_while_a_report_waits():
    survey = opened_survey()
    store(survey, range(5))
    close_survey(survey)
    assert releases.release(survey, DAY) is None


@pytest.mark.alike
@pytest.mark.slow
def test_two_looks_differ_by_no_report_or_by_a_batch():
    survey = opened_survey(results_public=True)
    looks = []
    for _ in range(60):
        collect(survey, 17)
        answer = Client().get(f"/api/v1/surveys/{survey.slug}/estimates")
        looks.append(answer.json()["n"] if answer.status_code == 200 else 0)
    close_survey(survey)
    work(survey)
    looks.append(document_of(survey)["n"])
    steps = {later - earlier for earlier, later in pairwise(looks)}
    assert looks[-1] == 60 * 17 and len(steps) > 2 and all(step == 0 or step >= 100 for step in steps)


# Contents -------------------------------------------------------------------------------------------------------------


def test_a_release_is_the_estimate_of_its_totals():
    survey, before = opened_survey(), timezone.now().date()
    bodies = store(survey, range(150), yes=1)
    close_survey(survey)
    work(survey)
    release, document = Release.objects.get(), document_of(survey)
    counted = [{"n": 150, "totals": totals_by_hand(bodies)}]
    assert release.tallies == counted and before <= release.day <= timezone.now().date()
    assert release.digest == releases.totals_digest(counted) == document["totals_digest"]
    assert (document["release"], document["n"], document["final"], document["digest"]) == (1, 150, True, survey.digest)
    assert document["date"] == release.day.isoformat() and document["alpha_total"] == survey.alpha_total
    for question, published in zip(survey.questions, document["questions"], strict=True):
        for confidence in (0.9, 0.95, 0.99):
            [expected] = kinds.of(question).results(*release.counted[question["key"]], [confidence])
            shown = at_confidence(published, confidence)
            assert {name: shown[name] for name in expected} == json.loads(json.dumps(expected))


def at_confidence(result, confidence):
    """Return a published result with the intervals of only one of its confidences."""
    result = json.loads(json.dumps(result))
    for method in result["methods"]:
        for category in method["categories"]:
            for target in TARGETS:
                levels = {level.pop("confidence"): level for level in category[target].pop("levels")}
                assert list(levels) == [0.9, 0.99]
                category[target] |= levels.get(confidence, {})
    return result


def test_no_release_ever_changes():
    survey = opened_survey()
    collect(survey, 300)
    for change in ({"n": 7}, {"document": {}}, {"day": DAY}, {"final": True}, {"tallies": []}):
        with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
            Release.objects.update(**change)


def test_estimates_are_computed_once():
    survey = opened_survey()
    collect(survey, 300)
    release = Release.objects.get()
    tasks.estimate(release.pk)
    assert (Release.objects.get().document, Release.objects.get().attempts) == (release.document, 1)


def test_old_releases_stay_at_their_own_addresses():
    survey = opened_survey(results_public=True)
    collect(survey, 300)
    first = Client().get(f"/r/{survey.slug}/1/").content
    api = f"/api/v1/surveys/{survey.slug}"
    old = Client().get(f"{api}/releases/1/estimates").content
    assert Client().get(f"{api}/estimates").content == old
    collect(survey, 300)
    assert Client().get(f"{api}/releases/1/estimates").content == old != Client().get(f"{api}/estimates").content
    assert Client().get(f"{api}/releases/1/estimates.csv").status_code == 200
    assert b"Release 1" in first and b"Release 2" in Client().get(f"/r/{survey.slug}/").content
    assert Client().get(f"/r/{survey.slug}/1/plots/yes-light-wide.svg").status_code == 200
    for unknown in (f"/r/{survey.slug}/3/", f"/r/{survey.slug}/0/", f"{api}/releases/3/estimates"):
        assert Client().get(unknown).status_code == 404


# The end --------------------------------------------------------------------------------------------------------------


def test_the_final_release_waits_for_a_report_that_found_the_survey_open():
    survey = opened_survey()
    store(survey, range(25))
    if connection.vendor != "postgresql":
        close_survey(survey)
        assert releases.drain(survey)
        return
    inserted, commit = threading.Event(), threading.Event()

    def late():
        try:
            with transaction.atomic():
                store(survey, [99])
                inserted.set()
                commit.wait(30)
        finally:
            connections.close_all()

    thread = threading.Thread(target=late)
    thread.start()
    inserted.wait(30)
    close_survey(survey)
    tasks.process(survey.pk)
    assert released(survey) == [] and not ReportId.objects.exists(), "it is still on its way"
    commit.set()
    thread.join(30)
    tasks.process(survey.pk)
    assert released(survey) == [(1, 26, True)]


def test_a_copy_of_a_taken_report_does_not_hold_up_the_end():
    """A retry's insert waited until its report was counted, and no other report came after it."""
    survey = opened_survey()
    collect(survey, 300)
    store(survey, range(10_000 * survey.pk, 10_000 * survey.pk + 5))
    close_survey(survey)
    work(survey)
    assert released(survey) == [(1, 200, False), (2, 300, True)]
    assert not Report.objects.exists() and not tasks.unfinished().exists()
    assert Tally.objects.get(survey=survey).traces, "in the files the copies stand beside their ids"


def test_anyone_who_saw_the_survey_open_releases_nothing_after_its_end(monkeypatch):
    """An ended survey's reports are taken in two batches. A release between them would differ from the last by one."""
    monkeypatch.setattr(batches, "MOST", 300)
    survey = opened_survey()
    store(survey, range(301))
    before = Survey.objects.get(pk=survey.pk)
    close_survey(survey)
    assert batches.take(survey) == 300
    assert releases.release(before, DAY) is None
    work(survey)
    assert released(survey) == [(1, 301, True)]
