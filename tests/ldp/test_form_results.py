"""Results of a survey with forms, from its reports on (M35, M36b, M44), about the people asked each question."""

import copy
import random

import numpy as np
import pytest

from ldp.forms import definition as definitions
from ldp.forms import lot, report, results
from ldp.forms.results import FormTally
from ldp.inference.variables import pair_of
from ldp.mechanisms import of
from ldp.planning import survey_efficiency
from ldp.tally import Batch
from surveys.survey.definition.layout import layouts
from tests.ldp.test_form_reports import draw, question

CONFIDENCE, PEOPLE = 0.95, 6000
SURVEY = {
    "questions": [
        question("region", 2, text="region"),
        question("drugs", 2, "yes_no", text="drugs"),
        question("debts", 3, text="debts"),
        question("health", 3, text="health"),
    ],
    "draws": [draw("region")],
    "forms": [
        {"weight": 2, "draws": [draw("drugs", "debts", counts=(2, 3), alpha="3")]},
        {"weight": 1, "draws": [draw("health", counts=(3,))]},
    ],
}
TRUTH = {"region": [0.7, 0.3], "drugs": [0.8, 0.2], "debts": [0.5, 0.3, 0.2], "health": [0.2, 0.3, 0.5]}


def tallied(definition, form, packed):
    rows = np.frombuffer(b"".join(packed), dtype=np.uint8).reshape(len(packed), -1)
    batch = Batch(rows)
    parts = (part.tally(batch.field(start, width)) for part, start, width in report.fields(definition, form))
    return FormTally(len(packed), tuple(parts))


@pytest.fixture(scope="module")
def tallies():
    """Return the tallies of people who draw a form and answer. Their reports are packed and counted in two batches."""
    chance = random.Random(12)

    def uniform():
        return chance.getrandbits(53)

    packed, each_layout = [[], []], layouts(SURVEY)
    for _ in range(PEOPLE):
        answers = {key: chance.choices(range(len(law)), law)[0] for key, law in TRUTH.items()}
        form = lot.draw(definitions.weights(SURVEY), uniform)
        packed[form].append(each_layout[form].pack(report.randomize(SURVEY, form, answers, uniform)))
    return [tallied(SURVEY, k, each[:500]) + tallied(SURVEY, k, each[500:]) for k, each in enumerate(packed)]


def test_every_question_has_the_reports_of_those_who_were_asked(tallies):
    found = {result["key"]: result for result in results.of_survey(SURVEY, tallies, CONFIDENCE)}
    assert list(found) == list(TRUTH)
    assert sum(tally.n for tally in tallies) == found["region"]["n_about"] == PEOPLE
    assert found["drugs"]["n_about"] == found["debts"]["n_about"] == tallies[0].n
    assert found["health"]["n_about"] == tallies[1].n
    assert [found[key]["alpha"] for key in TRUTH] == ["1", "3", "3", "1"]


@pytest.mark.parametrize("every_look", [False, True])
def test_the_shares_lie_in_their_intervals(tallies, every_look):
    """The intervals are at .999: luck misses one of eight shares in 1 of 150 seeds."""
    for result in results.of_survey(SURVEY, tallies, 0.999, every_look):
        categories = result["methods"][0]["categories"]
        for category, share in zip(categories, TRUTH[result["key"]], strict=True):
            low, high = category["population"]["interval"]
            assert low <= share <= high


def test_a_draw_of_everyone_is_crossed_over_all_forms(tallies):
    """The reports of both forms are about the draw."""
    definition = {
        "questions": [question("a", 2, text="a"), question("b", 3, text="b"), *SURVEY["questions"][1:]],
        "draws": [draw("a", "b", counts=(2, 3), sizes=(1, 2))],
        "forms": SURVEY["forms"],
    }
    cells = {"support": [30, 40, 50, 20, 30, 30]}
    own = [FormTally(100, (cells, tally.totals[-1])) for tally in tallies]
    pair = pair_of(report.alone(definition), "a", "b")
    found = results.crossing(definition, own, *pair)
    assert found.n == 200 and found.counts[1:, 1:].tolist() == [[60, 80, 100], [40, 60, 60]]
    assert results.crossing(definition, [FormTally(0, ())] * 2, *pair) is None
    assert found.joint.sum() == pytest.approx(1)


def test_batches_add_up_in_whole_numbers(tallies):
    none = FormTally(0, ())
    assert none + tallies[0] == tallies[0] + none == tallies[0]
    twice = tallies[0] + tallies[0]
    assert twice.n == 2 * tallies[0].n
    assert [sum(totals["support"]) for totals in twice.totals] == [twice.n] * 2


def test_a_form_without_reports_leaves_its_questions_out(tallies):
    found = results.of_survey(SURVEY, [tallies[0], FormTally(0, ())], CONFIDENCE)
    assert [result["key"] for result in found] == ["region", "drugs", "debts"]


def test_a_joint_forms_cross_table_follows_from_its_counts(tallies):
    part = report.parts(SURVEY, 0)[-1]
    found = results.joint_tally(part, tallies[0].totals[-1], tallies[0].n)
    assert found.n == tallies[0].n and found.shape == (2, 3)


@pytest.mark.parametrize(
    "totals",
    [
        ({"support": [4, 2]}, {"support": [2, 2, 2, 2, 2, 1]}),
        ({"support": [4, 2]}, {"support": [3, 1, 3, 3, 1, 1]}),
        ({"support": [4, 2]}, {"support": [7, 1, 2, 3, 0, -1]}),
        ({"support": [4, 2]}, {"support": [2, 2, 2, 2, 2, 1, 1]}),
        ({"support": [4, 1]}, {"support": [2, 2, 2, 2, 2, 2]}),
        ({"support": [7, -1]}, {"support": [2, 2, 2, 2, 2, 2]}),
        ({"support": [4, 1, 1]}, {"support": [2, 2, 2, 2, 2, 2]}),
    ],
)
def test_totals_that_are_not_those_of_so_many_reports_are_refused(totals):
    """Each of six reports lists one region, one drug and two debts."""
    definition = SURVEY | {"forms": [copy.deepcopy(SURVEY["forms"][0]), SURVEY["forms"][1]]}
    definition["forms"][0]["draws"] = [draw("drugs", "debts", counts=(2, 3), sizes=(1, 2))]
    right = FormTally(6, ({"support": [4, 2]}, {"support": [2] * 6}))
    assert len(list(results.counted(definition, [right, FormTally(0, ())]))) == 3
    with pytest.raises(ValueError, match=r"the counts|counts, where there are|do not add up"):
        list(results.counted(definition, [FormTally(6, totals), FormTally(0, ())]))


def test_a_bit_is_not_counted_more_often_than_there_are_reports():
    mean = {"key": "pay", "kind": "mean", "text": "pay", "low": "0", "high": "10"}
    definition = {"questions": [mean], "draws": [draw("pay", counts=(2,)) | {"mechanism": "one_bit"}]}
    assert list(results.counted(definition, [FormTally(6, ({"mean": [6]},))]))
    for high in (7, -1):
        with pytest.raises(ValueError, match="not those of 6 reports"):
            list(results.counted(definition, [FormTally(6, ({"mean": [high]},))]))


def test_the_efficiency_is_that_of_the_whole_survey():
    """The survey asks twenty yes/no questions in ten pairs with equally many reports each."""
    pairs = [(f"a{k}", f"b{k}") for k in range(10)]
    definition = {
        "questions": [question(key, 2, "yes_no") for pair in pairs for key in pair],
        "draws": [],
        "forms": [{"weight": 1, "draws": [draw(*pair, counts=(2, 2), alpha="2")]} for pair in pairs],
    }
    definitions.check(definition)
    even = [FormTally(100, ({"support": [25] * 4},))] * 10
    few, none = FormTally(10, ({"support": [3, 3, 2, 2]},)), FormTally(0, ())

    def reported(tallies):
        counted = list(results.counted(definition, tallies))
        return survey_efficiency.reported(definition, counted, sum(tally.n for tally in tallies))

    assert reported(even).at_least == pytest.approx(1 / 1.388, abs=0.001)
    assert reported([*even[:9], few]).at_least < 0.6
    assert reported([*even[:9], none]) is None


def test_a_question_of_a_definition_without_forms_is_counted_as_before():
    definition = {"questions": SURVEY["questions"][:1], "draws": SURVEY["draws"]}
    [(asked, totals, n)] = results.counted(definition, [FormTally(10, ({"support": [4, 6]},))])
    assert (asked, totals, n) == (report.alone(definition)[0], {"support": [4, 6]}, 10)
    assert of(asked).default()[0] == "support"
