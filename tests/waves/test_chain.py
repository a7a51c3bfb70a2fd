"""Which survey follows which, and what they tell together."""

import pytest

from surveys.definition import DraftRefused
from surveys.lifecycle import create_draft, open_survey
from surveys.waves import chain
from tests.support.factories import DRAFT, opened_survey
from tests.support.waves import next_draft, opened_wave

pytestmark = pytest.mark.django_db


def test_alphas_of_all_waves_add_up():
    """Three waves of 4 each: the third says that 8 were told before it."""
    first = opened_survey()
    assert first.alpha_total == "4" and chain.declared(first)["alpha"] == "4"
    second = opened_wave(first)
    assert second.definition["wave_of"]["alpha"] == "4" and chain.declared(second)["alpha"] == "8"
    third = opened_wave(second)
    assert chain.together(third.definition) == 12
    assert chain.waves(third) == [first, second, third] and chain.waves(first) == [first]


@pytest.mark.parametrize("wrong", [{"alpha": "3.9"}, {"digest": "0" * 64}, {"survey": "gone"}])
def test_a_survey_opens_only_with_the_truth_about_the_one_before(wrong):
    draft = next_draft(opened_survey())
    survey = create_draft(draft | {"wave_of": draft["wave_of"] | wrong})
    with pytest.raises(DraftRefused) as refused:
        open_survey(survey)
    assert [(one.field, one.code) for one in refused.value.refusals] == [("wave_of", "wave_unknown")]
    survey.refresh_from_db()
    assert survey.is_draft


def test_what_has_a_delta_is_not_followed():
    """The page would have to add deltas of surveys that it does not know."""
    noisy = {"key": "many", "kind": "histogram", "text": "?", "edges": ["0", "1", "2"], "alpha": "1"}
    earlier = opened_survey(DRAFT | {"questions": [noisy | {"mechanism": "osgt", "delta": "0.000001"}]})
    survey = create_draft(next_draft(earlier))
    with pytest.raises(DraftRefused):
        open_survey(survey)


def test_of_many_waves_the_last_ones_are_compared(monkeypatch):
    monkeypatch.setattr(chain, "MOST", 2)
    first = opened_survey()
    second = opened_wave(first)
    third = opened_wave(second)
    assert chain.waves(third) == [second, third]


def test_a_wave_outlives_the_one_before():
    first = opened_survey()
    second = opened_wave(first)
    first.delete()
    assert chain.waves(second) == [second]
