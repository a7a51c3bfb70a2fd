"""The served modules in Chromium give the published channels and the twin's bytes (P2, P3)."""

import json
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest

from ldp import numeric
from ldp.exact import RESOLUTION
from ldp.mechanisms import MECHANISMS, WITH_DELTA
from tests.support import vectors
from tests.support.browser_faults import BROWSER_FAULTS, ROUNDING_FAULTS
from tests.support.channels import SMALL, answers, base, boundary_cases, hashable
from tests.support.draws import boundary
from tests.support.site import MODULES, mapped, open_blank, open_with, run

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# Enumerate the draws at a small resolution: count each report for each answer.
ENUMERATION = """async ({module, name, answers, d, table, resolution, draws}) => {
  const { MECHANISMS } = await import(module);
  return answers.map((answer) => {
    const counts = {};
    for (let outcome = 0; outcome < resolution ** draws; outcome += 1) {
      let rest = outcome;
      const uniform = () => { const u = rest % resolution; rest = Math.floor(rest / resolution); return u; };
      const report = JSON.stringify(MECHANISMS[name].draw(answer, table, d, uniform));
      counts[report] = (counts[report] ?? 0) + 1;
    }
    return counts;
  });
}"""

# The indices of cases with an unexpected report or an unexpected number of draws.
BOUNDARIES = """async ({module, name, d, table, base, cases}) => {
  const { MECHANISMS } = await import(module);
  const differing = [];
  cases.forEach(([answer, position, numbers, report], i) => {
    const given = base.toSpliced(position, 1, ...numbers);
    let used = 0;
    const got = MECHANISMS[name].draw(answer, table, d, () => given[used++]);
    if (JSON.stringify(got) !== JSON.stringify(report) || used !== given.length) differing.push(i);
  });
  return differing;
}"""

REPORT = """async ({module, vector}) => {
  const { makeReport } = await import(module);
  let next = 0;
  const words = () => vector.words[next++];
  const body = makeReport(JSON.parse(vector.definition), vector.digest, vector.answers, words, vector.form);
  return { body, used: next };
}"""

EXTRA = {"delta": Fraction("0.00001"), "sample": 2}
ALPHAS = ("0.01", "1", "10")
# Noise at alpha 0.01 would need a table that is too long to publish.
COMMON = [(name, "0.5" if name in WITH_DELTA and a == "0.01" else a) for name in MECHANISMS for a in ALPHAS]


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


def _check_enumeration(page: Any, name: str) -> None:
    d, table, resolution, number, expected, _ = SMALL[name]
    given = {"module": f"{MODULES}/mechanisms.js", "name": name, "d": d, "table": table}
    given |= {"answers": answers(name, d, table), "resolution": resolution, "draws": number}
    channel = [
        {hashable(json.loads(z)): Fraction(int(count), resolution**number) for z, count in row.items()}
        for row in run(page, ENUMERATION, given)
    ]
    assert channel == expected


def _check_boundaries(page: Any, name: str, d: int, alpha: str) -> None:
    given = _boundaries(name, 2 if name == "one_bit" else d, alpha)
    assert run(page, BOUNDARIES, {"module": f"{MODULES}/mechanisms.js", "name": name} | given) == []


@lru_cache(maxsize=16)
def _boundaries(name: str, d: int, alpha: str) -> dict[str, Any]:
    """Return the cases that the faults of a mechanism share."""
    mechanism = MECHANISMS[name]
    table = mechanism.table(Fraction(alpha), d, **{extra: EXTRA[extra] for extra in mechanism.EXTRAS})
    table |= {"items": 3} if name == "grid" else {}
    given = answers(name, d, table)
    some = [given[0], given[len(given) // 2], given[-1]]
    cases = [list(case) for case in boundary_cases(name, d, table, some)]
    return {"d": d, "table": table, "base": base(name, d, table, given[0]), "cases": cases}


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_report_of_the_served_code_is_likelier_than_alpha_allows(blank, name):
    _check_enumeration(blank, name)


@pytest.mark.parametrize(("name", "alpha"), COMMON)
def test_every_position_of_the_served_code_decides_exactly_at_its_threshold(blank, name, alpha):
    for d in (2, 4, 10):  # the faults are tested with 4 and alpha 1
        _check_boundaries(blank, name, d, alpha)


@pytest.mark.parametrize(
    ("name", "d"),
    [("randomized_response", 256), ("bitwise", 256), ("exponential", 32), ("laplace", 32)],
)
def test_boundaries_of_the_served_code_hold_with_many_categories(blank, name, d):
    _check_boundaries(blank, name, d, "1")


@pytest.mark.parametrize("fault", BROWSER_FAULTS)
def test_seeded_faults_in_the_served_code_are_caught(faulty, system, fault):
    name, module, statement = BROWSER_FAULTS[fault]
    open_with(faulty, system.url, module, statement)
    with pytest.raises(AssertionError):
        _check_enumeration(faulty, name)
        _check_boundaries(faulty, name, 4, "1")


def test_with_the_next_fault_the_one_before_is_gone(faulty, system):
    """Otherwise the checks could catch another fault."""
    name, module, statement = BROWSER_FAULTS[next(iter(BROWSER_FAULTS))]
    open_with(faulty, system.url, module, statement)
    open_with(faulty, system.url, "uniform", "")
    _check_enumeration(faulty, name)
    _check_boundaries(faulty, name, 4, "1")


@pytest.mark.parametrize("vector", vectors.load(), ids=lambda vector: vector["name"])
def test_same_words_give_the_twins_bytes(blank, vector):
    result = run(blank, REPORT, {"module": f"{MODULES}/privatize.js", "vector": vector})
    assert result == {"body": vector["body"], "used": len(vector["words"])}


def test_numbers_are_rounded_to_the_grid_as_fractions_say(blank):
    """The draws lie on both sides of the chance to go up, for every kind of number. Floating point would miss some."""
    _check_rounding(blank)


def _check_rounding(page: Any) -> None:
    numbers = ["0", "-0", "1", "0.1", "0.7", "0.3333333", "-2.5", "-1000", "1000.5", "0.000000000000001", "007", "2.0"]
    ranges = [("0", "1"), ("-10.5", "40.25"), ("-3", "-0.000001"), ("0.1", "0.7"), ("0", "999999999999")]
    cases = []
    for (low, high), steps in [(ends, steps) for ends in ranges for steps in (1, 4, 40)]:
        span = Fraction(high) - Fraction(low)
        for number in [*numbers, low, high, f"{low}{'' if '.' in low else '.0'}1"]:
            position = (min(max(Fraction(number), Fraction(low)), Fraction(high)) - Fraction(low)) / span * steps
            for u in boundary(int((position % 1) * RESOLUTION)):
                expected = numeric.rounded(number, low, high, steps, lambda u=u: u)
                cases.append([number, low, high, steps, u, expected])
    body = "([number, low, high, steps, u]) => gridPoint(number, low, high, steps, () => u)"
    assert mapped(page, "exact.js", "gridPoint", body, cases) == [case[-1] for case in cases]


@pytest.mark.parametrize("fault", ROUNDING_FAULTS)
def test_faults_in_the_served_rounding_are_caught(faulty, system, fault):
    open_with(faulty, system.url, *ROUNDING_FAULTS[fault])
    with pytest.raises(AssertionError):
        _check_rounding(faulty)


def test_what_is_no_answer_is_never_randomized(blank):
    wrong = {
        "single_choice": (None, -1, 3, 0.5, "1", True, [0]),
        "mean": (None, 5, "", "x", "1e3", "1,5", "+1", " 1", "1" * 16, []),
        "multiple_choice": (None, 1, [True], [True, False, 1], [True] * 4, "abc"),
        "grid": (None, 1, [0], [0, 3], [0, -1], [0, None], [0, 0, 0]),
    }
    shared = {"key": "only", "options": ["a", "b", "c"], "items": ["i", "j"], "low": "0", "high": "9"}
    tables = {
        "single_choice": ("randomized_response", {"keep": 7, "sizes": [1]}),
        "mean": ("one_bit", {"keep": 7, "sizes": [1]}),
        "multiple_choice": ("multiple", {"sample": 1, "keep": 7}),
        "grid": ("grid", {"sample": 1, "keep": 7, "size": 1}),
    }
    cases = [
        [
            shared | {"kind": kind},
            {"mechanism": tables[kind][0], "table": tables[kind][1], "questions": ["only"]},
            answer,
        ]
        for kind, answers in wrong.items()
        for answer in answers
    ]
    body = """([question, draw, answer]) => {
      try {
        return makeReport({ questions: [question], draws: [draw] }, "", { only: answer }, () => 1);
      } catch (error) {
        return error.message;
      }
    }"""
    assert set(mapped(blank, "privatize.js", "makeReport", body, cases)) == {"No answer for only"}


def test_words_become_uniform_integers(blank):
    """The highest and lowest words give the ends of 0..2^53-1."""
    result = blank.evaluate(
        """async () => {
          const { uniformFrom } = await import("/static/respond/uniform.js");
          return {
            ends: [uniformFrom(() => 0)(), uniformFrom(() => 0xffffffff)()],
            high: [1, 0].map((bit) => { const w = [bit, 1 - bit]; return uniformFrom(() => w.shift())(); }),
          };
        }"""
    )
    assert result == {"ends": [0, RESOLUTION - 1], "high": [2**32, 1]}
