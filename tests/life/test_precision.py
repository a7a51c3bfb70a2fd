"""A survey ends by itself at the release whose intervals are all as narrow as wished. Its results stay valid."""

import math
from datetime import timedelta

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from ldp import mechanisms
from ldp.inference import published
from ldp.planning.stopping import reports_needed
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import GROWTH, AuditEntry, Release, Survey
from surveys.researcher.results import precision
from tests.support.estimates import document_of, work
from tests.worker.test_batches import store
from worker import estimation, tasks

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database,
]

DRAFT = {
    "title": "Narrow enough",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Yes?", "alpha": "4"},
        {"key": "mean", "kind": "mean", "text": "How much?", "alpha": "2", "low": 0, "high": 50},
    ],
}
WISHED = 0.1


def opened(wished):
    survey = create_draft(DRAFT, closes_at_half_width=wished)
    open_survey(survey)
    return survey


def collect(survey, first, count):
    answers = {"yes": 0, "mean": "20"}
    store(survey, range(first, first + count), **answers)
    work(survey)
    survey.refresh_from_db()


def test_it_ends_at_the_first_release_that_is_narrow_enough_and_not_before():
    survey, seen = opened(WISHED), 0
    while survey.state == "open":
        assert seen < 4000
        collect(survey, 1000 * seen, 100)
        seen += 100
    open_ones = Release.objects.filter(final=False).order_by("number")
    found = [max(precision.by_question(survey.questions, release.document).values()) for release in open_ones]
    assert len(found) > 2 and all(width > WISHED for width in found[:-1]) and found[-1] <= WISHED
    work(survey)
    document = document_of(survey)
    assert (document["final"], document["n"]) == (True, seen), "with the batch that was held back"
    assert max(precision.by_question(survey.questions, document).values()) <= WISHED
    expected = max(reports_needed(question, WISHED, 0.95) for question in survey.questions)
    assert 0.8 * expected < open_ones.last().n < 1.2 * expected + 100
    assert not AuditEntry.objects.exists(), "nobody did it"
    assert f"{survey.closed_at:%H:%M:%S.%f}" == "00:00:00.000000", "not the time of the last report"


def test_it_goes_on_while_one_question_is_wider():
    survey = opened(WISHED)
    collect(survey, 0, 400)
    document = document_of(survey)
    found = precision.by_question(survey.questions, document)
    assert survey.state == "open" and not precision.is_reached(survey, document)
    assert found["yes"] <= WISHED < found["mean"] < 0.2


def test_a_survey_without_a_precision_never_ends_by_one_and_has_intervals_for_one_look_at_its_end():
    """While the survey is open, people may look again and again (M29). Its end is a time that was fixed beforehand."""
    survey = create_draft(DRAFT, closes_at=timezone.now() + timedelta(days=1))
    open_survey(survey)
    collect(survey, 0, 3000)
    assert survey.state == "open"
    assert methods(document_of(survey)) == {"sequence"}
    Survey.objects.update(closes_at=timezone.now())
    survey.refresh_from_db()
    close_survey(survey)
    work(survey)
    assert document_of(survey)["final"] and "sequence" not in methods(document_of(survey))


def test_its_intervals_hold_at_every_release_and_the_page_says_so():
    survey = opened(WISHED)
    Survey.objects.update(results_public=True)
    collect(survey, 0, 300)
    assert methods(document_of(survey)) == {"sequence"}
    page = Client().get(f"/r/{survey.slug}/").content.decode()
    assert "hold at every release" in page and "made for one look" not in page
    collect(survey, 10_000, 3000)
    assert survey.state == "closed"
    work(survey)
    assert methods(document_of(survey)) == {"sequence"} and document_of(survey)["final"]


def methods(document):
    return {
        category[target]["interval_method"]
        for question in document["questions"]
        for category in question["methods"][0]["categories"]
        for target in ("population", "respondents")
    }


def test_a_worker_that_dies_before_the_end_leaves_the_estimates_to_the_next_one(monkeypatch):
    survey = opened(WISHED)

    def die(survey, by_its_reports):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="killed"):
        patch.setattr(estimation, "close_survey", die)
        collect(survey, 0, 3000)
    assert Release.objects.get().document is None and Survey.objects.get().state == "open"
    tasks.estimate(Release.objects.get().pk)
    assert Survey.objects.get().state == "closed"


def test_it_can_be_closed_by_hand_at_the_moment_in_which_it_is_narrow_enough(monkeypatch):
    ada, survey = User.objects.create_user("ada"), opened(WISHED)
    real = estimation.compose

    def after_somebody_closed_it(release):

        assert close_survey(Survey.objects.get(), ada)
        return real(release)

    monkeypatch.setattr(estimation, "compose", after_somebody_closed_it)
    collect(survey, 0, 3000)
    assert survey.state == "closed" and AuditEntry.objects.count() == 1


@pytest.mark.alike
def test_whenever_it_ends_its_intervals_have_held_all_along():
    """There are 600 surveys of one question. Each ends at the first release that is narrow enough, even by luck. With
    coverage exactly .95, fewer than 546 hold for 2e-5 of all seeds. The real coverage is .98 and more."""
    survey = opened(0.05)
    randomizer, generator, share = mechanisms.of(survey.questions[0]), np.random.default_rng(29), 0.03
    _, moments = randomizer.default()
    chance = float(moments.b) + float(moments.gap) * share
    held = 0
    for _ in range(600):
        total = n = 0
        while True:
            grown = max(200 if not n else 100, math.ceil(n / GROWTH))
            total, n = total + int(generator.binomial(grown, chance)), n + grown
            spans = published.of(moments, n, every_look=True)
            together = [spans.interval([total, n - total], j, 0.975, "population") for j in (0, 1)]
            estimate = min(max((total / n - float(moments.b)) / float(moments.gap), 0), 1)
            if max(estimate - together[0].low, together[0].high - estimate) <= survey.closes_at_half_width:
                break
        held += together[0].low <= share <= together[0].high and together[1].low <= 1 - share <= together[1].high
    assert held >= 546
