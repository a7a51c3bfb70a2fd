"""Every mechanism and every kind in each part of the page: asked, sent, explained and read back."""

import json

import pytest

from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout
from tests.support import kinds
from tests.support.certificate_cases import definition, sound_question
from tests.support.site import open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

TABLES = """async () => {
  const [mechanisms, kinds, words, fields] = await Promise.all(
    ["mechanisms", "kinds", "words", "fields"].map((name) => import(`/static/respond/${name}.js`)));
  return {
    fitting: Object.fromEntries(Object.entries(kinds.KINDS).map(([name, { gives }]) =>
      [name, Object.keys(mechanisms.MECHANISMS).filter((each) => gives.includes(mechanisms.MECHANISMS[each].takes))])),
    fields: Object.keys(fields.FIELDS),
    missing: Object.entries(words.ASKED).filter(([, { missing }]) => missing).map(([name]) => name),
    mechanisms: Object.keys(mechanisms.MECHANISMS),
    withDelta: Object.entries(mechanisms.MECHANISMS).filter(([, { keeps }]) => keeps).map(([name]) => name),
    methods: Object.keys(words.METHODS),
  };
}"""

# From the definition's bytes to the report read back: each part with the text that it shows.
WALK = """async ({ text, answer }) => {
  const names = ["certificate", "lot", "privatize", "generator", "promise", "form", "outcome", "check", "words"];
  const modules = await Promise.all(names.map((name) => import(`/static/respond/${name}.js`)));
  const { certify, ofForm, makeReport, browserWords, promise, check, renderForm, thanks, readBack, METHODS, READING } =
    Object.assign({}, ...modules);
  const { definition: certified } = certify(new TextEncoder().encode(text));
  const definition = ofForm(certified);
  const [{ key, mechanism, table }] = definition.questions;
  const form = document.createElement("div");
  renderForm(definition, form, { onSend: () => {} });
  const body = makeReport(certified, "0".repeat(64), { [key]: answer }, browserWords());
  const [readAs] = readBack(definition.questions[0], JSON.parse(body).answers[key]);
  return {
    body,
    method: METHODS[mechanism],
    reading: READING[readAs]?.(table) ?? "",
    promise: promise(definition).node.textContent,
    form: form.textContent,
    audit: (await check(certified, undefined, new Uint8Array(), "0".repeat(64), []))
      .map((node) => node.textContent).join(" "),
    thanks: thanks(definition, body, { repeated: false }, "").node.textContent,
  };
}"""


@pytest.fixture(scope="module")
def blank(browser, system):
    with browser.new_context() as context:
        yield open_blank(context.new_page(), system.url)


def test_the_page_knows_the_kinds_and_mechanisms_of_the_server_in_every_table(blank):
    tables = blank.evaluate(TABLES)
    assert {kind: set(names) for kind, names in tables["fitting"].items()} == {k: set(v) for k, v in FITTING.items()}
    assert set(tables["fields"]) < set(FITTING) and set(tables["missing"]) - {"choice"} < set(FITTING)
    assert set(tables["mechanisms"]) == set(tables["methods"]) == set(MECHANISMS)
    assert set(tables["withDelta"]) == set(WITH_DELTA)


@pytest.mark.parametrize("name", MECHANISMS)
def test_every_mechanism_is_asked_with_sent_explained_and_read_back(blank, name):
    question = sound_question(name)
    data = definitions.canonical(definition(question))
    shown = blank.evaluate(WALK, {"text": data.decode(), "answer": kinds.of(question["kind"]).ANSWER})
    report = json.loads(shown.pop("body"))["answers"]
    layout = Layout(json.loads(data))
    assert len(layout.pack(report)) == layout.bytes
    assert shown.pop("method") in shown["audit"]
    assert shown.pop("reading") in shown["thanks"]
    for part, text in shown.items():
        assert text and "undefined" not in text and "NaN" not in text and "[object" not in text, part
    assert question["text"] in shown["form"] and all(f"“{entry}”" in shown["audit"] for entry in question["table"])
    assert ("delta" in question) == ("1 in 100,000" in shown["promise"]) == ("1 in 100,000" in shown["audit"])
