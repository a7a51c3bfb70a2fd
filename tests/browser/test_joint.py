"""Joint randomization and the draw of a form by the modules as served, in Chromium: the channel that is stated (P2)."""

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from playwright.sync_api import Error

from ldp.exact import RESOLUTION
from ldp.forms import definition as rules
from ldp.forms import lot, report
from ldp.mechanisms import joint, of
from ldp.planning import meaning
from surveys.survey import definition as definitions
from tests.support import form_cases
from tests.support.channels import replay, worst_ratio
from tests.support.draws import boundary
from tests.support.site import MODULES, mapped, open_blank, open_with, run

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

SIZES = [(2, 2), (2, 3), (3, 2, 2), (4, 3), (2, 3, 4)]
SMALL, OTHER = 128, 2  # so many uniform integers, all of which are tried

ENUMERATION = """async ({module, cases}) => {
  const { drawTogether } = await import(module);
  return cases.map(({ answers, sizes, other, resolution }) => Array.from({ length: resolution }, (_, u) =>
    drawTogether(answers, { other }, sizes, () => u)));
}"""


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


def channel(page, sizes):
    """Q[x][z] over all tuples, by every outcome of the draw."""
    cases = [
        {"answers": list(answers), "sizes": list(sizes), "other": OTHER, "resolution": SMALL}
        for answers in product(*map(range, sizes))
    ]
    found = run(page, ENUMERATION, {"module": f"{MODULES}/joint.js", "cases": cases})
    return [{z: Fraction(n, SMALL) for z, n in Counter(map(tuple, row)).items()} for row in found]


def check_channel(page, sizes):
    q, count = Fraction(OTHER, SMALL), math.prod(sizes)
    every, rows = list(product(*map(range, sizes))), channel(page, sizes)
    for answers, row in zip(every, rows, strict=True):
        assert row == {z: 1 - (count - 1) * q if z == answers else q for z in every}
    assert worst_ratio(rows) == Fraction(SMALL - (count - 1) * OTHER, OTHER)


def check_boundaries(page, sizes, alpha):
    """At full resolution, on both sides of each place where another tuple comes: the twin's report, with one draw."""
    table, chance = joint.table(Fraction(alpha), sizes), random.Random(alpha)
    steps = range(1, joint.tuples(sizes)) if joint.tuples(sizes) < 99 else (1, 2, 1000, joint.tuples(sizes) - 1)
    uniforms = sorted({u for k in steps for u in boundary(k * table["other"])})
    answers = [chance.randrange(d) for d in sizes]
    cases = [[answers, table, list(sizes), u] for u in uniforms]
    body = """([answers, table, sizes, u]) => {
      let draws = 0;
      const found = drawTogether(answers, table, sizes, () => { draws += 1; return u; });
      return [found, draws];
    }"""
    found = mapped(page, "joint.js", "drawTogether", body, cases)
    assert found == [[joint.randomize(answers, table, sizes, replay([u])), 1] for u in uniforms]


@pytest.mark.parametrize("sizes", SIZES)
def test_all_answers_stay_or_all_are_replaced_by_any_combination_alike(blank, sizes):
    check_channel(blank, sizes)


@pytest.mark.parametrize("alpha", ["0.01", "2", "16"])
@pytest.mark.parametrize("sizes", [*SIZES, (64, 64), (2,) * 12])
def test_every_combination_comes_exactly_at_its_threshold(blank, sizes, alpha):
    check_boundaries(blank, sizes, alpha)


FAULTS = {
    "each answer a draw of its own": """drawTogether = (answers, table, sizes, uniform) =>
      answers.map((answer, place) => MECHANISMS.randomized_response.draw(answer, table, sizes[place], uniform));""",
    "one answer never replaced": "{ const sound = drawTogether; drawTogether = (answers, ...rest) => "
    "[answers[0], ...sound(answers, ...rest).slice(1)]; }",
    "one tuple never drawn": "{ const sound = tuples; tuples = (sizes) => sound(sizes) - 1; }",
    "answers looked at": """drawTogether = (answers, table, sizes, uniform) => tuple(
      MECHANISMS.randomized_response.draw(answers[0], table, tuples(sizes), uniform), sizes);""",
    "the last place first": """{
      const sound = tuple;
      tuple = (number, sizes) => sound(number, sizes.toReversed()).reverse();
    }""",
    "the same step for all": """drawTogether = (answers, table, sizes, uniform) => {
      const shift = MECHANISMS.randomized_response.draw(0, table, tuples(sizes), uniform);
      return answers.map((answer, place) => (answer + shift) % sizes[place]);
    };""",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_served_joint_draw_are_caught(faulty, system, fault):
    open_with(faulty, system.url, "joint", FAULTS[fault], speaks=True)
    with pytest.raises((AssertionError, Error)):
        check_channel(faulty, (2, 3))
        check_boundaries(faulty, (2, 3), "2")


def test_each_answer_alone_has_the_channel_that_the_server_states(blank):
    made = form_cases.built()
    found = mapped(blank, "lot.js", "alone", "(definition) => alone(definition)", [made])[0]
    own = ("alpha", "mechanism", "table")
    stated = [{name: each[name] for name in own} for each in report.alone(made)]
    assert [{name: each[name] for name in own} for each in found] == stated


TOTALS = """async ({ definition, form }) => {
  const { ofForm } = await import("/static/respond/lot.js");
  const { totalAlpha, totalFactor } = await import("/static/respond/certificate.js");
  const asked = ofForm(definition, form);
  return [totalAlpha(asked), totalFactor(asked).map(String), asked.questions.map(({ key }) => key)];
}"""


@pytest.mark.parametrize("form", range(3))
def test_a_report_has_the_alpha_and_the_odds_of_all_that_its_form_asks(blank, form):
    made = form_cases.built()
    alpha, (above, below), keys = blank.evaluate(TOTALS, {"definition": made, "form": form})
    assert Fraction(alpha) == rules.questionnaire(made).total(form)
    assert keys == [each["key"] for each in rules.questions_of(made, form)]
    realized = 0.0
    for part in report.parts(made, form):
        if isinstance(part, report.Joint):
            realized += math.log(meaning.joint_factor(part.table, part.sizes))
        else:
            realized += of(part.question).realized().alpha
    assert math.log(Fraction(int(above), int(below))) == pytest.approx(realized, rel=1e-12)


WEIGHTS = [(1, 1), (1, 2, 3), (5, 1, 4, 6), (10_000,) * 7]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_a_form_is_drawn_with_exactly_its_weight(blank, weights):
    total = sum(weights)
    end = RESOLUTION - RESOLUTION % total
    some = [*range(min(2 * total, 1000)), *(end - k for k in range(1, 30)), *(total * 10**9 + k for k in range(30))]
    again = [[u, u % total] for u in {end, RESOLUTION - 1} if u >= end]
    given = [*([u] for u in some), *again]
    body = """([weights, numbers]) => {
      let used = 0;
      return [drawForm(weights.map((weight) => ({ weight })), () => numbers[used++]), used];
    }"""
    found = mapped(blank, "lot.js", "drawForm", body, [[list(weights), numbers] for numbers in given])
    assert found == [[lot.draw(weights, replay(numbers)), len(numbers)] for numbers in given]
    if total < 500:
        counts = Counter(form for form, _ in found[:total])
        assert [Fraction(counts[form], total) for form in range(len(weights))] == lot.chances(weights)


def test_without_forms_the_definition_is_asked_as_it_is(blank):
    made = definitions.build({"title": "One", "questions": [form_cases.DRAFT["questions"][0]]})
    body = "(definition) => ofForm(definition, undefined) === definition && ofForm(definition, 3) === definition"
    assert mapped(blank, "lot.js", "ofForm", body, [made]) == [True]


def test_a_form_that_there_is_not_is_never_asked(blank):
    body = """([definition, form]) => {
      try { return ofForm(definition, form).questions.length; } catch (error) { return error.constructor.name; }
    }"""
    cases = [[form_cases.built(), form] for form in (None, -1, 3, 0.5, "0", True)]
    assert mapped(blank, "lot.js", "ofForm", body, cases) == ["RangeError"] * len(cases)
