"""Each way to begin a survey and to download it, for each role, with its audit entries."""

import io
import json
from fractions import Fraction
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import strip_tags
from openpyxl import load_workbook

from ldp.planning import meaning
from surveys import drafts
from surveys.designer.files import ours
from surveys.designer.files.starting import template, templates
from surveys.designer.studio import import_remarks
from surveys.life.lifecycle import begin_draft, close_survey, open_survey
from surveys.models import AuditEntry, Membership, Role, Survey
from surveys.survey.definition import alpha_total, build
from tests.support.builder import undo
from tests.support.drafts import edit
from tests.support.factories import DRAFT
from tests.support.workbooks import form, row, workbook

pytestmark = pytest.mark.django_db


def person(name):
    return User.objects.get_or_create(username=name)[0]


def client_of(name):
    client = Client()
    client.force_login(person(name))
    return client


@pytest.fixture
def ada():
    return client_of("ada")


def begin(client, way, **fields):
    return client.post("/surveys/new/", {"begin": way, **fields})


def brought(client, data, name="draft.json"):
    return begin(client, "file", file=SimpleUploadedFile(name, data))


def logged():
    return list(AuditEntry.objects.order_by("pk").values_list("username", "action", "detail"))


# New ------------------------------------------------------------------------------------------------------------------


def test_a_blank_survey_is_a_draft_of_the_person_who_began_it(ada):
    response = begin(ada, "blank")
    survey = Survey.objects.get()
    assert response.status_code == 302 and f"/surveys/{survey.pk}/" in response["Location"]
    assert survey.draft == {"title": "", "introduction": "", "questions": [], "protection": {"alpha": "2"}}
    assert survey.is_draft and survey.expected_n is None
    assert survey.memberships.get().role == Role.OWNER
    assert logged() == [("ada", "created", "")]


@pytest.mark.parametrize("name", [each.slug for each in templates()])
def test_a_template_begins_a_survey(ada, name):
    begin(ada, "template", template=name)
    draft = Survey.objects.get().draft
    assert draft == template(name).draft and draft["protection"] == {"alpha": "2", "important": [template(name).main]}
    assert logged() == [("ada", "created", f"from the template {name}")]


def test_a_draft_as_json_begins_a_survey_complete_or_not(ada):
    brought(ada, ours.write(DRAFT).encode())
    brought(ada, b'{"questions": [{"kind": "grid"}]}')
    assert [survey.draft for survey in Survey.objects.order_by("pk")] == [
        DRAFT,
        {"title": "", "questions": [{"key": "q1", "kind": "grid"}], "protection": {"alpha": "2"}},
    ]
    assert logged() == [("ada", "imported", "JSON")] * 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "Choose a file that is not empty"),
        (b"x" * (2 << 20) + b"xx", "larger than 2.0"),
        (b"name,age\n1,2\n", "neither a draft as JSON nor an XLSForm"),
        (b'{"title": 5, "more": 6}', "title: must be a text"),
        (b'{"title": 5, "more": 6}', "more: is not known here"),
        (b"PK\x03\x04", "not an .xlsx spreadsheet"),
        (workbook(survey=[["type", "name"], ["select_one x", "q"]]), "not a valid XLSForm"),
    ],
)
def test_a_file_that_is_none_begins_nothing_and_all_reasons_stand_on_the_page(ada, data, words):
    response = brought(ada, data)
    page = response.content.decode()
    assert response.status_code == 422 and words in page and 'aria-invalid="true"' in page
    assert not Survey.objects.exists() and not AuditEntry.objects.exists()


def test_without_a_file_template_or_survey_nothing_begins(ada):
    for fields in ({"begin": "file"}, {"begin": "template", "template": "x"}, {"begin": "survey", "survey": "9" * 30}):
        assert ada.post("/surveys/new/", fields).status_code == 422, fields
    assert not Survey.objects.exists()


def test_strangers_are_sent_to_sign_in_and_a_form_from_elsewhere_is_refused():
    for method in ("get", "post"):
        assert getattr(Client(), method)("/surveys/new/").status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("ada"))
    assert strict.post("/surveys/new/", {"begin": "blank"}).status_code == 403
    assert not Survey.objects.exists()


# The people, first ----------------------------------------------------------------------------------------------------

INVITED = {"people": "1,200", "who": "invited", "total": "4"}


@pytest.mark.parametrize("way", ["blank", "template", "file"])
def test_what_was_said_of_the_people_stays_with_the_draft(ada, way):
    file = SimpleUploadedFile("draft.json", b'{"title": "Work", "questions": [{"kind": "yes_no", "text": "Tired?"}]}')
    begin(ada, way, **INVITED, **{"file": {"file": file}, "template": {"template": "team"}}.get(way, {}))
    survey = Survey.objects.get()
    assert survey.expected_n == 1200 and survey.draft["invitations"] is True
    assert survey.draft["protection"]["alpha"] == "4"
    assert way == "blank" or alpha_total(build(survey.draft)) == "4"


def test_groups_begin_with_the_survey_and_those_too_small_are_shown_together_until_that_is_undone(ada):
    """A draft keeps no list of people. A template with groups gets no forms, because groups cannot have forms."""
    groups = ["Sales" if k % 2 else "Legal" if k < 20 else "Works" for k in range(90)]
    listed = "".join(f"person{k}@example.org;{group}\n" for k, group in enumerate(groups))
    sized = {"template": "team", "groups": "Sales; 45\nLegal; 10\nWorks; 35"}
    for way, fields in (("blank", {"listed": listed}), ("template", sized)):
        begin(ada, way, **INVITED, **fields)
        survey = Survey.objects.latest("pk")
        joined = [{"name": "Legal + Works", "people": 45}, {"name": "Sales", "people": 45}]
        assert sorted(survey.draft["groups"], key=lambda group: group["name"]) == joined
        assert "example.org" not in str(survey.__dict__) and "forms" not in survey.draft
        said = strip_tags(ada.get(f"/surveys/{survey.pk}/questions/").content.decode())
        assert "Legal + Works” is one group" in said or "“Works + Legal” is one group" in said
    undo(ada, survey)
    survey.refresh_from_db()
    assert [group["name"] for group in survey.draft["groups"]] == ["Sales", "Legal", "Works"]


def test_where_one_group_is_left_there_is_none_and_after_undo_the_survey_can_still_be_opened(ada):
    begin(ada, "template", template="team", **INVITED, groups="Sales; 120\nLegal; 8")
    survey = Survey.objects.get()
    assert "groups" not in survey.draft and build(survey.draft)
    said = strip_tags(ada.get(f"/surveys/{survey.pk}/questions/").content.decode())
    assert "with fewer than 20 people. No group's results are published apart." in unescape(said)
    undo(ada, survey)
    typed = {"groups": "Sales; 120\nLegal; 8", "ticked": ["Sales", "Legal"], "together": "1"}
    ada.post(f"/surveys/{survey.pk}/invitations/groups/", typed)
    survey.refresh_from_db()
    assert "groups" not in survey.draft and build(survey.draft)


def test_more_than_twenty_groups_begin_as_fewer_where_small_ones_are_one(ada):
    begin(ada, "blank", **INVITED, groups="".join(f"G{k}; {5 + 15 * (k > 8)}\n" for k in range(21)))
    assert [each["people"] for each in Survey.objects.get().draft["groups"]] == [45, *[20] * 12]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"who": "open", "groups": "Sales; 40\nWorks; 40"},
            "Only the results of invited people can be shown by group.",
        ),
        ({"who": "invited", "groups": "Sales; 40"}, "Name two groups or more, or none."),
        ({"who": "invited", "groups": "Sa\\les; 40\nWorks; 40"}, "Line 1: must hold no quotes"),
        ({"who": "invited", "groups": "Sales; 40\nsales; 40"}, "Line 2: this group is there twice."),
        (
            {"who": "invited", "groups": "Sa\u202eles; 40\nWorks"},
            "Line 1: must not hold invisible characters that change",
        ),
        ({"who": "invited", "groups": f"Works; 40\n{'x' * 81}"}, "Line 2: must be a text of 1 to 80 characters"),
        ({"who": "invited", "groups": f"Works; 40\n{'x' * 41}; 2\n{'y' * 41}; 30"}, "“xxxxxxxx"),
        (
            {"who": "invited", "groups": "\n".join(f"G{k}; 30" for k in range(21))},
            "There are 21 groups, and at most 20",
        ),
        ({"who": "invited", "groups": "Sales; many"}, "Line 1: the number of people must be a whole number."),
        ({"who": "invited", "listed": "a@b.org"}, "Line 1 names no group in its last column."),
    ],
)
def test_groups_that_cannot_be_begin_nothing_and_nothing_typed_is_lost(ada, fields, words):
    response = begin(ada, "blank", **fields)
    page = response.content.decode()
    assert response.status_code == 422 and words in page and not Survey.objects.exists()
    assert all(value in page for value in fields.values())


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (["x" * 81, "Works"], f"“{'x' * 79}…”: must be a text of 1 to 80 characters"),
        (["Sales", "sales"], "“sales”: this group is there twice."),
        ([f"G{k}" for k in range(21)], "There are 21 groups, and at most 20 can be shown."),
    ],
)
def test_wrong_groups_of_a_list_are_said_at_the_list(ada, groups, words):
    response = begin(
        ada, "blank", who="invited", listed="".join(f"p{k}@b.org,{groups[k % len(groups)]}\n" for k in range(900))
    )
    errors = response.context["groups"].errors
    assert response.status_code == 422 and not Survey.objects.exists()
    assert errors["listed"] == [words] and "groups" not in errors


def test_a_designer_who_never_opens_the_page_of_protection_opens_a_survey(ada):
    begin(ada, "blank", people="900", who="open", total="1")
    survey = Survey.objects.get()
    for kind in ("yes_no", "yes_no", "yes_no"):
        ada.post(f"/surveys/{survey.pk}/questions/", {"add": kind})
    edit(survey.pk, lambda draft: [each.update(text=each["key"]) for each in draft["questions"]])
    edit(survey.pk, lambda draft: draft.update(title="Three"))
    survey.refresh_from_db()
    open_survey(survey)
    assert survey.alpha_total == "1" and survey.expected_n == 900


def test_what_a_file_or_a_copy_decides_stays(ada):
    begin(ada, "file", file=SimpleUploadedFile("draft.json", ours.write(DRAFT).encode()), **INVITED)
    survey = Survey.objects.get()
    assert survey.draft == DRAFT | {"invitations": True} and survey.expected_n == 1200
    begin(ada, "survey", survey=survey.pk, people="", who="open", total="1")
    copy = Survey.objects.exclude(pk=survey.pk).get()
    assert copy.draft == survey.draft | {"title": f"{DRAFT['title']} (copy)"} and copy.expected_n == 1200


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"people": "many"}, 'id="people-error">Enter a whole number'),
        ({"people": "0"}, 'id="people-error">'),
        ({"who": "all"}, "How do you reach them? Select a valid choice"),
        ({"total": "3"}, "How strongly must a report be protected? Select a valid choice"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field_and_stays_typed(ada, wrong, words):
    response = begin(ada, "blank", **wrong)
    page = response.content.decode()
    assert response.status_code == 422 and words in page and not Survey.objects.exists()
    assert "people" not in wrong or f'value="{wrong["people"]}"' in page


def test_the_steps_of_protection_say_what_the_respondents_page_says(ada):
    text = " ".join(strip_tags(ada.get("/surveys/new/").content.decode()).split())
    for alpha, word in (
        ("1", "strong 41%"),
        ("2", "moderate 65%"),
        ("4", "weak 94%"),
        ("10", "hardly any almost 100%"),
    ):
        high = meaning.outward(meaning.belief(Fraction(1, 5), meaning.power(float(alpha))))[1]
        assert word in text and (f" {high}%" in word or high == 100)


# Copies ---------------------------------------------------------------------------------------------------------------


def own(name, draft=DRAFT):
    return begin_draft(person(name), draft)


@pytest.mark.parametrize("state", ["draft", "open", "closed"])
def test_a_copy_is_a_draft_of_ones_own_without_what_happened_to_the_survey(ada, state):
    survey = own("ada")
    Survey.objects.update(expected_n=1500)
    survey.refresh_from_db()
    if state != "draft":
        open_survey(survey)
    if state == "closed":
        close_survey(survey)
    for _ in range(2):
        ada.post(f"/surveys/{survey.pk}/copy/")
    begin(ada, "survey", survey=survey.pk)
    copies = Survey.objects.exclude(pk=survey.pk)
    assert [copy.draft for copy in copies] == [DRAFT | {"title": f"{DRAFT['title']} (copy)"}] * 3
    assert {(copy.state, copy.slug, copy.digest) for copy in copies} == {("draft", None, "")}
    assert {copy.expected_n for copy in copies} == {1500}
    assert logged()[-1] == ("ada", "created", f"a copy of survey {survey.pk}")


def test_a_copy_of_a_long_title_is_still_a_title(ada):
    survey = own("ada", DRAFT | {"title": "x" * 200})
    ada.post(f"/surveys/{survey.pk}/copy/")
    title = Survey.objects.latest("pk").draft["title"]
    assert len(title) == 200 and title.endswith("x (copy)")


@pytest.mark.parametrize("role", [None, *Role])
def test_only_those_who_may_see_the_draft_copy_it_and_take_it_away(role):
    survey, bob = own("ada"), client_of("bob")
    if role:
        Membership.objects.create(survey=survey, user=person("bob"), role=role)
    may = role in (Role.DESIGNER, Role.OWNER)
    address = f"/surveys/{survey.pk}"
    for name in ("files/", "export.json", "export.xlsx"):
        assert bob.get(f"{address}/{name}").status_code == (200 if may else 404), name
    assert bob.post(f"{address}/copy/").status_code == (302 if may else 404)
    assert bob.get(f"{address}/copy/").status_code == 405
    assert begin(bob, "survey", survey=survey.pk).status_code == (302 if may else 422)
    assert (b"Three kinds" in bob.get("/surveys/new/").content) == may
    assert Survey.objects.count() == (3 if may else 1)


# Files ----------------------------------------------------------------------------------------------------------------


def test_the_json_of_a_survey_begins_it_again(ada):
    survey = own("ada")
    response = ada.get(f"/surveys/{survey.pk}/export.json")
    assert response["Content-Disposition"] == 'attachment; filename="three-kinds.json"'
    brought(ada, response.content)
    assert Survey.objects.latest("pk").draft == DRAFT


def test_the_form_of_a_survey_lists_what_it_cannot_say(ada):
    survey = own("ada")
    book = load_workbook(io.BytesIO(ada.get(f"/surveys/{survey.pk}/export.xlsx").content))
    assert book.sheetnames == ["survey", "choices", "settings", "not in this form"]
    page = strip_tags(ada.get(f"/surveys/{survey.pk}/files/").content.decode())
    for sentence, names in book["not in this form"].iter_rows(min_row=2, values_only=True):
        assert sentence in page and all(name in page for name in (names or "").split(", "))


def test_an_incomplete_draft_has_no_form_yet_and_the_page_says_why(ada):
    survey = own("ada", {"title": "", "questions": [{"kind": "mean", "key": "m"}]})
    assert ada.get(f"/surveys/{survey.pk}/export.xlsx")["Location"] == f"/surveys/{survey.pk}/files/"
    page = ada.get(f"/surveys/{survey.pk}/files/").content.decode()
    assert "Still missing" in page and "Highest number: is missing" in page and "Title: must be a text" in page
    assert ada.get(f"/surveys/{survey.pk}/export.json").status_code == 200


def test_the_schema_of_drafts_is_published():
    response = Client().get("/api/v1/draft-schema")
    assert response["Content-Type"] == "application/schema+json"
    assert json.loads(response.content)["$id"].endswith("/api/v1/draft-schema")


# Forms ----------------------------------------------------------------------------------------------------------------

FORM = form(
    row("select_one colours", "colour", "Which colour?"),
    row("integer", "age", "How old?", constraint=". >= 0 and . <= 99"),
    row("text", "why", "Why?"),
)


def test_a_form_begins_a_survey_and_its_list_stays_with_the_draft_until_it_is_dismissed(ada):
    list_page = brought(ada, FORM, "My form.xlsx")["Location"]
    survey = Survey.objects.get()
    assert list_page == f"/surveys/{survey.pk}/imported/" and survey.title == "My form"
    assert logged() == [("ada", "imported", "XLSForm")]
    for _ in range(2):
        page = ada.get(list_page).content.decode()
        assert "Free text" in page and "<code>why</code>" in page and "How old?" in page
    text = ada.get(f"/surveys/{survey.pk}/imported.txt").content.decode()
    assert "Left out\n- Free text" in text and "instead. why\n" in text
    ada.post(list_page)
    ada.logout()
    again = client_of("ada")
    for address in ("questions/", "alpha/", "texts/", "open/"):
        assert f'href="{list_page}"' in again.get(f"/surveys/{survey.pk}/{address}").content.decode(), address
    assert "<code>why</code>" in again.get(list_page).content.decode()
    again.post(list_page, {"dismiss": "1"})
    ada = client_of("ada")
    assert ada.get(list_page).status_code == 302
    assert list_page not in ada.get(f"/surveys/{survey.pk}/questions/").content.decode()
    assert ada.get(f"/surveys/{survey.pk}/imported.txt").status_code == 404


def lines(client, survey):
    """Return the remarks of an import that are not done, from the API: each text with its questions."""
    body = client.get(f"/api/v1/studio/{survey.pk}/imported").json()
    return {each["text"].split(". ")[0]: each["questions"] for each in body["remarks"] if not each["done"]}


def test_each_remark_leads_to_its_question_and_can_be_ticked_off_for_everyone(ada):
    list_page = brought(ada, FORM)["Location"]
    survey = Survey.objects.get()
    page = ada.get(list_page).content.decode()
    assert f'<a href="/surveys/{survey.pk}/questions/age/"><code>age</code></a>' in page
    assert "<code>why</code>" in page and "/questions/why/" not in page
    assert lines(ada, survey)["Questions that could be left blank"] == ["colour", "age"]
    place = [remark.text.startswith("Free text") for remark in import_remarks.load(survey)[0]].index(True)
    assert ada.post(list_page, {"tick": str(place)})["Location"] == list_page
    assert "Free text" not in lines(client_of("ada"), survey)
    assert "1 remark that is done" in ada.get(list_page).content.decode()
    ada.post(list_page, {"untick": str(place)})
    assert "Free text" in lines(ada, survey)
    for nothing in ("", "-1", "9999", "x", "²"):
        assert ada.post(list_page, {"tick": nothing}).status_code == 302
    assert "Free text" in lines(ada, survey)


def test_what_is_said_of_a_question_goes_when_it_is_edited_or_deleted_and_is_back_when_that_is_undone(ada):
    brought(ada, FORM)
    survey = Survey.objects.get()
    before = lines(ada, survey)

    def edit(draft):
        draft["questions"][0]["text"] = "Which colour do you like?"
        return "Edited."

    def remove(draft):
        draft["questions"].pop()
        return "Removed."

    survey = drafts.change(survey, person("ada"), edit)
    assert lines(ada, survey)["Questions that could be left blank"] == ["age"]
    survey = drafts.change(survey, person("ada"), remove)
    assert "Questions that could be left blank" not in lines(ada, survey)
    assert "Free text" in lines(ada, survey)
    undo(ada, survey)
    undo(ada, survey)
    assert lines(ada, survey) == before


def test_the_list_is_for_those_who_may_see_the_draft(ada):
    address = brought(ada, FORM)["Location"]
    assert client_of("bob").get(address).status_code == 404
    Membership.objects.create(survey=Survey.objects.get(), user=person("bob"), role=Role.DESIGNER)
    assert "<code>why</code>" in client_of("bob").get(address).content.decode()


def test_what_the_designer_decides_is_done(ada):
    address = brought(ada, FORM)["Location"]
    ada.post(address, {"colour": "ordered", "age": "mean"})
    colour, age = Survey.objects.get().draft["questions"]
    assert (colour["kind"], age["kind"], age["low"], age["high"]) == ("ordered", "mean", "0", "99")
    assert logged()[-1][1] == "edited"
    assert "What kind of question each is" not in ada.get(address).content.decode()
    undo(ada, Survey.objects.get())
    assert [question["kind"] for question in Survey.objects.get().draft["questions"]] == ["single_choice", "histogram"]


def test_a_question_that_was_edited_meanwhile_stays(ada):
    address = brought(ada, FORM)["Location"]
    survey = Survey.objects.get()
    survey.draft["questions"][0]["text"] = "Another text"
    survey.save()
    ada.post(address, {"colour": "ordered", "age": "mean"})
    assert [question["kind"] for question in Survey.objects.get().draft["questions"]] == ["single_choice", "mean"]
    assert b"edited meanwhile" in ada.get(f"/surveys/{survey.pk}/questions/").content


def test_of_an_opened_survey_nothing_is_decided_any_more(ada):
    address = brought(ada, FORM)["Location"]
    survey = Survey.objects.get()
    open_survey(survey)
    ada.post(address, {"colour": "ordered"})
    survey.refresh_from_db()
    assert survey.draft["questions"][0]["kind"] == "single_choice"
    assert b"opened meanwhile" in ada.get(f"/surveys/{survey.pk}/").content
