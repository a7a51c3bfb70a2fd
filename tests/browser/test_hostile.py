"""Altered definitions at the served modules in Chromium. Each is refused, or every answer yields a report (P1).

Whether a report can be made must not depend on the answer. The server's certificate (test_certificate.py) agrees about
each altered definition.
"""

import json
import random
from decimal import Decimal
from itertools import count

import pytest

from ldp import routing
from ldp.forms import definition as rules
from ldp.kinds.histogram import category
from ldp.privatize import make_report
from surveys.respondent.intake.envelope import parse
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout
from tests.support import arm_cases, form_cases, frames, vectors
from tests.support import routing as support_routing
from tests.support.certificate_cases import definition, sound_question
from tests.support.hostile import all_answers, altered
from tests.support.site import mapped, open_blank, open_with, run

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

# Certify the bytes. If they pass, report every answer as the form would; typed texts go through number.js. Return
# {passes, reports}. A report is a body, the form's sentence about a too long number, or an error.
REPORTS = """async ({ cases }) => {
  const { certify } = await import("/static/respond/certificate.js");
  const { makeReport } = await import("/static/respond/privatize.js");
  const { readNumber } = await import("/static/respond/number.js");
  const { unmistakable } = await import("/static/respond/typed.js");
  const { browserWords } = await import("/static/respond/generator.js");
  const words = browserWords();
  return cases.map(({ bytes, answers }) => {
    const { definition } = certify(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    if (definition === null) return { passes: false, reports: [] };
    const [question] = definition.questions;
    return { passes: true, reports: answers.map((given) => {
      const read = typeof given === "string" ? readNumber(question, unmistakable(given)) : { answer: given };
      if (read.problem) return read.problem;
      try {
        return makeReport(definition, "0".repeat(64), new Map([[question.key, read.answer]]), words);
      } catch (error) {
        return String(error);
      }
    }) };
  });
}"""


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


def single(index):
    return definitions.build({"title": "é", "questions": [vectors.EVERY_KIND["questions"][index]]})


def check(page, cases, certified=definitions.certified):
    """Check that the page agrees with the server about each definition. If one passes, every answer must be
    reported."""
    kept = [(data, certified(data)) for data in cases]
    given = [{"bytes": data.decode("latin-1"), "answers": answers(data) if sound else []} for data, sound in kept]
    passed = 0
    for (data, sound), result in zip(kept, run(page, REPORTS, {"cases": given}), strict=True):
        assert result["passes"] == sound, data[:2000]
        passed += result["passes"]
        if result["passes"]:
            layout = Layout(json.loads(data))
            for body in result["reports"]:
                assert body[0] == "{", (body, data[:2000])
                assert len(layout.pack(parse(body.encode()).answers)) == layout.bytes
    return passed


@pytest.mark.statistical
def test_around_the_questions_the_page_says_what_the_server_says(blank, nightly):
    cases = [*altered(frames.framed(), whole=nightly), *(data for data, _ in frames.cases())]
    body = "(bytes) => certify(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))).problem === null"
    verdicts = mapped(blank, "certificate.js", "certify", body, [data.decode("latin-1") for data in cases])
    assert len(cases) > 700
    for data, verdict in zip(cases, verdicts, strict=True):
        assert verdict == definitions.certified(data), data[:2000]


WHOLE = """async ({ cases }) => {
  const { certify } = await import("/static/respond/certificate.js");
  const { makeReport } = await import("/static/respond/privatize.js");
  return cases.map(({ text, paths }) => {
    const { definition } = certify(new TextEncoder().encode(text));
    if (definition === null) return null;
    return paths.map((answers) => {
      let next = 0;
      const words = () => { next += 1; return (next * 2654435761) % 2 ** 32; };
      return makeReport(definition, "0".repeat(64), new Map(Object.entries(answers)), words);
    });
  });
}"""


@pytest.mark.statistical
def test_routed_questions_are_refused_as_by_the_server_or_reported_on_every_path_as_by_the_twin(blank, nightly):
    cases = [data for data, _ in support_routing.cases()]
    for made in (support_routing.short(), support_routing.by_several()):
        cases += altered(made, whole=nightly)
    texts = [data.decode("utf-8", "replace") for data in cases]
    kept = [(text, definitions.certified(text.encode())) for text in texts]
    given = [{"text": text, "paths": paths(json.loads(text)) if sound else []} for text, sound in kept]
    found = run(blank, WHOLE, {"cases": given})
    assert len(cases) > 2000 and 100 < sum(sound for _, sound in kept) < len(cases) / 2
    for (text, sound), each, bodies in zip(kept, given, found, strict=True):
        assert (bodies is not None) == sound, text[:2000]
        for answers, body in zip(each["paths"], bodies or (), strict=True):
            words = ((i * 2654435761) % 2**32 for i in count(1))
            assert body == make_report(json.loads(text), "0" * 64, answers, lambda words=words: next(words))


def test_whom_several_questions_let_in_is_the_same_in_python_whatever_was_answered(blank):
    """The test tries every answer to three questions, with every join and some options of each. One of the three
    depends on another."""
    cases = list(support_routing.enumerated())
    body = "([questions, answers]) => [...askedOf(questions, new Map(Object.entries(answers)))]"
    found = mapped(blank, "routing.js", "askedOf", body, [[questions, answers] for questions, answers in cases])
    assert len(cases) > 1000
    for (questions, answers), keys in zip(cases, found, strict=True):
        assert set(keys) == routing.applicable(questions, answers), (questions, answers)


IN_FORMS = """async ({ cases }) => {
  const { certify } = await import("/static/respond/certificate.js");
  const { makeReport } = await import("/static/respond/privatize.js");
  return cases.map(({ bytes, people }) => {
    const { definition } = certify(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    if (definition === null) return null;
    return people.map(([form, answers]) => {
      let next = 0;
      const words = () => { next += 1; return (next * 2654435761) % 2 ** 32; };
      return makeReport(definition, "0".repeat(64), answers, words, form);
    });
  });
}"""


@pytest.mark.statistical
def test_forms_are_refused_as_by_the_server_or_reported_by_everyone_as_by_the_twin(blank, nightly):
    cases = [data for data, _ in (*form_cases.cases(), *arm_cases.cases())]
    for made in (form_cases.built(), arm_cases.changed(arm_cases.SOUND[0])):
        cases += altered(made, whole=nightly)
    kept = [(data, definitions.certified(data)) for data in cases]
    given = [
        {"bytes": data.decode("latin-1"), "people": people(json.loads(data)) if sound else []} for data, sound in kept
    ]
    found = run(blank, IN_FORMS, {"cases": given})
    assert len(cases) > 2000 and 100 < sum(sound for _, sound in kept) < len(cases) / 2
    for (data, sound), each, bodies in zip(kept, given, found, strict=True):
        assert (bodies is not None) == sound, data[:2000]
        for (form, answers), body in zip(each["people"], bodies or (), strict=True):
            words = ((i * 2654435761) % 2**32 for i in count(1))
            made = json.loads(data)
            assert body == make_report(made, "0" * 64, answers, lambda words=words: next(words), form)


def people(made):
    """Return a person with random answers for each form. Questions that are not asked have none."""
    chance, found = random.Random(8), []
    for form in range(len(made["forms"])):
        questions = rules.questions_of(made, form)
        whole = {each["key"]: vectors.answer(each, chance) for each in questions}
        asked = routing.applicable(questions, whole)
        found.append([form, {key: whole[key] for key in whole if key in asked}])
    return found


def paths(made):
    """Return random answers of a few people. Questions that are not asked have none."""
    chance, found = random.Random(5), []
    for _ in range(4):
        whole = {each["key"]: vectors.answer(each, chance) for each in made["questions"]}
        found.append({key: whole[key] for key in whole if key in routing.applicable(made["questions"], whole)})
    return found


def answers(data):
    [question] = json.loads(data)["questions"]
    return all_answers(question)


@pytest.mark.statistical
@pytest.mark.parametrize("index", range(len(vectors.EVERY_KIND["questions"])))
def test_an_altered_definition_is_refused_or_every_answer_to_it_is_reported(blank, index, nightly):
    cases = list(altered(single(index), whole=nightly))
    cases = cases[:: 1 + sum(map(len, cases)) // 6_000_000]  # for a long table some cases are enough
    assert 0 < check(blank, cases) < len(cases) / 3 < 1000


def test_a_number_too_long_to_be_counted_exactly_is_no_answer(blank):
    question = sound_question("laplace")
    typed = ["1" * 16, "0." + "1" * 16, "1" * 400, "-" + "9" * 16]
    body = "([question, text]) => readNumber(question, text)"
    for asked in (question, sound_question("one_bit")):
        found = mapped(blank, "number.js", "readNumber", body, [[asked, text] for text in typed])
        assert found == [{"problem": "This number is too long. Enter at most 15 digits."}] * 4


def test_a_number_falls_into_the_bin_that_fractions_say(blank):
    """Floating point takes some numbers for an edge: one last digit below or above it."""
    question = sound_question("laplace") | {
        "edges": ["-0.3", "0.1", "0.3", "999999999999.999998", "999999999999.999999"]
    }
    typed = [
        text for text in all_answers(question) if isinstance(text, str) and text[0] not in "+." and text[-1] != "."
    ]
    body = "([question, text]) => KINDS.histogram.answerOf(question, text)"
    found = mapped(blank, "kinds.js", "KINDS", body, [[question, text] for text in typed])
    assert found == [category(question, Decimal(text)) for text in typed] and len(set(found)) == 4


# name: (served module, statement (`site.serve_with`), the mechanism whose definitions must fail)
FAULTS = {
    "a bin too many": (
        "kinds",
        """KINDS.histogram.rule = (question) => {
          increasing(question.edges);
          text(question.unit, LIMITS.unit, true);
          asked(question);
        };""",
        "laplace",
    ),
    "a mean that may be refused": (
        "kinds",
        """{
          const { rule } = KINDS.mean;
          KINDS.mean.rule = (question) => rule({ ...question, prefer_not_to_say: false });
        }""",
        "one_bit",
    ),
    "doubled fields": ("shape", "parse = (bytes) => JSON.parse(UTF8.decode(bytes));", "bitwise"),
    "half characters": (
        "rules",
        "{ const sound = text; text = (value, ...more) => sound(value.replace(/\\p{Cs}/u, 'x'), ...more); }",
        "bitwise",
    ),
    "any fields": ("rules", "exactly = (object) => must(typeof object === 'object' && object !== null);", "grid"),
    "a kind in a list": (
        "shape",
        "{ const sound = wellFormed; wellFormed = (question) => sound({ ...question, kind: String(question.kind) }); }",
        "one_bit",
    ),
    "options without end": (
        "rules",
        "{ const sound = differentTexts; differentTexts = (list) => sound(list, Infinity); }",
        "bitwise",
    ),
}


@pytest.mark.statistical
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_in_the_served_shape_are_caught(faulty, system, fault, nightly):
    module, statement, mechanism = FAULTS[fault]
    open_with(faulty, system.url, module, statement, speaks=True)
    made = definition(sound_question(mechanism))
    many = {"options": [f"{i}" for i in range(300)]} if fault == "options without end" else {}
    cases = [*altered(made, whole=nightly), definitions.canonical(definition(sound_question(mechanism) | many))]
    chance = random.Random(fault)
    chance.shuffle(cases)
    with pytest.raises(AssertionError):
        check(faulty, cases)
