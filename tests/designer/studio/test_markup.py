"""Markup in longer texts wherever the site shows them: before opening, in the preview, in documents, as an XLSForm."""

import copy
import json
from html import unescape

import pytest

from surveys.designer.evidence import catalog, facts
from surveys.designer.studio.preview import preview
from surveys.designer.xlsform import writer
from surveys.life.lifecycle import begin_draft, create_draft
from surveys.survey import definition as definitions
from surveys.survey.definition import markup
from tests.support.factories import DRAFT
from tests.support.life import page, text
from tests.support.workbooks import imported

pytestmark = pytest.mark.django_db

LINK = "[Who we are](https://example.org/about)"
SHOWN = (
    '<a href="https://example.org/about" rel="noreferrer noopener" target="_blank">Who we are</a> '
    "(<bdi>example.org</bdi>)"
)


def marked():
    draft = copy.deepcopy(DRAFT)
    draft["questions"][0]["note"] = "**Ever**, that is:\n- once\n- <i>often</i>"
    return draft | {"introduction": f"A **short** one. {LINK}", "thanks": "**Bye.**"}


def test_what_will_be_frozen_is_shown_with_its_markup(ada, client):
    shown = page(client, begin_draft(ada, marked()), "open/").content.decode()
    assert f'<div class="marked" dir="auto"><p>A <strong>short</strong> one. {SHOWN}</p></div>' in shown
    assert "<ul><li>once</li><li>&lt;i&gt;often&lt;/i&gt;</li></ul>" in shown and "<strong>Bye.</strong>" in shown


def test_a_link_is_no_text_that_a_template_left_in_brackets(ada, client):
    assert "in brackets" not in text(page(client, begin_draft(ada, marked()), "open/"))
    both = marked() | {"thanks": f"{LINK} at [place]"}
    assert "brackets, as in a template: [place]" in text(page(client, begin_draft(ada, both), "open/"))


def test_the_preview_has_it_at_once_also_before_there_is_a_question(ada, client):
    assert preview(marked()).definition["markup"] == 1
    assert "markup" not in preview(DRAFT).definition
    empty = begin_draft(ada, {"title": "Begun", "introduction": f"**So.** {LINK}", "questions": []})
    shown = page(client, empty, "preview/").content.decode()
    assert f"<p><strong>So.</strong> {SHOWN}</p>" in shown and "**" not in shown
    plain = begin_draft(ada, {"title": "Begun", "introduction": "So * it is.", "questions": []})
    assert ">So * it is.</p>" in page(client, plain, "preview/").content.decode()


def test_a_link_that_will_be_refused_leaves_the_rest_of_the_preview(ada):
    definition = preview(marked() | {"thanks": "**Bye** [x](http://example.org)"}).definition
    assert definition["markup"] == 1 and definitions.certified(definitions.canonical(definition))


def test_a_short_hint_stands_beside_the_fields_that_may_have_it(ada, client):
    survey, hint = (
        begin_draft(ada, marked()),
        "**bold**, “- ” for lists and [links](https://…) work.",
    )
    assert page(client, survey, "texts/").content.decode().count(hint) == 3
    assert page(client, survey, "questions/yes/").content.decode().count(hint) == 1


def test_documents_have_the_words_without_the_signs():
    own = facts.of_survey(create_draft(marked()))
    written = {file.name: unescape(file.content.decode()) for file in catalog.files(own)}
    for name in ("questionnaire.en.html", "ddi.xml"):
        assert "A short one. Who we are (https://example.org/about)" in written[name]
        assert "Ever, that is:" in written[name] and "**" not in written[name], name
    old = {**own.definition}
    old.pop("markup")
    assert markup.plain(old, old["thanks"]) == "**Bye.**"


def test_a_form_has_it_as_it_was_typed_and_gives_it_back():
    definition = definitions.build(marked())
    back = imported(writer.write(definition, "marked")).draft
    assert (back["introduction"], back["thanks"]) == (marked()["introduction"], "**Bye.**")
    assert back["questions"][0]["note"] == marked()["questions"][0]["note"]
    assert definitions.build(json.loads(json.dumps(marked()))) == definition
