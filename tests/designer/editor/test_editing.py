"""The editors store text as it was typed and show errors beside it."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.designer.files import shape
from surveys.drafts import kinds, options
from surveys.life.lifecycle import open_survey
from surveys.models import AuditEntry, Membership, Role, Survey
from surveys.survey.definition import refusals
from surveys.survey.kinds import KINDS
from tests.support import forms
from tests.support.alpha import proposal_mark_of
from tests.support.builder import FRAGMENTS, begun, errors, form, questions, signed_in, undo, url, with_question
from tests.support.factories import DRAFT
from tests.support.kinds import of

pytestmark = pytest.mark.django_db


def test_every_kind_can_be_begun_filled_in_and_opened():
    client, survey = signed_in(), begun({"title": "", "questions": []})
    assert list(kinds.KINDS) != [] and kinds.KINDS.keys() == KINDS.keys()
    for kind in KINDS:
        added = client.post(url(survey), {"add": kind})
        assert added.status_code == 302
        sent = form(client, added.url)
        sent |= of(kind).TYPED | {"text": f"About {kind}?", "note": "Think."}
        sent |= {"prefer_not_to_say": "on"} if not KINDS[kind].no_refusing else {}
        assert client.post(added.url, sent).status_code == 302
    client.post(f"/surveys/{survey.pk}/texts/", form(client, f"/surveys/{survey.pk}/texts/") | {"title": "All kinds"})
    survey.refresh_from_db()
    assert survey.title == "All kinds"
    assert [question["key"] for question in survey.draft["questions"]] == [f"q{i}" for i in range(1, len(KINDS) + 1)]
    assert survey.draft["questions"][1]["options"] == ["Yes, often", "Sometimes", "Never"]
    assert not any("alpha" in question for question in survey.draft["questions"])
    assert (
        f'<a href="/surveys/{survey.pk}/alpha/">People and protection</a>' in client.get(url(survey)).content.decode()
    )
    page = client.get(f"/surveys/{survey.pk}/alpha/").content.decode()
    taken = {"do": "apply", "which": "proposal", "mark": proposal_mark_of(page)}
    client.post(f"/surveys/{survey.pk}/alpha/", taken)
    survey.refresh_from_db()
    assert "Nothing is missing." in client.get(url(survey)).content.decode()
    open_survey(survey)
    assert len(survey.questions) == len(KINDS)


def test_what_is_wrong_is_stored_as_it_was_typed_and_said_beside_its_field():
    survey, client = with_question(kind="histogram", edges=[]), signed_in()
    address = url(survey, "q1")
    typed = {
        "text": "  ",
        "alpha": "a lot",
        "edges": "0\nten\n 5",
        "unit": "x" * 41,
        "mechanism": "magic",
        "delta": "1",
    }
    answer = client.post(address, form(client, address) | typed)
    assert answer.status_code == 302
    stored = questions(survey)[0]
    assert {name: stored[name] for name in typed} == typed | {"edges": ["0", "ten", "5"]}
    html = client.get(address).content.decode()
    assert errors(html, "text") == ["Write the question."]
    assert errors(html, "alpha") == ["Alpha must be a number with at most six digits after the point, such as 0.5."]
    assert errors(html, "edges")[0].startswith("Line 2 must be a number")
    assert errors(html, "unit") == ["Unit must be a text of 0 to 40 characters."]
    assert errors(html, "mechanism") == ["Mechanism must be one that this kind of question can have."]
    assert form(client, address).items() >= (typed | {"edges": "0\nten\n5"}).items()
    for name in ("alpha", "edges", "unit", "mechanism"):
        assert re.search(rf'id="f-{name}"[^>]*aria-invalid="true"', html), name
        assert f'href="#f-{name}"' in html
    assert not re.search(r'id="f-text"[^>]*aria-invalid', html), "what is only missing is no mistake yet"


def test_lines_that_repeat_are_named():
    survey, client = with_question(kind="grid", items=["a", "b", "a"], options=["x"]), signed_in()
    html = client.get(url(survey, "q1")).content.decode()
    assert errors(html, "items") == ["Items must differ from each other; lines 1 and 3 are the same."]
    assert errors(html, "options") == ["Write at least two options, one on each line."]


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"alpha": "17"}, "alpha", "Alpha must be from 0.01 to 16."),
        (
            {"kind": "mean", "low": "5", "high": "1,5"},
            "high",
            "Highest number must be a number such as 17.5, with at most 12 digits before the point and 6 after it.",
        ),
        ({"kind": "mean", "low": "5", "high": "1"}, "high", "Highest number must be greater than the lowest number."),
        ({"kind": "ordered", "options": [f"{i}" for i in range(300)]}, "options", "Options must have 2 to 256 lines."),
        ({"kind": "ordered", "options": ["a", "b" * 201]}, "options", "Line 2 must be a text of 1 to 200 characters."),
        (
            {"kind": "ordered", "options": ["a", "Prefer not to say"]},
            "options",
            "Options must differ from “Prefer not to say”, which a box of its own adds.",
        ),
        ({"kind": "histogram", "edges": ["1", "3", "2"]}, "edges", "Edges must increase from each to the next."),
        (
            {"kind": "ordered", "options": ["Yes", "No", "Y\u200bes"]},
            "options",
            "Options must look different from each other; lines 1 and 3 look the same.",
        ),
        ({"kind": "ordered", "options": ["a", "\u2800"]}, "options", "Line 2 must hold characters that can be seen."),
        (
            {"note": "\u202egnp.exe"},
            "note",
            "Note must not hold invisible characters that change the order in which it is read.",
        ),
    ],
)
def test_rules_are_said_in_the_words_of_a_form(fields, field, said):
    survey = with_question(**fields)
    html = signed_in().get(url(survey, "q1")).content.decode()
    assert errors(html, field) == [said]


def test_a_field_that_no_one_touches_stays_what_a_file_brought():
    brought = {"alpha": 0.5, "edges": [0, "1.50", {"a": 1}], "unit": None, "note": 7, "kind": "histogram", "extra": [1]}
    survey, client = with_question(**brought), signed_in()
    address = url(survey, "q1")
    sent = form(client, address)
    assert (sent["alpha"], sent["edges"]) == ("0.5", '0\n1.50\n{"a": 1}')
    client.post(address, sent | {"text": "Changed"})
    assert questions(survey) == [{"key": "q1", "text": "Changed"} | brought]
    html = client.get(address).content.decode()
    assert "Unknown fields: extra." in html
    client.post(address, form(client, address) | {"drop": "1"})
    assert "extra" not in questions(survey)[0]
    undo(client, survey)
    assert questions(survey)[0]["extra"] == [1]


@pytest.mark.parametrize(
    "draft",
    [
        {},
        {"title": 5, "questions": "none", "introduction": ["x"]},
        {"title": "x", "questions": [{"kind": ["yes_no"], "options": {"a": 1}, "alpha": {"x": 1}}, {"kind": 3}, 7]},
        {
            "title": "x",
            "questions": [{"kind": "grid", "items": 5, "sample": [1]}],
            "sections": [{"title": 4, "extra": 1}],
        },
        {"title": "x", "other": 1, "questions": [{"kind": "histogram", "edges": ["0", None, 3], "alpha": None}]},
    ],
    ids=["nothing", "wrong types", "wrong questions", "wrong sections", "unknown fields"],
)
def test_whatever_a_draft_holds_every_page_of_it_is_shown(draft):
    survey, client = begun(draft), signed_in()
    html = client.get(url(survey)).content.decode()
    links = set(re.findall(rf'href="(/surveys/{survey.pk}/(?:questions|sections|texts)/[^"#]*)"', html))
    for link in links - {url(survey)}:
        assert client.get(link).status_code == 200, link
        assert client.post(link, form(client, link)).status_code == 302, link


def test_a_key_is_renamed_or_refused_with_the_old_one_kept():
    survey, client = (
        begun(DRAFT | {"sections": [{"title": "All", "text": "", "questions": ["yes", "which", "many"]}]}),
        signed_in(),
    )
    address = url(survey, "yes")
    for wished, said in [
        ("1x", "beginning with a letter"),
        ("many", "Another question has this key"),
        ("", "Take 1 to 40"),
    ]:
        answer = client.post(address, form(client, address) | {"key": wished, "text": f"With {wished}"})
        html = answer.content.decode()
        assert answer.status_code == 422
        assert said in errors(html, "key")[0]
        assert f'name="key" id="f-key" value="{wished}"' in html, "what was typed stays"
        assert (questions(survey)[0]["key"], questions(survey)[0]["text"]) == (
            "yes",
            f"With {wished}".strip() if wished else "With ",
        )
    answer = client.post(address, form(client, address) | {"key": "no_more"})
    assert answer.url == url(survey, "no_more")
    survey.refresh_from_db()
    assert survey.draft["sections"][0]["questions"] == ["no_more", "which", "many"]


def test_another_kind_keeps_what_it_knows_and_can_be_undone():
    survey, client = begun(), signed_in()
    address = url(survey, "which")
    before = questions(survey)[1]
    client.post(address, form(client, address) | {"change_kind": "1", "to_kind": "multiple_choice"})
    kept = {name: before[name] for name in ("key", "text", "options", "alpha", "prefer_not_to_say")}
    assert questions(survey)[1] == kept | {"kind": "multiple_choice"}
    assert "Undo" in client.get(address).content.decode()
    undo(client, survey)
    assert questions(survey)[1] == before


@pytest.mark.parametrize("field", ["options", "steps", "ranked"])
def test_lines_that_a_file_brought_without_a_kind_stay_whatever_kind_is_chosen(field):
    lines = ["red", "green", "blue"]
    brought = shape.draft({"title": "x", "questions": [{"key": "q1", "text": "Which?", field: lines}]})["questions"][0]
    assert options.options_of(brought) == lines
    for kind, name in (("ordered", "options"), ("ranking", "ranked"), ("grid", "options")):
        assert kinds.changed(brought, kind)[name] == lines


def test_a_usual_scale_is_filled_in_in_every_language_that_the_site_speaks_and_can_be_undone():
    survey, client = with_question(kind="ordered", options=["Bad", "Good"]), signed_in()
    drafted = survey.draft["questions"]
    texts = {tag: {"title": "", "questions": [{"text": "", "options": ["Old", "New"]}]} for tag in ("de", "fr")}
    Survey.objects.update(draft=survey.draft | {"language": "en", "translations": texts})
    client.post(url(survey, "q1"), form(client, url(survey, "q1")) | {"fill_scale": "1", "preset": "agreement"})
    steps = ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"]
    assert questions(survey) == [drafted[0] | {"options": steps}]
    survey.refresh_from_db()
    kept = {tag: each["questions"][0]["options"] for tag, each in survey.draft["translations"].items()}
    german = ["Stimme gar nicht zu", "Stimme nicht zu", "Weder noch", "Stimme zu", "Stimme voll zu"]
    assert kept == {"de": german, "fr": [""] * 5}
    undo(client, survey)
    survey.refresh_from_db()
    assert (survey.draft["questions"], survey.draft["translations"]) == (drafted, texts)
    grid = with_question(kind="grid", items=["Tea", "Milk"], options=["Bad", "Good"])
    client.post(url(grid, "q1"), form(client, url(grid, "q1")) | {"fill_scale": "1", "preset": "agreement"})
    assert questions(grid)[0]["options"] == steps and questions(grid)[0]["items"] == ["Tea", "Milk"]
    mean = with_question(kind="mean", steps=["Bad", "Good"])
    client.post(url(mean, "q1"), form(client, url(mean, "q1")) | {"fill_scale": "1", "preset": "eleven"})
    assert questions(mean)[0]["steps"] == [str(step) for step in range(11)]
    before = questions(mean)
    client.post(url(mean, "q1"), form(client, url(mean, "q1")) | {"fill_scale": "1", "preset": "none"})
    assert questions(mean) == before


def test_a_pasted_table_fills_the_options_and_their_translations_at_once():
    survey, client = with_question(kind="ordered", options=["Old", "New"]), signed_in()
    address = url(survey, "q1")
    pasted = "en\tde\tfr\r\nBad\tSchlecht\tMauvais\r\nGood\tGut\tBon"
    page = client.post(address, form(client, address) | {"options": pasted}, headers=FRAGMENTS).content.decode()
    assert ">\nBad\nGood</textarea>" in page, "the form shows what is stored"
    survey.refresh_from_db()
    assert survey.draft["questions"][0]["options"] == ["Bad", "Good"]
    assert {tag: each["questions"][0] for tag, each in survey.draft["translations"].items()} == {
        "de": {"text": "", "options": ["Schlecht", "Gut"]},
        "fr": {"text": "", "options": ["Mauvais", "Bon"]},
    }
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft["questions"][0]["options"] == ["Old", "New"] and "translations" not in survey.draft


def test_only_the_row_that_is_wrong_is_named_and_what_was_pasted_stays():
    survey, client = with_question(kind="ordered", options=["Old", "New"]), signed_in()
    address = url(survey, "q1")
    pasted = "en\tde\nBad\tSchlecht\nGood\tGut\tToo much"
    page = client.post(address, form(client, address) | {"options": pasted}, headers=FRAGMENTS).content.decode()
    assert set(re.findall(r'data-lines="([^"]+)"', page)) == {"2"} and "columns that fit no language" in page
    assert questions(survey)[0]["options"] == ["Bad", "Good\tGut\tToo much"]
    other = with_question(kind="ordered", options=["Old", "New"])
    sent = form(client, url(other, "q1")) | {"options": "a\tb\nc\td"}
    assert "Let the first row name them" in client.post(url(other, "q1"), sent, headers=FRAGMENTS).content.decode()
    assert questions(other)[0]["options"] == ["a\tb", "c\td"]


def test_of_several_answers_it_is_said_which_one_clears_the_others():
    survey, client = with_question(kind="multiple_choice", options=["Tea", "Coffee"]), signed_in()
    address = url(survey, "q1")
    assert "The page adds “None of these”" in client.get(address).content.decode()
    sent = form(client, address) | {"options": "Tea\nNone of the above"}
    page = client.post(address, sent, headers=FRAGMENTS).content.decode()
    assert "“None of the above” goes with no other answer" in page and "The page adds" not in page
    assert 'id="nothing"' not in client.get(url(begun(), "which")).content.decode()


def test_an_option_is_marked_as_none_of_these_and_the_mark_follows_it():
    survey, client = with_question(kind="multiple_choice", options=["Tea", "Neither", "Coffee"]), signed_in()
    address = url(survey, "q1")
    assert 'name="exclusive"' in client.get(address).content.decode()
    sent = form(client, address) | {"exclusive": "1"}
    page = client.post(address, sent, headers=FRAGMENTS).content.decode()
    assert "“Neither” goes with no other answer" in page and questions(survey)[0]["exclusive"] == 1
    sent = form(client, address) | {"options": "Neither\nTea\nCoffee"}
    page = client.post(address, sent, headers=FRAGMENTS).content.decode()
    assert questions(survey)[0]["exclusive"] == 0 and '<option value="0" selected>Neither' in page
    client.post(address, form(client, address) | {"exclusive": ""})
    assert "exclusive" not in questions(survey)[0]
    assert 'name="exclusive"' not in client.get(url(begun(), "which")).content.decode()


def test_what_an_alpha_means_is_one_link_away_and_so_is_the_way_back():
    survey, client = begun(), signed_in()
    meaning = f"/surveys/{survey.pk}/alpha/?question=yes"
    assert f'href="{meaning}"' in client.get(url(survey, "yes")).content.decode()
    page = client.get(meaning).content.decode()
    assert "What it means for a person" in page and f'href="{url(survey, "yes")}"' in page


def test_texts_and_headings_are_edited():
    survey, client = begun(), signed_in()
    client.post(url(survey), {"add_section": ""})
    texts = {"title": "New", "introduction": "Line\none", "consent": "I agree.", "thanks": "Thank you."}
    address = f"/surveys/{survey.pk}/texts/"
    client.post(address, form(client, address) | texts)
    heading = f"/surveys/{survey.pk}/sections/0/"
    client.post(heading, form(client, heading) | {"title": "Part one", "text": "About you"})
    survey.refresh_from_db()
    assert survey.draft == DRAFT | texts | {
        "sections": [{"title": "Part one", "text": "About you", "questions": ["yes", "which", "many"]}]
    }
    client.post(address, form(client, address) | {"consent": "", "title": ""})
    survey.refresh_from_db()
    assert ("consent" in survey.draft, survey.draft["title"], survey.title) == (False, "", "")
    assert errors(client.get(address).content.decode(), "title") == ["Give it a title."]


def test_fragments_hold_what_changed_and_the_next_sending_is_made_from_them():
    survey, client = begun(), signed_in()
    address = url(survey, "which")
    sent = form(client, address)
    for text in ("Which one?", "Which of these?", ""):
        answer = client.post(address, sent | {"text": text}, headers=FRAGMENTS)
        html = answer.content.decode()
        assert (answer.status_code, answer["X-Fragments"]) == (200, "1")
        sent["mark"] = re.search(r'name="mark" id="mark" value="([^"]+)"', html)[1]
        assert 'id="row-which"' in html and 'id="row-yes"' not in html
    assert errors(html, "text") == ["Write the question."]
    assert 'class="flag"' in html
    assert questions(survey)[1]["text"] == ""


def test_what_no_one_types_is_not_stored():
    survey, client = begun(), signed_in()
    address = url(survey, "yes")
    assert client.post(address, form(client, address) | {"text": "x" * 100_001}).status_code == 413
    assert questions(survey) == DRAFT["questions"]


def test_an_alpha_that_is_exact_deciders_again_is_missing_and_not_wrong():
    survey, client = begun(), signed_in()
    address = url(survey, "yes")
    client.post(address, form(client, address) | {"alpha": ""})
    assert "alpha" not in questions(survey)[0]
    wrong = refusals(DRAFT | {"questions": questions(survey)})
    assert {(each.field, each.code) for each in wrong} == {("questions[0].alpha", "missing")}


def test_one_entry_of_the_log_stands_for_a_day_of_editing():
    survey = begun(DRAFT, "bob")
    for name in ("ada", "ada", "bob", "bob"):
        client = signed_in(name)
        address = url(survey, "yes")
        client.post(address, form(client, address) | {"text": f"By {name}"})
    entries = AuditEntry.objects.filter(action="edited").order_by("pk")
    assert [(entry.username, entry.survey_number) for entry in entries] == [("ada", survey.pk), ("bob", survey.pk)]


def test_what_was_opened_is_shown_and_edited_no_more():
    survey, client = begun(), signed_in()
    address = url(survey, "yes")
    sent = form(client, address)
    open_survey(survey)
    assert client.post(address, sent | {"text": "Late"}).url == url(survey)
    assert client.post(url(survey), {"remove": "yes"}).url == url(survey)
    for page in (url(survey), address, f"/surveys/{survey.pk}/texts/"):
        assert client.get(page).url == f"/surveys/{survey.pk}/asked/"
    assert questions(survey) == DRAFT["questions"]


def test_what_was_opened_in_forms_is_shown_with_the_alpha_of_each():
    survey, client = begun(forms.DRAFT), signed_in()
    open_survey(survey)
    page = client.get(f"/surveys/{survey.pk}/asked/").content.decode()
    assert page.count("randomized together</span>") == 2 and page.count("<span>α = ") == 6


@pytest.mark.parametrize("role", [None, *Role])
def test_designers_and_owners_build_and_no_one_else(role):
    survey, client = begun(), signed_in("eve")
    if role:
        Membership.objects.create(survey=survey, user=User.objects.get(username="eve"), role=role)
    may = role in (Role.DESIGNER, Role.OWNER)
    for page in (url(survey), url(survey, "yes"), f"/surveys/{survey.pk}/texts/"):
        assert client.get(page).status_code == (200 if may else 404)
        assert client.post(page, {"nothing": "1"}).status_code == (302 if may else 404)
        assert Client().get(page).status_code == 302
    assert questions(survey) == DRAFT["questions"]


def test_what_no_definition_knows_is_dropped_where_that_is_asked_for():
    survey, client = begun(DRAFT | {"colour": "red"}), signed_in()
    address = f"/surveys/{survey.pk}/texts/"
    assert "Its field “colour” is not known here" in client.get(address).content.decode()
    client.post(address, form(client, address) | {"drop": "1"})
    survey.refresh_from_db()
    assert survey.draft == DRAFT
    undo(client, survey)
    survey.refresh_from_db()
    assert survey.draft == DRAFT | {"colour": "red"}
