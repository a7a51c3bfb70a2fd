"""The certificate as served, in Chromium: what it accepts and what it refuses, to the last unit (P2)."""

import math
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Error

from ldp.mechanisms import FITTING, MECHANISMS
from surveys import definition as definitions
from tests.support.certificate_cases import KINDS, WITH_DELTA, Case, definition, of_kind, question, sound_question
from tests.support.malformed import cases
from tests.support.served import mapped, open_blank, with_fault

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# The longest survey a page should check without a noticeable pause, in milliseconds on the machine that tests.
PAUSE = 200


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


# What certify() says of the canonical bytes of some data; where a test alters a module, only this one is asked.
PROBLEM = """(data) => certify(new TextEncoder().encode(data)).problem"""


def problems(page: Any, questions: list[dict[str, Any]]) -> list[str | None]:
    texts = [definitions.canonical(definition(each)).decode() for each in questions]
    return mapped(page, "certificate.js", "certify", PROBLEM, texts)


def check(page: Any, cases: list[Case]) -> None:
    """certify() accepts the sound ones and refuses the others with a sentence that names the question."""
    for (given, sound), sentence in zip(cases, problems(page, [given for given, _ in cases]), strict=True):
        assert (sentence is None) == sound, (given, sentence)
        assert sound or any(words in sentence for words in ("“How so?”", "question 1 ", "not in the form"))


def test_the_sharpest_threshold_is_accepted_and_the_next_is_not(blank):
    check(blank, cases("thresholds"))


def test_no_two_rows_differ_by_more_than_alpha_in_any_output(blank):
    check(blank, cases("weights"))


def test_noise_keeps_the_stated_delta_and_not_a_trillionth_less(blank):
    check(blank, cases("noise"))


def test_malformed_questions_are_refused_by_name(blank):
    check(blank, [(sound_question(name), True) for name in MECHANISMS] + cases("malformed"))


def test_a_mechanism_is_refused_for_a_kind_it_does_not_fit(blank):
    def asked_as(name: str, kind: str) -> dict[str, Any]:
        given, own = sound_question(name, d=2 if kind == "yes_no" else 4), of_kind(KINDS[name])
        return {field: value for field, value in given.items() if field not in own} | of_kind(kind)

    check(
        blank,
        [(asked_as(name, kind), name in fitting) for name in MECHANISMS for kind, fitting in FITTING.items()],
    )


def test_factors_are_rounded_up_from_the_tables(blank):
    """Never below the realized factor, and above by less than a tenth or, from 100 on, by less than one."""
    given = [
        sound_question(name, alpha) for name in MECHANISMS if name not in WITH_DELTA for alpha in ("0.01", "1", "6")
    ]
    shown = mapped(blank, "certificate.js", "oddsFactor", "oddsFactor", given)
    for each, answer in zip(given, shown, strict=True):
        realized = math.exp(MECHANISMS[each["mechanism"]].realized_alpha(each["table"], 4))
        assert answer["delta"] is None
        assert (
            realized * (1 - 1e-9) <= float(answer["text"]) <= realized * (1 + 1e-9) + (1 if realized >= 99.9 else 0.1)
        )


def test_noise_states_its_delta_beside_a_factor_not_below_e_to_the_alpha(blank):
    osgt, bitwise, gaussian = (sound_question(name) for name in ("osgt", "bitwise", "gaussian"))
    shown = mapped(blank, "certificate.js", "oddsFactor", "oddsFactor", [osgt, gaussian])
    assert shown == [{"text": "7.4", "delta": "0.00001"}] * 2
    body = "(questions) => [totalAlpha({ questions }), totalFactor({ questions }), totalDelta({ questions })]"
    totals = mapped(
        blank, "certificate.js", "totalAlpha, totalFactor, totalDelta", body, [[osgt, bitwise, gaussian], [bitwise], []]
    )
    assert totals == [["6", "404", "0.00002"], ["2", "7.4", None], ["0", "1.0", None]]


def test_the_certificate_of_a_long_survey_takes_no_noticeable_time(blank):
    """Twenty different questions, each with the longest table that there is."""
    rows = MECHANISMS["exponential"].table(Fraction(1), 32)["rows"]
    noises = [question("gaussian", "1", 256, {"noise": [2**40 * k + i for k in range(1, 1025)]}) for i in range(20)]
    scales = [question("exponential", f"1.{i:02}1", 32, {"rows": [list(row) for row in rows]}) for i in range(20)]
    body = """(texts) => {
      const start = performance.now();
      const sentences = texts.map((text) => certify(new TextEncoder().encode(text)).problem);
      return [performance.now() - start, sentences.filter((sentence) => sentence === null).length];
    }"""
    given = [[definitions.canonical(definition(each)).decode() for each in several] for several in (noises, scales)]
    (noise, weak), (scale, sound) = mapped(blank, "certificate.js", "certify", body, given)
    assert (weak, sound) == (0, 20)
    assert 0 < noise < PAUSE and 0 < scale < PAUSE


# name: (served module, its text, its text with the fault, the cases that must fail)
FAULTS = {
    "alpha not halved": ("certificate", "parts: 2n", "parts: 1n", "thresholds"),
    "alpha not shared": ("certificate", "expBelow(millionths(question.alpha), parts)",
                         "expBelow(millionths(question.alpha), 1n)", "thresholds"),
    "twice e to the alpha": ("certificate", "a * denominator <= b", "a * denominator <= 2n * b", "thresholds"),
    "one direction only": ("certificate", "a >= b && ", "", "thresholds"),
    "subset in the wrong proportion": ("certificate", "(BigInt(d) - m)", "(BigInt(d) - m - 1n)", "thresholds"),
    "neighbouring rows only": ("weights", "extremes(table.map((row) => row[z]))",
                               "extremes(table.slice(0, 2).map((row) => row[z]))", "weights"),
    "last output not looked at": ("weights", "return table[0]\n", "return table[0].slice(1)\n", "weights"),
    "values in any order": ("weights", ".sort(byRatio)", "", "noise"),
    "the value beyond the noise left out": ("weights", "[...noise, 0n]", "[...noise]", "noise"),
    "only gains counted": ("weights", "gain * sumB - loss * sumA", "gain * sumB - loss * sumA * 2n", "noise"),
    "thresholds need not increase": ("weights", "weight > 0", "weight !== null", "malformed"),
    "any number of rows": ("shape", "&& rows.length === options.length", "", "malformed"),
    "rows of any length": ("shape", "rows.forEach((row) => must(weights(row).length === rows[0].length + 1));",
                           "rows.forEach(weights);", "malformed"),
    "bins and options in any number": ("shape", "must(asked(question) === question.edges.length - 1)",
                                       "asked(question)", "malformed"),
    "a mean that may be refused": ("shape", "must(!refusable);", "", "malformed"),
    "edges in any order": ("shape", "decimal(numbers[i - 1]) < decimal(number)", "true", "malformed"),
    "options that are the same": ("shape", "must(new Set(list).size === list.length);", "", "malformed"),
    "fields that nobody reads": ("shape", "must(JSON.stringify(Object.keys(object).sort()) === "
                                 "JSON.stringify([...names].sort()));", "", "malformed"),
    "any number as a threshold": ("exact", "Number.isSafeInteger(t) && t > 0", "t > 0", "malformed"),
    "more items than there are": ("exact", "number <= high", "number > 0", "malformed"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_served_certificate_are_caught(page, system, fault):
    module, old, new, subject = FAULTS[fault]
    page.route(f"**/respond/{module}.js", with_fault(old, new))
    open_blank(page, system.url)
    with pytest.raises((AssertionError, Error)):
        check(page, cases(subject))
