"""A survey may publish once, at its end. Readers then learn less, and the pages say so beside the choice (M49)."""

import pytest

from ldp.central.shuffled import guarantee
from surveys.figures import numerals
from surveys.life.lifecycle import Terms, close_survey, create_draft, open_survey
from surveys.models import Release
from surveys.survey.definition import DraftRefused
from tests.support.estimates import document_of, work
from tests.support.life import text
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db(transaction=True)
DRAFT = {
    "title": "Once",
    "questions": [{"key": "yes", "kind": "yes_no", "text": "Yes?", "alpha": "2"}],
}
OPERATOR = "This does not protect against the people who run this site"


def published(n, batches, **terms):
    survey = create_draft(DRAFT, results_public=True, expected_n=n, **terms)
    open_survey(survey)
    for first in range(0, n, n // batches):
        store(survey, range(first, first + n // batches), yes=0)
        work(survey)
    return survey


def bound(n):
    return f"(ε = {numerals.rounded_up(guarantee(2.0, n, 1e-6))})"


def test_nothing_is_released_before_the_end_and_all_at_it(client):
    survey = published(600, 3, publishes_once=True)
    assert not Release.objects.exists(), "six batches were taken"
    assert "publishes its results once, at its end" in text(client.get(f"/r/{survey.slug}/"))
    assert close_survey(survey)
    work(survey)
    (release,) = Release.objects.all()
    assert release.final and release.n == 600 and release.is_for_one_look
    shown = text(client.get(f"/r/{survey.slug}/"))
    assert "hidden among all 600 reports" in shown and bound(600) in shown and OPERATOR in shown
    assert document_of(survey)["n"] == 600


def test_with_releases_on_the_way_the_smallest_step_counts(client):
    survey = published(600, 3)
    assert close_survey(survey)
    work(survey)
    numbers = [row[0] for row in Release.objects.numbers(survey, 10)]
    steps = [after - before for before, after in zip([0, *numbers], numbers, strict=False)]
    assert len(steps) > 1 and min(steps) < 600
    shown = text(client.get(f"/r/{survey.slug}/"))
    assert f"{min(steps)} at the smallest step" in shown and bound(min(steps)) in shown and OPERATOR in shown


def test_it_is_frozen_at_opening():
    survey = create_draft(DRAFT)
    open_survey(survey, terms=Terms(publishes_once=True))
    assert survey.publishes_once
    survey.publishes_once = False
    with pytest.raises(Exception, match="frozen"):
        survey.save()


def test_no_survey_ends_at_a_precision_that_no_one_sees():
    with pytest.raises(DraftRefused):
        open_survey(create_draft(DRAFT), terms=Terms(publishes_once=True, closes_at_half_width=0.1))
