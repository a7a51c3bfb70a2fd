"""The crossing of two questions of one draw, from its tally alone: as exact as a share if one option is listed."""

import numpy as np
import pytest

from ldp import crossing
from ldp.confidences import CONFIDENCES
from ldp.forms import definition as definitions
from ldp.forms import report, results
from ldp.forms.crossed import cells
from ldp.forms.joint_crossing import independence
from ldp.forms.results import FormTally
from ldp.inference import crossed, intervals
from ldp.inference.variables import NotCrossed, pair_of
from surveys.survey import definition as drafts
from tests.support import forms

DEFINITION = drafts.build(forms.DRAFT)
QUESTIONS = report.alone(DEFINITION)
COUNTS = [210, 160, 150, 90, 110, 80]
"""How many reports have each pair of answers to "drugs" and "age"."""


def crossing_of(counts=COUNTS, names=("drugs", "age")):
    region = {"support": [sum(counts), 0, 0]}
    tallies = [FormTally(sum(counts), (region, {"support": list(counts)})), FormTally(0, ()), FormTally(0, ())]
    return results.crossing(DEFINITION, tallies, *pair_of(QUESTIONS, *names))


def test_every_cell_has_the_estimate_and_the_exact_interval_of_a_share():
    found = crossing_of()
    assert definitions.is_joint(DEFINITION["forms"][0]) and found.n == 800 and found.shape == (2, 3)
    table, alone = found.pair.cells, found.intervals(0.95)
    assert table.exclusive and table.totals == COUNTS
    for j in range(6):
        assert found.joint.ravel()[j] == table.shares[j]
        assert tuple(alone.reshape(6, 2)[j]) == intervals.exact(COUNTS[j], 800, table.moments, 0.95, "population")
    assert found.joint.sum() == pytest.approx(1)
    assert found.joint.sum(axis=1) == pytest.approx(found.margins[0][0])
    assert found.joint.sum(axis=0) == pytest.approx(found.margins[1][0])


def test_the_counts_are_those_of_the_reports():
    found = crossing_of()
    assert found.counts.tolist() == [[800, 300, 270, 230], [520, *COUNTS[:3]], [280, *COUNTS[3:]]]


def test_shares_within_a_group_have_the_interval_of_their_quotient():
    found = crossing_of([3000, 1600, 1500, 900, 1100, 800])
    assert not found.too_small[0].any()
    within = found.within_first_intervals(0.95)
    for j in range(2):
        for k in range(3):
            assert tuple(within[j, k]) == found.pair.quotient(j, k, 0.95)
            assert within[j, k, 0] <= np.clip(found.within_first()[j, k], 0, 1) <= within[j, k, 1]


def test_of_a_group_that_is_too_small_nothing_is_said():
    found = crossing_of([150, 140, 160, 40, 38, 42])
    small = found.too_small[0]
    assert small.tolist() == [False, True] and (found.within_first_intervals(0.95)[small] == (0, 1)).all()
    document = crossing.document({"n": 800}, found)
    assert [category["subgroup"] for category in document["first"]["categories"]] == [True, False]
    assert [cell["within_first"] is None for cell in document["cells"]] == [False] * 3 + [True] * 3


def test_turned_it_says_the_same_of_the_other_question():
    found, turned, asked = crossing_of(), crossing_of().turned(), crossing_of(names=("age", "drugs"))
    for other in (turned, asked):
        assert other.shape == (3, 2) and (other.counts == found.counts.T).all() and (other.joint == found.joint.T).all()
        assert (other.intervals(0.9) == found.intervals(0.9).swapaxes(0, 1)).all()
        assert other.independence() == pytest.approx(found.independence())


def test_the_document_says_that_one_draw_decides_and_tests_the_table_as_a_whole():
    found = crossing_of()
    document = crossing.document({"n": 1600}, found)
    assert document["joint"] and document["forms"] == [0] and document["n_about"] == 800 and document["together"] == 6
    assert document["independence"] == independence(found.pair)._asdict()
    assert all(cell["p_value"] is cell["corrected"] is None and cell["direction"] == 0 for cell in document["cells"])
    for place, confidence in enumerate(CONFIDENCES):
        assert document["cells"][0]["joint"]["levels"][place]["interval"] == found.intervals(confidence)[0, 0].tolist()
    header = dict.fromkeys(("survey", "release", "date", "totals_digest"), "") | {"n": 1600}
    found = crossing_of([3000, 1600, 1500, 900, 1100, 800])
    assert len(list(crossing.rows(crossing.document(header, found)))) == 6 * 3 * 3


def test_cells_for_a_notebook_are_made_of_it_too():
    rows = cells(crossing_of(), 0.95)
    assert len(rows) == 6 and {row["first"] for row in rows} == {"drugs"}
    assert sum(row["estimate"] for row in rows) == pytest.approx(1)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """All cells hold at once in fewer than .92 of 400 surveys once in 10^5 runs, if the true chance is .95."""
    truth, found = np.array([[0.30, 0.05, 0.15], [0.02, 0.33, 0.15]]), crossing_of()
    rng, at_once = np.random.default_rng(7), intervals.bonferroni(0.95, 6)
    lam = float(found.pair.lam)
    held = 0
    for _ in range(400):
        counts = rng.multinomial(1500, (lam * truth + (1 - lam) / 6).ravel())
        ends = crossing_of(counts.tolist()).intervals(at_once)
        held += bool(((ends[..., 0] <= truth) & (truth <= ends[..., 1])).all())
    assert held / 400 >= 0.92


def test_two_questions_of_different_forms_are_refused_and_one_for_everyone_is_not():
    with pytest.raises(NotCrossed, match="no one was asked both"):
        pair_of(QUESTIONS, "drugs", "doctor")
    for other in ("drugs", "doctor", "age"):
        pair = pair_of(QUESTIONS, "region", other)
        assert results.crossing(DEFINITION, [], *pair) is None
    assert results.crossing(DEFINITION, [], *pair_of(QUESTIONS, "health", "doctor")) is None


def test_the_reports_of_one_draw_are_never_crossed_as_if_their_noise_were_independent():
    found = crossing_of()
    with pytest.raises(ValueError, match="share one draw"):
        crossed.Crossing(found.first, found.second, found.counts)
