"""Subgroups of a release: shares equal those of crossings, from one reading, with joint intervals."""

import pytest

from ldp.forms import results
from ldp.inference import intervals
from ldp.inference.variables import pair_of
from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from tests.support.analyses import DRAFT, asked, crossed, subgrouped
from tests.support.regressions import SCALE, ended
from tests.worker.test_regression import FORMS, given

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def found(survey, stratum):
    row = subgrouped(survey, stratum)
    assert row.state == AnalysisRun.State.READY, row.reason
    return {question["key"]: question for question in row.document["questions"]}, row.document


@pytest.mark.alike
@pytest.mark.parametrize("stratum", ["smokes", "often"])
def test_the_shares_are_those_of_the_crossings(stratum):
    survey = ended(600)
    questions, document = found(survey, stratum)
    assert list(questions) == [key for key in ("smokes", "often", "where", "age", "height") if key != stratum]
    sizes = {"smokes": 2, "often": 3, "where": 3, "age": 3, "height": 1}
    assert document["together"] == sizes[stratum] * sum(sizes[key] for key in questions)
    for key, question in questions.items():
        if key == "height":  # a mean is in no cross-table
            continue
        pair = sorted((stratum, key), key=["smokes", "often", "where", "age"].index)
        crossing = crossed(survey, *pair).document
        sides = [crossing["first"], crossing["second"]]
        groups, answers = sides if pair[0] == stratum else sides[::-1]
        quantity = "within_first" if pair[0] == stratum else "within_second"
        cells = {(cell["first"], cell["second"]): cell[quantity] for cell in crossing["cells"]}
        assert question["n_about"] == crossing["n_about"] == 600 and not question["joint"]
        for share, answer in zip(question["shares"], answers["categories"], strict=True):
            assert share["estimate"] == pytest.approx(answer["estimate"], abs=1e-12)
            for within, group in zip(share["within"], groups["categories"], strict=True):
                names = (group["option"], share["option"])
                other = cells[names if pair[0] == stratum else names[::-1]]
                assert (within is None) == (other is None)
                if other is not None:
                    assert within["estimate"] == pytest.approx(other["estimate"], abs=1e-12)
                    assert [*map(wide, within["simultaneous"])] >= [
                        wide(level["simultaneous"]) for level in other["levels"]
                    ], "more intervals at once are wider"


def wide(interval):
    return interval[1] - interval[0]


def test_a_mean_by_one_bit_is_there_and_one_by_noise_is_left_out_and_said_to_be():
    noisy = [one | ({"mechanism": "laplace_mean"} if one["kind"] == "mean" else {}) for one in SCALE["questions"]]
    for draft, left in ((SCALE, []), (SCALE | {"questions": noisy}, ["height"])):
        questions, document = found(ended(300, draft), "where")
        assert [(each["key"], each["reason"]) for each in document["left_out"]] == [(key, "noise") for key in left]
        assert ("height" in questions) is not bool(left)


def test_of_a_multiple_choice_each_option_has_one_share():
    survey = ended(300, DRAFT, lambda i: {"smokes": i % 2, "often": i % 4, "many": [i % 2 > 0, True]})
    questions, document = found(survey, "smokes")
    assert [*questions] == ["often", "many.1", "many.2", "age"] and document["together"] == 2 * (4 + 1 + 1 + 1)
    assert [share["option"] for share in questions["many.1"]["shares"]] == ["applies"]


def test_in_forms_a_joint_one_gives_its_counts_and_others_their_reports():
    survey = ended(900, FORMS, given)
    questions, document = found(survey, "all")
    release, many = Release.objects.latest_of(survey), document["together"]
    assert [*questions] == ["yes", "which", "other"] and not any(each["joint"] for each in questions.values())
    by_form = [tally["n"] for tally in release.tallies]
    assert [each["n_about"] for each in questions.values()] == [by_form[0], by_form[0], by_form[1]]
    questions, document = found(survey, "yes")
    assert [*questions] == ["which", "all"] and [each["joint"] for each in questions.values()] == [True, False]
    assert document["left_out"] == [{"key": "other", "text": "Other?", "reason": "forms"}]
    joint = results.crossing(survey.definition, release.form_tallies, *pair_of(survey.questions, "yes", "which"))
    many = document["together"]
    exact = joint.within_first_intervals(intervals.bonferroni(0.95, many)).tolist()
    place = document["confidences"].index(0.95)
    for k, share in enumerate(questions["which"]["shares"]):
        assert [each["simultaneous"][place] for each in share["within"]] == [exact[s][k] for s in range(2)]


def test_a_group_that_is_too_small_has_no_shares_but_a_number_that_would_do():
    questions, _ = found(
        ended(300, SCALE | {"questions": [one | {"alpha": "1"} for one in SCALE["questions"]]}), "where"
    )
    small = [each for question in questions.values() for each in question["strata"] if not each["subgroup"]]
    assert small and all(each["needed"] > 300 for each in small)
    for question in questions.values():
        for share in question["shares"]:
            assert [each is None for each in share["within"]] == [not each["subgroup"] for each in question["strata"]]


@pytest.mark.parametrize(("key", "reason"), [("height", "mean"), ("nothing", "unknown")])
def test_what_can_be_no_stratum_is_refused(key, reason):
    survey = ended(300)
    with pytest.raises(AnalysisRefused) as refused:
        asked(SUBGROUPS, survey, {"stratum": key})
    assert refused.value.reason == reason and not AnalysisRun.objects.exists()
