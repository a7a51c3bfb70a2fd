"""The certificate as served, in Chromium, accepts and refuses the right tables, to the last unit (P2)."""

import math
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Error

from ldp.mechanisms import FITTING, MECHANISMS
from surveys.rules import limits
from surveys.survey import definition as definitions
from surveys.survey.mechanisms import laplace
from tests.support import arm_cases, form_cases, mechanisms
from tests.support.certificate_cases import WITH_DELTA, Case, definition, of_kind, question, sound_question
from tests.support.malformed import cases
from tests.support.site import MODULES, mapped, open_blank, open_with, run

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# The check of a definition takes at most this many times as long as reading its bytes.
READS = 100


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


# The page's statement about the canonical bytes of some data.
PROBLEMS = """async ({modules, texts}) => {
  const { certify } = await import(`${modules}/certificate.js`);
  const { PROBLEMS } = await import(`${modules}/words.js`);
  return texts.map((text) => {
    const { problem } = certify(new TextEncoder().encode(text));
    return problem && PROBLEMS[problem.reason](problem);
  });
}"""


def problems(page: Any, questions: list[dict[str, Any]]) -> list[str | None]:
    texts = [definitions.canonical(definition(each)).decode() for each in questions]
    result: list[str | None] = run(page, PROBLEMS, {"modules": MODULES, "texts": texts})
    return result


def check(page: Any, cases: list[Case]) -> None:
    """Check that certify() accepts the sound questions. It must refuse the others with a sentence that names the
    question."""
    for (given, sound), sentence in zip(cases, problems(page, [given for given, _ in cases]), strict=True):
        assert (sentence is None) == sound, (given, sentence)
        assert sound or any(words in sentence for words in ("“How so?”", "question 1 ", "not in the form"))


def test_the_sharpest_threshold_is_accepted_and_the_next_is_not(blank):
    check(blank, cases("thresholds"))


def test_no_two_rows_differ_by_more_than_alpha_in_any_output(blank):
    check(blank, cases("weights"))


def test_noise_keeps_the_stated_delta_and_not_a_trillionth_less(blank):
    check(blank, cases("noise"))


def test_the_limits_are_the_servers(blank):
    shown = blank.evaluate("async (module) => (await import(module)).LIMITS", f"{MODULES}/rules.js")
    names = ("questions", "categories", "items", "tables", "title", "text", "consent", "option", "unit", "languages")
    assert shown == {name: getattr(limits, f"{name.upper()}_MAX") for name in names} | {"digits": laplace.DIGITS_MAX}


def test_malformed_questions_are_refused_by_name(blank):
    check(blank, [(sound_question(name), True) for name in MECHANISMS] + cases("malformed"))


def test_a_mechanism_is_refused_for_a_kind_it_does_not_fit(blank):
    def asked_as(name: str, kind: str) -> dict[str, Any]:
        d = len(of_kind(kind).get("options", range(4)))
        given, own = sound_question(name, d=d), of_kind(mechanisms.of(name).KIND)
        return {field: value for field, value in given.items() if field not in own} | of_kind(kind)

    check(
        blank,
        [(asked_as(name, kind), name in fitting) for name in MECHANISMS for kind, fitting in FITTING.items()],
    )


def test_factors_are_rounded_up_from_the_tables(blank):
    """A factor is never below the realized one. It is above by less than a tenth or, from 100 on, by less than one."""
    given = [
        sound_question(name, alpha) for name in MECHANISMS if name not in WITH_DELTA for alpha in ("0.01", "1", "6")
    ]
    shown = mapped(blank, "check.js", "oddsFactor", "oddsFactor", given)
    for each, answer in zip(given, shown, strict=True):
        realized = math.exp(MECHANISMS[each["mechanism"]].realized_alpha(each["table"], 4))
        assert answer["delta"] is None
        assert (
            realized * (1 - 1e-9) <= float(answer["text"]) <= realized * (1 + 1e-9) + (1 if realized >= 99.9 else 0.1)
        )


def test_noise_states_its_delta_beside_a_factor_not_below_e_to_the_alpha(blank):
    osgt, bitwise, gaussian = (sound_question(name) for name in ("osgt", "bitwise", "gaussian"))
    shown = mapped(blank, "check.js", "oddsFactor", "oddsFactor", [osgt, gaussian])
    assert shown == [{"text": "7.4", "delta": "0.00001"}] * 2
    body = """(questions) => {
      const asked = { parts: questions.map((question) => ({ ...question, questions: [question] })) };
      const [numerator, denominator] = totalFactor(asked);
      return [totalAlpha(asked), Number((1000n * numerator) / denominator), totalDelta(asked)];
    }"""
    totals = mapped(
        blank, "certificate.js", "totalAlpha, totalFactor, totalDelta", body, [[osgt, bitwise, gaussian], [bitwise], []]
    )
    assert totals == [["6", 403428, "0.00002"], ["2", 7389, None], ["0", 1000, None]]


def test_the_certificate_of_a_long_survey_takes_no_noticeable_time(blank):
    """With the longest possible tables, the certificate takes at most READS times as long as reading their bytes, 0.1
    ms each. The fastest of nine tries counts, because a busy machine slows some of them."""
    rows = MECHANISMS["exponential"].table(Fraction(1), 32)["rows"]
    noises = [question("gaussian", "1", 256, {"noise": [2**40 * k + i for k in range(1, 1025)]}) for i in range(20)]
    scales = [question("exponential", f"1.{i:02}1", 32, {"rows": [list(row) for row in rows]}) for i in range(20)]
    body = """(texts) => {
      const least = (work) => Math.min(...Array.from({ length: 9 }, () => {
        const start = performance.now();
        for (const text of texts) work(new TextEncoder().encode(text));
        return performance.now() - start;
      }));
      const sound = texts.filter((text) => certify(new TextEncoder().encode(text)).problem === null).length;
      return [sound, least(certify), least((bytes) => JSON.parse(new TextDecoder().decode(bytes)))];
    }"""
    given = [[definitions.canonical(definition(each)).decode() for each in several] for several in (noises, scales)]
    (weak, noise, read), (sound, scale, read_scale) = mapped(blank, "certificate.js", "certify", body, given)
    assert (weak, sound) == (0, 20)
    assert 0 < noise < READS * read and 0 < scale < READS * read_scale


FORMS = "(text) => certify(Uint8Array.from(text, (byte) => byte.charCodeAt(0))).problem"


@cache
def _form_cases() -> list[tuple[bytes, bool]]:
    return list(form_cases.cases())


def check_forms(page: Any) -> None:
    """Check that certify() agrees with the server about definitions in forms."""
    given = _form_cases()
    found = mapped(page, "certificate.js", "certify", FORMS, [data.decode("latin-1") for data, _ in given])
    assert [problem is None for problem in found] == [sound for _, sound in given]


def test_versions_of_one_question_are_asked_only_where_they_can_be_compared(blank):
    given = list(arm_cases.cases())
    found = mapped(blank, "certificate.js", "certify", FORMS, [data.decode("latin-1") for data, _ in given])
    assert [problem is None for problem in found] == [sound for _, sound in given]


def test_of_forms_the_sharpest_table_is_accepted_and_the_next_is_not(blank):
    check_forms(blank)
    weak = form_cases.changed(form_cases.WEAKER[0])
    [problem] = mapped(blank, "certificate.js", "certify", FORMS, [definitions.canonical(weak).decode()])
    assert problem == {"reason": "weak", "texts": ["Ever?", "How often?"]}


# name: (served module, statement (`site.serve_with`))
FORM_FAULTS = {
    "any table": ("certificate", "atMost = () => true;"),
    "as many combinations as the first answer": (
        "mechanisms",
        "MECHANISMS.randomized_response.worst = ({ keep, sizes }, counts) => "
        "likelier({ keep, sizes: sizes.slice(0, 1) }, counts.slice(0, 1));",
    ),
    "combinations without end": (
        "mechanisms",
        """SIZES.fits = (sizes, questions) => {
          must(Array.isArray(sizes) && sizes.length === questions.length);
          sizes.forEach((size, place) => whole(size, 1, valuesOf(questions[place]) - 1));
        };""",
    ),
    "all options listed": (
        "mechanisms",
        """SIZES.fits = (sizes, questions) => {
          must(Array.isArray(sizes) && sizes.length === questions.length);
          sizes.forEach((size, place) => whole(size, 1, valuesOf(questions[place])));
          must(questions.length === 1 || product(questions.map(valuesOf)) <= CELLS_MAX);
        };""",
    ),
    "sizes of some questions": (
        "mechanisms",
        """SIZES.fits = (sizes, questions) => {
          sizes.forEach((size, place) => whole(size, 1, valuesOf(questions[place]) - 1));
          must(questions.length === 1 || product(questions.map(valuesOf)) <= CELLS_MAX);
        };""",
    ),
    "draws of a question that no estimate pools": ("lot", "pooled = () => true;"),
    "draws in any order": (
        "lot",
        "inTheirOrder = (draws, keys) => "
        "draws.forEach((draw) => must(draw.questions.every((key) => keys.includes(key))));",
    ),
    "conditions across forms": ("lot", "decided = () => true;"),
}


@pytest.mark.parametrize("fault", FORM_FAULTS)
def test_faults_in_what_is_served_for_forms_are_caught(faulty, system, fault):
    open_with(faulty, system.url, *FORM_FAULTS[fault], speaks=True)
    with pytest.raises((AssertionError, Error)):
        check_forms(faulty)


# name: (served module, statement (`site.serve_with`), the cases that must fail)
FAULTS = {
    "alpha not halved": (
        "mechanisms",
        """for (const name of ["bitwise", "laplace"]) MECHANISMS[name].parts = 1n;""",
        "thresholds",
    ),
    "alpha not shared": (
        "exact",
        "{ const sound = expBelow; expBelow = (alpha) => sound(alpha, 1n); }",
        "thresholds",
    ),
    "twice e to the alpha": (
        "certificate",
        "{ const sound = atMost; atMost = (ratio, [above, below]) => sound(ratio, [2n * above, below]); }",
        "thresholds",
    ),
    "one direction only": (
        "certificate",
        "atMost = ([a, b], [numerator, denominator]) => b > 0n && a * denominator <= b * numerator;",
        "thresholds",
    ),
    "subsets in the wrong proportion": (
        "mechanisms",
        """MECHANISMS.randomized_response.worst = ({ keep, sizes }, counts) =>
          likelier({ keep, sizes: sizes.map((size) => size + 1) }, counts);""",
        "thresholds",
    ),
    "items drawn apart": (
        "mechanisms",
        "MECHANISMS.multiple.worst = ({ keep }) => likelier({ keep, sizes: [1] }, [2]);",
        "thresholds",
    ),
    "one option of each item": (
        "mechanisms",
        "MECHANISMS.grid.worst = ({ size, ...table }, [d]) => likelier(ofEntries({ ...table, size: d - 1 }), [d]);",
        "thresholds",
    ),
    "neighbouring rows only": (
        "exact",
        "{ const sound = worstRatio; worstRatio = (rows) => sound(rows.slice(0, 2)); }",
        "weights",
    ),
    "last output not looked at": (
        "exact",
        """worstRatio = (rows) => {
          const table = rows.map(weights);
          return table[0].slice(1)
            .map((_, z) => extremes(table.map((row) => row[z])))
            .reduce((worst, ratio) => (ratio[0] * worst[1] > worst[0] * ratio[1] ? ratio : worst));
        };""",
        "weights",
    ),
    "values in any order": ("exact", "byRatio = () => 0;", "noise"),
    "the value beyond the noise left out": (
        "exact",
        "{ const sound = shifts; shifts = (noise) => sound(noise).slice(0, -1); }",
        "noise",
    ),
    "only gains counted": (
        "exact",
        """keepsDelta = (thresholds, [numerator, denominator], [allowed, one]) => {
          const bins = shifts(weights(thresholds).map(BigInt));
          let total = 0n;
          for (const [a, b] of bins) for (const [c, e] of bins) {
            const [gain, loss] = [a * denominator * e, b * numerator * c];
            if (gain > loss) total += gain - 2n * loss;
          }
          return total * one <= allowed * denominator * UNITS ** 2n;
        };""",
        "noise",
    ),
    "thresholds need not increase": (
        "exact",
        """weights = (thresholds) => {
          must(Array.isArray(thresholds) && thresholds.length > 0 && thresholds.every(Number.isSafeInteger));
          return [...thresholds, RESOLUTION].map((bound, z) => bound - (z > 0 ? thresholds[z - 1] : 0));
        };""",
        "malformed",
    ),
    "any number of rows": (
        "mechanisms",
        "ROWS_OF_OPTIONS.fits = (rows, [{ options }]) => must(lengths(rows) === options.length - 1);",
        "malformed",
    ),
    "rows of any length": (
        "mechanisms",
        """lengths = (rows) => {
          must(Array.isArray(rows) && rows.length >= 2);
          rows.forEach(weights);
          return rows[0].length;
        };""",
        "malformed",
    ),
    "bins and options in any number": (
        "kinds",
        """KINDS.histogram.rule = (question) => {
          increasing(question.edges);
          text(question.unit, LIMITS.unit, true);
          asked(question);
        };""",
        "malformed",
    ),
    "a mean that may be refused": (
        "kinds",
        """{
          const { rule } = KINDS.mean;
          KINDS.mean.rule = (question) => rule({ ...question, prefer_not_to_say: false });
        }""",
        "malformed",
    ),
    "edges in any order": (
        "rules",
        """increasing = (numbers) => {
          must(Array.isArray(numbers) && numbers.length >= 2 && numbers.length <= LIMITS.categories + 1);
          must(numbers.every((number) => typeof number === "string" && NUMBER.test(number)));
        };""",
        "malformed",
    ),
    "options that are the same": (
        "rules",
        """differentTexts = (list, most) => {
          must(Array.isArray(list) && list.length >= 2 && list.length <= most);
          list.forEach((each) => text(each, LIMITS.option));
        };""",
        "malformed",
    ),
    "fields that nobody reads": (
        "rules",
        "exactly = (object) => must(typeof object === 'object' && object !== null && !Array.isArray(object));",
        "malformed",
    ),
    "any number as a threshold": ("mechanisms", "CHANCE.fits = (t) => must(t > 0);", "malformed"),
    "more items than there are": (
        "mechanisms",
        "MECHANISMS.grid.entries.sample = { fits: () => true };",
        "malformed",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_served_certificate_are_caught(faulty, system, fault):
    module, statement, subject = FAULTS[fault]
    open_with(faulty, system.url, module, statement, speaks=True)
    with pytest.raises((AssertionError, Error)):
        check(faulty, cases(subject)[:: 1 if subject == "malformed" else 3])
