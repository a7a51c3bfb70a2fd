"""Answers randomized together, and the draw of a form, by the served modules in Chromium: the stated channel and its
largest ratio (P2, M44)."""

import json
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
from ldp.mechanisms import of, randomized_response
from ldp.subsets import Items
from surveys.figures import numerals
from surveys.survey import definition as definitions
from tests.support import form_cases, stated_lists
from tests.support.channels import hashable, replay, worst_ratio
from tests.support.draws import ALWAYS, NEVER, boundary, of_lists
from tests.support.site import MODULES, mapped, open_blank, open_with, run
from tests.support.stated_channels import likelier, product_subsets, sampled_channel

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# The number of options of each question, and how many a report lists.
LISTS = [((2, 2), (1, 1)), ((2, 3), (1, 2)), ((3, 3), (2, 1)), ((2, 2, 2), (1, 1, 1)), ((4, 2), (2, 1))]
LONGER = [((64, 64), (1, 63)), ((2,) * 12, (1,) * 12), ((5, 4, 3), (2, 2, 1))]
SMALL, KEEP = 12, 7  # all these uniform integers are tried: a multiple of every number of options

# Enumerate the draws, with choices as digits: count each report for each combination of answers.
ENUMERATION = """async ({ module, answers, table, counts, resolution, draws }) => {
  const { randomizedTogether } = await import(module);
  return answers.map((each) => {
    const found = {};
    for (let outcome = 0; outcome < resolution ** draws; outcome += 1) {
      let rest = outcome;
      const uniform = () => { const u = rest % resolution; rest = Math.floor(rest / resolution); return u; };
      const lists = JSON.stringify(randomizedTogether(each, table, counts, uniform));
      found[lists] = (found[lists] ?? 0) + 1;
    }
    return found;
  });
}"""


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


def channel(page, counts, sizes):
    """Return Q[x][z] over all combinations of answers, by enumerating the draws."""
    draws, table = 1 + sum(sizes), {"keep": KEEP, "sizes": list(sizes)}
    given = {"module": f"{MODULES}/mechanisms.js", "answers": list(product(*map(range, counts))), "table": table}
    given |= {"counts": list(counts), "resolution": SMALL, "draws": draws}
    return [
        {hashable(json.loads(z)): Fraction(int(n), SMALL**draws) for z, n in row.items()}
        for row in run(page, ENUMERATION, given)
    ]


def check_channel(page, counts, sizes):
    rows, table = channel(page, counts, sizes), {"keep": KEEP, "sizes": list(sizes)}
    assert rows == product_subsets(counts, table, SMALL)
    assert worst_ratio(rows) == likelier(counts, table, SMALL)


def check_boundaries(page, counts, sizes, alpha):
    """Check the twin's lists at full resolution, on both sides of the chance to keep and at the ends of every choice.
    The number of draws must not depend on the answers."""
    table, chance = randomized_response.table(Fraction(alpha), counts, sizes), random.Random(alpha)
    plan = of_lists(counts, table)
    ends = [[u, *(1 for _ in plan[1:])] for u in boundary(table["keep"])]
    some = [[kept, *(chance.randrange(draw.k) for draw in plan[1:])] for kept in (ALWAYS, NEVER) for _ in range(20)]
    cases = [[[chance.randrange(d) for d in counts], table, list(counts), numbers] for numbers in [*ends, *some]]
    body = """([answers, table, counts, numbers]) => {
      let used = 0;
      return [randomizedTogether(answers, table, counts, () => numbers[used++]), used];
    }"""
    found = mapped(page, "mechanisms.js", "randomizedTogether", body, cases)
    expected = [randomized_response.draw(each, table, counts, replay(numbers)) for each, _, _, numbers in cases]
    assert found == [[lists, len(plan)] for lists in expected]


@pytest.mark.parametrize(("counts", "sizes"), LISTS)
def test_all_answers_are_among_what_is_sent_or_all_of_it_is_random(blank, counts, sizes):
    check_channel(blank, counts, sizes)


@pytest.mark.parametrize("alpha", ["0.01", "2", "16"])
@pytest.mark.parametrize(("counts", "sizes"), [*LISTS, *LONGER])
def test_answers_are_kept_exactly_below_their_threshold(blank, counts, sizes, alpha):
    check_boundaries(blank, counts, sizes, alpha)


def ratios(page, mechanism, cases):
    """Return the largest ratio of a report's chances as the page computes it, for tables and numbers of options."""
    body = f"([table, counts]) => MECHANISMS.{mechanism}.worst(table, counts).map(String)"
    found = mapped(page, "mechanisms.js", "MECHANISMS", body, [[table, list(counts)] for table, counts in cases])
    return [Fraction(int(above), int(below)) for above, below in found]


GRID = [
    (counts, sizes)
    for counts in [(2,), (3,), (5,), (2, 2), (2, 3), (3, 4), (4, 4), (2, 2, 2), (2, 3, 4)]
    for sizes in product(*(range(1, d) for d in counts))
]


def test_the_ratio_that_the_page_computes_is_that_of_the_channel(blank):
    """Every size in a grid of draws is enumerated in fractions at full resolution."""
    cases = [
        (randomized_response.table(Fraction(alpha), counts, sizes), counts)
        for counts, sizes in GRID
        for alpha in ("0.01", "1", "4", "16")
    ]
    expected = [worst_ratio(product_subsets(counts, table, RESOLUTION)) for table, counts in cases]
    assert len(cases) > 100 and ratios(blank, "randomized_response", cases) == expected


@pytest.mark.parametrize(("mechanism", "d"), [("multiple", 2), ("grid", 3)])
def test_so_is_that_of_items_which_are_drawn(blank, mechanism, d):
    given, sizes = (
        list(product(range(d), repeat=3)),
        [{"size": a} for a in range(1, d)] if mechanism == "grid" else [{}],
    )
    cases = [
        ({"sample": sample, "keep": keep} | size, (d,))
        for sample, keep, size in product((1, 2, 3), (1, RESOLUTION // 3, RESOLUTION - 1), sizes)
    ]
    expected = [worst_ratio(sampled_channel(given, d, 3, table, RESOLUTION)) for table, _ in cases]
    assert ratios(blank, mechanism, cases) == expected


# Lists and grids among them -------------------------------------------------------------------------------------------

# Every outcome of the draws of whole questions.
OF_QUESTIONS = ENUMERATION.replace("randomizedTogether", "randomizedQuestions").replace(
    "randomizedQuestions(each, table, counts, uniform)", "randomizedQuestions(counts, each, table, uniform)"
)
WITH_LISTS = [
    ((2, Items(2, 2)), (1, [1, 1])),
    ((Items(3, 2), 2), ([1, 1], 1)),
    ((2, Items(2, 3)), (1, [1, 2])),
    ((Items(2, 2), Items(2, 2)), ([1, 1], [1, 1])),
]
RATIOS = [
    *((counts, sizes) for counts, sizes in WITH_LISTS),
    *(((3, Items(3, 2)), (a, [s, 1])) for a in (1, 2) for s in (1, 2, 3)),
    *(((Items(2, 4), 2), ([s, a], 1)) for s in (1, 2) for a in (1, 2, 3)),
    ((Items(2, 2), Items(2, 3)), ([2, 1], [1, 1])),
]


def as_question(options):
    if isinstance(options, int):
        return {"kind": "single_choice", "options": list(range(options))}
    if options.d == 2:
        return {"kind": "multiple_choice", "options": list(range(options.items))}
    return {"kind": "grid", "items": list(range(options.items)), "options": list(range(options.d))}


def as_sent(counts, lists):
    """Return the lists as the page sends them: a bit for an option of a multiple choice."""
    bits = [not isinstance(each, int) and each.d == 2 for each in counts]
    return tuple(
        tuple((item, bit) for item, (bit,) in own) if bit else own for own, bit in zip(lists, bits, strict=True)
    )


def check_lists(page, counts, sizes):
    choices = 1 + sum(a if isinstance(a, int) else a[0] * (1 + a[1]) for a in sizes)
    given = {
        "module": f"{MODULES}/mechanisms.js",
        "answers": stated_lists.people(counts),
        "draws": choices,
        "resolution": SMALL,
    }
    given |= {"table": {"keep": KEEP, "sizes": list(sizes)}, "counts": [as_question(each) for each in counts]}
    rows = [
        {hashable(json.loads(z)): Fraction(int(n), SMALL**choices) for z, n in row.items()}
        for row in run(page, OF_QUESTIONS, given)
    ]
    expected = stated_lists.stated(counts, sizes, KEEP, SMALL)
    assert rows == [{as_sent(counts, z): chance for z, chance in row.items()} for row in expected]


@pytest.mark.parametrize(("counts", "sizes"), WITH_LISTS)
def test_items_of_a_list_are_drawn_first_and_then_as_questions(blank, counts, sizes):
    check_lists(blank, counts, sizes)


def test_the_ratio_of_a_draw_with_lists_is_that_of_its_channel(blank):
    """Each draw in a grid is enumerated in fractions at full resolution."""
    cases = [
        (randomized_response.table(Fraction(alpha), counts, sizes), counts, sizes)
        for counts, sizes in RATIOS
        for alpha in ("0.01", "1", "4", "16")
    ]
    body = "([table, counts]) => MECHANISMS.randomized_response.worst(table, counts).map(String)"
    given = [[table, [each if isinstance(each, int) else each.d for each in counts]] for table, counts, _ in cases]
    found = [Fraction(int(a), int(b)) for a, b in mapped(blank, "mechanisms.js", "MECHANISMS", body, given)]
    assert found == [
        worst_ratio(stated_lists.stated(counts, sizes, table["keep"], RESOLUTION)) for table, counts, sizes in cases
    ]


LIST_FAULTS = {
    "the first items are named": """{
      const sound = randomizedQuestions;
      const renamed = (own, k) => (own.length ? [k, own[1]] : own);
      randomizedQuestions = (...given) => sound(...given).map((each) => each.map(renamed));
    }""",
    "all items take one answer": """{
      const sound = randomizedTogether;
      randomizedTogether = (answers, ...given) => sound(answers.map(() => answers[0]), ...given);
    }""",
    "items are drawn by their answers": """{
      const sound = randomizedQuestions;
      randomizedQuestions = (questions, answers, table, uniform) =>
        sound(questions, answers, table, answers.flat().every((each) => each === 0) ? () => 0 : uniform);
    }""",
}


@pytest.mark.parametrize("fault", LIST_FAULTS)
def test_faults_in_the_served_draw_of_lists_are_caught(faulty, system, fault):
    open_with(faulty, system.url, "mechanisms", LIST_FAULTS[fault], speaks=True)
    with pytest.raises((AssertionError, Error)):
        check_lists(faulty, (2, Items(2, 3)), (1, [1, 2]))


FAULTS = {
    "each answer kept or not by itself": """randomizedTogether = (answers, { keep, sizes }, counts, uniform) =>
      answers.map((answer, place) => {
        const steps = sample(counts[place], sizes[place], uniform);
        if (uniform() < keep && !steps.includes(0)) steps[0] = 0;
        return sorted(steps.map((step) => (answer + step) % counts[place]));
      });""",
    "one answer never replaced": """{
      const sound = randomizedTogether;
      randomizedTogether = ([first, ...answers], { keep, sizes: [size, ...sizes] }, [d, ...counts], uniform) =>
        [sound([first], { keep: 2 ** 53, sizes: [size] }, [d], uniform)[0],
          ...sound(answers, { keep, sizes }, counts, uniform)];
    }""",
    "the same steps for all": """randomizedTogether = (answers, { keep, sizes }, counts, uniform) => {
      const kept = uniform() < keep;
      const drawn = counts.map((d, place) => sample(d, sizes[place], uniform));
      if (kept) drawn.forEach((steps) => { if (!steps.includes(0)) steps[0] = 0; });
      const step = (place, i) => (answers[place] + drawn[0][0] + i) % counts[place];
      return drawn.map((steps, place) => sorted(steps.map((_, i) => step(place, i))));
    };""",
    "fewer draws where the answers are kept": """randomizedTogether = (answers, { keep, sizes }, counts, uniform) => {
      const kept = uniform() < keep;
      return answers.map((answer, place) => sorted((kept
        ? [0, ...sample(counts[place] - 1, sizes[place] - 1, uniform).map((step) => step + 1)]
        : sample(counts[place], sizes[place], uniform)).map((step) => (answer + step) % counts[place])));
    };""",
    "the last question's answer looked at": """{
      const sound = randomizedTogether;
      randomizedTogether = (answers, table, counts, uniform) => {
        if (answers.at(-1) === 0) uniform();
        return sound(answers, table, counts, uniform);
      };
    }""",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_served_draw_are_caught(faulty, system, fault):
    open_with(faulty, system.url, "mechanisms", FAULTS[fault], speaks=True)
    with pytest.raises((AssertionError, Error)):
        check_channel(faulty, (2, 3), (1, 2))
        check_boundaries(faulty, (2, 3), (1, 2), "2")


def test_each_answer_alone_has_the_channel_that_the_server_states(blank):
    made = form_cases.built()
    body = "(definition) => everyPart(definition).flatMap(({ questions }) => questions)"
    found = {each["key"]: each for each in mapped(blank, "lot.js", "everyPart", body, [made])[0]}
    own = ("alpha", "mechanism", "table")
    for stated in report.alone(made):
        assert [found[stated["key"]][name] for name in own] == [stated[name] for name in own]


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
        if part.joint:
            realized += randomized_response.realized_alpha(part.draw["table"], part.counts)
        else:
            realized += of(part.drawn[0]).realized().alpha
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


def test_without_forms_everyone_is_asked_all_and_the_report_names_no_form(blank):
    made = definitions.build({"title": "One", "questions": [form_cases.DRAFT["questions"][0]]})
    body = "(definition) => [ofForm(definition, 3)].map(({ questions, form, of }) => [questions.length, form ?? of])[0]"
    assert mapped(blank, "lot.js", "ofForm", body, [made]) == [[1, None]]


def test_a_form_that_there_is_not_is_never_asked(blank):
    body = """([definition, form]) => {
      try { return ofForm(definition, form).questions.length; } catch (error) { return error.constructor.name; }
    }"""
    cases = [[form_cases.built(), form] for form in (None, -1, 3, 0.5, "0", True)]
    assert mapped(blank, "lot.js", "ofForm", body, cases) == ["RangeError"] * len(cases)


# Its sentences --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ["0.01", "0.5", "2", "5.3", "8", "16"])
@pytest.mark.parametrize("counts", [(2, 2), (5, 5), (2,) * 12])
def test_the_chance_that_answers_are_kept_is_never_said_to_be_none_or_sure(blank, alpha, counts):
    keep = randomized_response.table(Fraction(alpha), counts)["keep"]
    percent = "({ module, keep }) => import(module).then(({ percentKept }) => percentKept(keep))"
    said = run(blank, percent, {"module": f"{MODULES}/promise.js", "keep": keep})
    assert 0 < said < 100
    assert said == float(numerals.chance_percent(keep / RESOLUTION).removesuffix("%"))
