"""Bold, lists and links in longer texts: what counts as one, what is refused, and that all other text is unchanged. The
page's own module passes the same table (tests/browser/test_markup.py)."""

import copy
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from time import process_time

import pytest

from surveys.rules import markup
from surveys.survey import definition as definitions
from surveys.survey.definition import markup as field
from tests.support import refused
from tests.support.drawn import drawn
from tests.support.factories import DRAFT

CASES = json.loads((Path(__file__).parents[2] / "support" / "markup.json").read_text(encoding="utf-8"))
LINK = "[Who we are](https://example.org/about)"
LONG = 10_000


def named(draft):
    return [(refusal.field, refusal.code) for refusal in definitions.refusals(draft)]


class Seen(HTMLParser):
    """The elements and attributes of some HTML, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40])
def test_each_text_of_the_table_is_shown_as_it_says(case):
    text = case["text"]
    assert markup.html(text) == case["html"] and markup.plain(text) == case["plain"]
    assert (markup.has_markup(text), markup.has_broken_link(text)) == (case["marked"], case["broken"])


def test_a_text_without_markup_loses_nothing_when_it_is_shown():
    for case in CASES:
        if not case["marked"]:
            shown = Seen(markup.html(case["text"]))
            assert shown.tags <= {"p"} and markup.plain(case["text"]) == case["text"]
            assert "".join(shown.text.split()) == "".join(case["text"].split())


def test_no_text_becomes_anything_but_these_elements():
    for case in CASES:
        shown = Seen(markup.html(case["text"]))
        assert shown.tags <= {"p", "ul", "li", "strong", "a", "bdi"} and shown.attributes <= {"href", "rel", "target"}
        for address in re.findall(r'href="([^"]*)"', case["html"]):
            assert address.startswith(("https://", "mailto:")) and not re.search(r"[{}$<>\s]", address)


@pytest.mark.parametrize(
    "part", ["**a", "[", "[a](", "** ", "[a](https://", "a.", "- a\n", "- \n", "[a](mailto:a@", "**[a]("]
)
def test_no_text_takes_long(part):
    text = (part * LONG)[:LONG]
    start = process_time()
    for read in (markup.html, markup.plain, markup.has_markup, markup.has_broken_link):
        read(text)
    assert process_time() - start < 1


def test_a_definition_says_that_a_text_has_markup_and_only_then():
    assert "markup" not in definitions.build(DRAFT | {"introduction": "A * star, and [brackets]."})
    for name, text in (("introduction", "**So**"), ("consent", "- a\n- b"), ("thanks", LINK)):
        made = definitions.build(DRAFT | {name: text})
        assert made["markup"] == markup.NUMBER == 1 and made[name] == text
    noted = copy.deepcopy(DRAFT)
    noted["questions"][0]["note"] = "**All** of last year."
    assert definitions.build(noted)["markup"] == 1
    bold = copy.deepcopy(DRAFT)
    bold["questions"][0]["text"] = "**Really?**"
    assert "markup" not in definitions.build(bold | {"title": "**Title**"}), "short texts have none"


def test_a_text_of_a_section_and_of_a_translation_counts_too():
    keys = [each["key"] for each in DRAFT["questions"]]
    section = {"title": "One", "text": "**First**", "questions": keys}
    assert definitions.build(DRAFT | {"sections": [section]})["markup"] == 1
    draft = refused.BASE | {"introduction": "So."}
    translated = {"title": "Titel", "introduction": "**So.**", "questions": [{"text": "?"} for _ in draft["questions"]]}
    translated["questions"][1]["options"] = ["rot", "blau"]
    assert definitions.build(draft | {"translations": {"de": translated}})["markup"] == 1


def test_a_definition_that_names_no_markup_is_shown_as_it_is_written():
    built = definitions.build(DRAFT | {"introduction": "**So**"})
    unmarked = {name: value for name, value in built.items() if name != "markup"}
    assert definitions.certified(definitions.canonical(unmarked))
    assert field.html(unmarked, unmarked["introduction"]) is None
    assert field.plain(unmarked, unmarked["introduction"]) == "**So**"


def test_a_link_leads_to_https_or_a_mail_or_is_refused_by_name():
    for case in CASES:
        rules = named(DRAFT | {"thanks": case["text"]})
        assert (("thanks", "link_address") in rules) == case["broken"], case["text"]


def test_no_link_stands_where_only_some_are_asked():
    draft = copy.deepcopy(refused.BASE)
    draft["questions"][1] |= {"asked_if": {"question": "a1", "options": [0]}, "note": LINK}
    assert named(draft) == [("questions[1].note", "link_for_some")]
    draft["questions"][1]["note"] = "**Only** you."
    sections = [{"title": "One", "text": LINK, "questions": ["a1"]}, {"title": "Two", "text": "", "questions": ["b1"]}]
    sections += [{"title": "Three", "text": LINK, "questions": ["c1", "d1"]}]
    assert named(draft | {"sections": sections}) == []
    sections[1]["text"] = LINK
    assert named(draft | {"sections": sections}) == [("sections[1].text", "link_for_some")]


def test_no_link_stands_where_only_some_of_those_with_one_form_are_asked():
    """People with the form of b1 see the section only after some answers; the other form always shows it."""
    draft = copy.deepcopy(refused.BASE)
    draft["questions"][1] |= {"asked_if": {"question": "a1", "options": [0]}}
    forms = {"forms": [{"questions": ["a1", "b1"]}, {"questions": ["c1", "d1"]}]}
    sections = [{"title": "One", "text": LINK, "questions": ["a1"]}]
    sections += [{"title": "Two", "text": "", "questions": ["b1", "c1", "d1"]}]
    assert named(drawn(draft | forms | {"sections": sections})) == []
    sections[1]["text"] = LINK
    assert named(drawn(draft | forms | {"sections": sections})) == [("sections[1].text", "link_for_some")]
    shared = {"forms": [{"questions": ["c1"]}, {"questions": ["d1"]}]}
    assert named(drawn(draft | shared | {"sections": sections})) == []
    sections = [sections[0], sections[1] | {"questions": ["b1"]}, sections[0] | {"questions": ["c1", "d1"]}]
    assert named(drawn(draft | shared | {"sections": sections})) == [("sections[1].text", "link_for_some")]


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("[Wer wir sind](https://example.org/ueber)", True),
        ("**[Wer wir sind](https://example.org)**", True),
        ("[Wer wir sind](https://example.com/about)", False),
        ("Wer wir sind", False),
        (f"{LINK} {LINK}", False),
    ],
)
def test_a_translation_leads_to_the_same_hosts(text, fits):
    translated = {"title": "Titel", "thanks": text, "questions": [{"text": "?"} for _ in refused.BASE["questions"]]}
    translated["questions"][1]["options"] = ["rot", "blau"]
    draft = refused.BASE | {"thanks": LINK, "translations": {"de": translated}}
    assert named(draft) == ([] if fits else [("translations.de.thanks", "link_translation")])


@pytest.mark.parametrize("value", [5, [LINK], {"a": LINK}, None])
def test_what_is_no_text_is_left_to_its_own_rule(value):
    for name in ("thanks", "sections", "questions", "translations"):
        codes = {code for _, code in named(DRAFT | {name: value})}
        assert codes and not any(code.startswith("link") for code in codes), name
