"""The modules as served, run in Chromium: the published channels, the certificate, and the twin's bytes (P2, P3)."""

import json
from fractions import Fraction
from typing import Any

import pytest

from ldp.exact import RESOLUTION
from ldp.mechanisms import MECHANISMS
from surveys import definition as definitions
from tests import vectors
from tests.channels import SMALL, boundary_cases, draws
from tests.faults import BROWSER_FAULTS

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

MODULES = "/static/respond"

# Runs a mechanism on every case and returns the indices of those with another report than the expected one.
BOUNDARIES = """async ({module, name, d, table, draws, cases}) => {
  const { MECHANISMS } = await import(module);
  const differing = [];
  cases.forEach(([answer, position, u, report], i) => {
    let next = 0;
    const uniform = () => (next++ === position ? u : 2 ** 53 - 1);
    const got = MECHANISMS[name](answer, d, table, uniform);
    if (JSON.stringify(got) !== JSON.stringify(report) || next !== draws) differing.push(i);
  });
  return differing;
}"""

# Every outcome of the draws at a small resolution: how often each report comes out, for each answer.
ENUMERATION = """async ({module, name, d, table, resolution, draws}) => {
  const { MECHANISMS } = await import(module);
  return Array.from({ length: d }, (_, answer) => {
    const counts = {};
    for (let outcome = 0; outcome < resolution ** draws; outcome += 1) {
      let rest = outcome;
      const uniform = () => { const u = rest % resolution; rest = Math.floor(rest / resolution); return u; };
      const report = JSON.stringify(MECHANISMS[name](answer, d, table, uniform));
      counts[report] = (counts[report] ?? 0) + 1;
    }
    return counts;
  });
}"""

REPORT = """async ({module, vector}) => {
  const { makeReport } = await import(module);
  let next = 0;
  const words = () => vector.words[next++];
  const body = makeReport(JSON.parse(vector.definition), vector.digest, vector.answers, words);
  return { body, used: next };
}"""

CERTIFIED = """async ({module, cases}) => {
  const { certified } = await import(module);
  return cases.map(([t, p, q, d]) => certified(BigInt(t), BigInt(p), BigInt(q), BigInt(d)));
}"""

WEAKNESS = """async ({module, definitions}) => {
  const { weakness } = await import(module);
  return definitions.map(weakness);
}"""


def _served_with(old: str, new: str) -> Any:
    """A handler that serves a module with a fault."""

    def handle(route: Any) -> None:
        original = route.fetch()
        assert old in original.text(), f"the fault no longer fits the code: {old}"
        route.fulfill(response=original, body=original.text().replace(old, new))

    return handle


@pytest.fixture
def blank(page, system):
    """A page of the site's own origin on which modules can be imported."""
    page.goto(f"{system.url}/healthz")
    return page


def _check_enumeration(page: Any, name: str) -> None:
    d, table, resolution, number, expected, _ = SMALL[name]
    given = {"module": f"{MODULES}/mechanisms.js", "name": name, "d": d, "table": table}
    counts = page.evaluate(ENUMERATION, given | {"resolution": resolution, "draws": number})
    channel = [
        {_report(z): Fraction(int(count), resolution**number) for z, count in row.items()} for row in counts
    ]  # fmt: skip
    assert channel == expected


def _report(text: str) -> Any:
    value = json.loads(text)
    return tuple(value) if isinstance(value, list) else value


def _check_boundaries(page: Any, name: str, d: int, table: Any, answers: range) -> None:
    cases = [list(case) for case in boundary_cases(name, d, table, answers)]
    given = {"module": f"{MODULES}/mechanisms.js", "name": name, "d": d, "table": table, "cases": cases}
    assert page.evaluate(BOUNDARIES, given | {"draws": draws(name, d, table)}) == []


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_report_of_the_served_code_is_likelier_than_alpha_allows(blank, name):
    _check_enumeration(blank, name)


@pytest.mark.parametrize("alpha", ["0.01", "1", "10"])
@pytest.mark.parametrize("name", MECHANISMS)
def test_every_position_of_the_served_code_decides_exactly_at_its_threshold(blank, name, alpha):
    for d in (2, 3, 10):
        _check_boundaries(blank, name, d, MECHANISMS[name].table(Fraction(alpha), d), range(d))


@pytest.mark.parametrize(("name", "d"), [("randomized_response", 256), ("bitwise", 256), ("laplace", 32)])
def test_boundaries_of_the_served_code_hold_with_many_categories(blank, name, d):
    first_middle_last = range(0, d, (d - 1) // 2)
    _check_boundaries(blank, name, d, MECHANISMS[name].table(Fraction(1), d), first_middle_last)


@pytest.mark.parametrize("fault", BROWSER_FAULTS)
def test_seeded_faults_in_the_served_code_are_caught(page, system, fault):
    name, old, new = BROWSER_FAULTS[fault]
    page.route("**/respond/mechanisms.js", _served_with(old, new))
    page.goto(f"{system.url}/healthz")
    with pytest.raises(AssertionError):
        _check_enumeration(page, name)
        _check_boundaries(page, name, 4, MECHANISMS[name].table(Fraction(1), 4), range(4))


@pytest.mark.parametrize("vector", vectors.load(), ids=lambda vector: vector["name"])
def test_same_words_give_the_twins_bytes(blank, vector):
    result = blank.evaluate(REPORT, {"module": f"{MODULES}/privatize.js", "vector": vector})
    assert result == {"body": vector["body"], "used": len(vector["words"])}


def test_certificate_is_exact_for_all_alphas_and_categories(blank):
    _check_certificate(blank)


def _check_certificate(blank: Any) -> None:
    """The smallest threshold is certified and the next smaller one is not, from 0.01 to 10 and up to 256 categories."""
    cases, expected = [], []
    for d in (2, 3, 10, 64, 255, 256):
        for hundredths in [*range(1, 101, 9), *range(101, 1001, 67), 1000, 1600]:
            alpha = Fraction(hundredths, 100)
            t = MECHANISMS["randomized_response"].table(alpha, d)["other"]
            for candidate in (t, t - 1, RESOLUTION // d, RESOLUTION // d + 1, 0):
                cases.append([str(candidate), hundredths, 100, d])
                expected.append(candidate not in (t - 1, RESOLUTION // d + 1, 0))
    assert blank.evaluate(CERTIFIED, {"module": f"{MODULES}/certificate.js", "cases": cases}) == expected


def test_the_page_finds_every_table_that_is_too_weak(blank):
    _check_weakness(blank)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("parts: 2n", "parts: 1n"),  # alpha not halved
        ("kept * denominator <= t * numerator", "kept * denominator <= t * numerator * 2n"),
        ("d * t <= RESOLUTION && ", ""),
    ],
)
def test_faults_in_the_served_certificate_are_caught(page, system, old, new):
    page.route("**/respond/certificate.js", _served_with(old, new))
    page.goto(f"{system.url}/healthz")
    with pytest.raises(AssertionError):
        _check_certificate(page)
        _check_weakness(page)


def _check_weakness(blank: Any) -> None:
    sound = definitions.build(vectors.EVERY_KIND)
    weak = []
    for i, question in enumerate(sound["questions"]):
        name = "other" if "other" in question["table"] else "flip"
        t = question["table"][name]
        for wrong in (t - 1, 0, -t, t + 0.5, str(t), None, 2**53):
            changed = json.loads(json.dumps(sound))
            changed["questions"][i]["table"][name] = wrong
            weak.append((changed, question["text"]))
        for wrong in ("0", "17", 1, "1e1", "", None):
            changed = json.loads(json.dumps(sound))
            changed["questions"][i]["alpha"] = wrong
            weak.append((changed, question["text"]))
        for wrong in ("unknown", "toString", "__proto__"):
            changed = json.loads(json.dumps(sound))
            changed["questions"][i]["mechanism"] = wrong
            weak.append((changed, question["text"]))
    given = {"module": f"{MODULES}/certificate.js", "definitions": [sound, *[changed for changed, _ in weak]]}
    first, *others = blank.evaluate(WEAKNESS, given)
    assert first is None
    for sentence, (_, text) in zip(others, weak, strict=True):
        assert sentence is not None and text in sentence


def test_words_of_the_browser_become_uniform_integers(blank):
    """The highest and lowest words give the ends of 0..2^53-1; the browser's own words are 32-bit integers."""
    result = blank.evaluate(
        """async () => {
          const { browserWords, uniformFrom } = await import("/static/respond/uniform.js");
          const words = browserWords();
          const seen = Array.from({ length: 2000 }, words);
          return {
            ends: [uniformFrom(() => 0)(), uniformFrom(() => 0xffffffff)()],
            high: [1, 0].map((bit) => { const w = [bit, 1 - bit]; return uniformFrom(() => w.shift())(); }),
            inRange: seen.every((w) => Number.isInteger(w) && w >= 0 && w < 2 ** 32),
            different: new Set(seen).size > 1990,
          };
        }"""
    )
    assert result == {"ends": [0, RESOLUTION - 1], "high": [2**32, 1], "inRange": True, "different": True}
