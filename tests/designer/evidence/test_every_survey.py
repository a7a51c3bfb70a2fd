"""Every kind and mechanism, deltas, routing, three languages, invitations, waves and control characters: all documents
are written, and DDI has the questions in each language."""

import io
from html import unescape
from xml.etree import ElementTree

import pytest
from django.utils.translation import override

from surveys.designer.evidence import catalog, facts
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Survey
from surveys.survey.definition.languages import in_language
from tests.support import everything, forms
from tests.support.estimates import ODD, document_of, released, work
from tests.support.invitations import IN_GROUPS, INVITED
from tests.support.waves import opened_wave
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db
DDI = "{ddi:codebook:2_6}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def files_of(survey):
    own = facts.of_survey(Survey.objects.get(pk=survey.pk))
    return {file.name: file.content.decode() for file in catalog.files(own)}


def test_of_every_kind_and_mechanism_all_documents_are_made_in_three_languages():
    survey = create_draft(everything.draft())
    written = files_of(survey)
    assert {f"statement.{tag}.html" for tag in everything.LANGUAGES} <= written.keys()
    root = ElementTree.parse(io.StringIO(written["ddi.xml"])).getroot()
    definition = facts.definition_of(survey)
    for tag in everything.LANGUAGES[1:]:
        texts = {one.text for one in root.iter(f"{DDI}qstnLit") if one.get(LANGUAGE) == tag}
        assert texts == {
            " ".join(each["text"].split()) or None for each in definition["translations"][tag]["questions"]
        }


def test_the_questionnaire_has_every_text_of_every_kind_in_each_language():
    survey = create_draft(everything.draft())
    written, definition = files_of(survey), facts.definition_of(survey)
    for tag in everything.LANGUAGES:
        page, texts = unescape(written[f"questionnaire.{tag}.html"]), in_language(definition, tag)
        for question in texts["questions"]:
            parts = [question["text"], *question.get("options", ()), *question.get("items", ())]
            assert all(part in page for part in parts), (tag, question["key"])
    assert "Asked only of those who answered" in written["questionnaire.en.html"]


def test_a_delta_is_said_wherever_alpha_is():
    survey = create_draft(everything.draft())
    own = facts.of_survey(survey)
    assert own.delta > 0
    written = files_of(survey)
    assert (
        "apart from a chance" in written["statement.en.html"]
        and "apart from a chance of δ" in written["methods.en.html"]
    )
    assert (
        "Each bound leaves out a chance" in written["impact.en.html"] and "Pure local" not in written["annex.en.html"]
    )


def test_groups_are_said():
    texts = files_of(create_draft(IN_GROUPS))
    assert "each group has published results: Sales, Works." in texts["statement.en.html"]
    assert "a person is hidden only among that group: Sales, Works." in texts["impact.en.html"]


def test_invitations_and_waves_are_said():
    invited = create_draft(INVITED)
    texts = files_of(invited)
    assert "RFC 9474" in texts["annex.en.html"] and "rfc9474" in texts["references.bib"]
    assert "response rate" not in texts["transparency.en.html"]
    first = create_draft(forms.DRAFT)
    open_survey(first)
    later = opened_wave(first)
    together = facts.of_survey(later).alpha_of_waves
    assert together > facts.of_survey(first).alpha_of_waves
    assert "earlier waves too, all your reports together" in files_of(later)["statement.en.html"]


def test_the_statement_says_what_a_relay_sees(settings):
    settings.RELAYS = ["https://relay.example.org"]
    relayed = create_draft(forms.DRAFT | {"relay": "https://relay.example.org"})
    assert "goes through relay.example.org, which sees your IP address" in files_of(relayed)["statement.en.html"]


def test_where_items_are_drawn_every_document_says_how_many_and_counts_the_reports_about_each():
    items = {"kind": "multiple_choice", "text": "Which?", "options": [*"abcde"], "sample": 2, "alpha": "1"}
    single = {"key": "one", "kind": "yes_no", "text": "Is it so?", "alpha": "1"}
    survey = create_draft({"title": "Items", "questions": [{"key": "drawn", **items}, single]})
    open_survey(survey)
    store(survey, range(60), drawn=[False] * 5)
    close_survey(survey)
    work(survey)
    texts = files_of(survey)
    for name in ("annex", "impact", "methods", "preregistration", "transparency"):
        assert "some items only: drawn (2 of the 5)." in texts[f"{name}.en.html"], name
    assert "draws some of the items at random" in texts["statement.en.html"]
    question, _one = document_of(survey)["questions"]
    numbers = [category["n_about"] for category in question["methods"][0]["categories"]]
    assert f"{min(numbers)}–{max(numbers)}" in texts["methods.en.html"] and sum(numbers) == 2 * 60


def test_where_all_items_are_reported_no_document_speaks_of_drawn_ones():
    items = {"kind": "multiple_choice", "text": "Which?", "options": ["a", "b"], "sample": 2, "alpha": "1"}
    texts = files_of(create_draft({"title": "Items", "questions": [{"key": "all", **items}]}))
    assert not [name for name, text in texts.items() if "drawn items and has" in text or "items at random" in text]


def test_texts_that_look_like_markup_stay_texts_in_every_document():
    written = files_of(released(30, ODD))
    for name, text in written.items():
        if name.endswith(".html"):
            assert "<b>" not in text.replace("<bdi>", ""), name
    root = ElementTree.fromstring(written["ddi.xml"])
    assert root.findtext(f".//{DDI}titl") == "Codebook of " + ODD["title"]


@pytest.mark.parametrize("tag", ["en", "de", "ar"])
def test_no_text_of_a_document_names_a_placeholder(tag):
    own = facts.of_survey(create_draft(forms.DRAFT))
    with override(tag):
        for offer in catalog.PAPERS:
            text = str(offer.make(own))
            assert "%(" not in text and "%%" not in text, offer.name
