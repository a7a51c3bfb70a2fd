"""The chain of a survey's waves, and their alphas and deltas together."""

from fractions import Fraction

import pytest

from surveys.life import chain
from surveys.life.lifecycle import create_draft, open_survey
from surveys.survey.definition import DraftRefused
from tests.support.drawn import drawn
from tests.support.factories import DRAFT, opened_survey
from tests.support.waves import next_draft, opened_wave

pytestmark = pytest.mark.django_db


def test_alphas_of_all_waves_add_up():
    """Three waves have alpha 4 each, and the third states an alpha of 8 before it."""
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


NOISY = {"key": "many", "kind": "histogram", "text": "?", "edges": ["0", "1", "2"], "alpha": "1", "mechanism": "osgt"}


def noisy(*deltas):
    return DRAFT | {"questions": [NOISY | {"key": f"q{i}", "delta": delta} for i, delta in enumerate(deltas)]}


def test_deltas_of_all_waves_add_up():
    """The first wave has two deltas of 1 in a million, the second one of 1 in 100,000, the third none."""
    first = opened_survey(noisy("0.000001", "0.000001"))
    assert chain.declared(first)["delta"] == "0.000002"
    second = opened_wave(first, noisy("0.00001") | {"wave_of": chain.declared(first)})
    assert second.definition["wave_of"]["delta"] == "0.000002" and chain.declared(second)["delta"] == "0.000012"
    third = opened_wave(second)
    assert chain.declared(third) == chain.declared(second) | {
        "survey": third.slug, "digest": third.digest, "alpha": "7"
    }  # fmt: skip
    assert chain.deltas_together(third.definition) == Fraction("0.000012")


def test_of_forms_the_report_with_the_largest_delta_counts():
    questions = [NOISY | {"key": "a", "delta": "0.000001"}, NOISY | {"key": "b", "delta": "0.00001"}]
    forms = [{"questions": ["a"]}, {"questions": ["b"]}]
    survey = opened_survey(drawn(DRAFT | {"questions": questions, "forms": forms}))
    assert chain.declared(survey)["delta"] == "0.00001"


@pytest.mark.parametrize("delta", [None, "0.000002"])
def test_a_survey_opens_only_with_the_deltas_of_the_waves_before(delta):
    named = chain.declared(opened_survey(noisy("0.000001")))
    named = {name: value for name, value in named.items() if name != "delta"} | ({"delta": delta} if delta else {})
    with pytest.raises(DraftRefused) as refused:
        open_survey(create_draft(DRAFT | {"wave_of": named}))
    assert [(one.field, one.code) for one in refused.value.refusals] == [("wave_of", "wave_unknown")]


def test_what_has_a_tenth_of_delta_is_not_followed(monkeypatch):
    """A sentence on beliefs would leave out too much with so large a delta."""
    monkeypatch.setattr(chain, "DELTAS_MOST", Fraction("0.000001"))
    with pytest.raises(DraftRefused):
        open_survey(create_draft(next_draft(opened_survey(noisy("0.000001")))))


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
