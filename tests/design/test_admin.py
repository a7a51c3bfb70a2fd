"""The designer's desk: drafts as JSON, opened and closed; what is frozen is shown, and reports cannot be browsed."""

import json
import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.test import Client

from surveys.definition import build
from surveys.design.admin import EXAMPLE
from surveys.lifecycle import close_survey, create_draft
from surveys.models import Release, Report, Survey, Taken, Tally
from tests.support.estimated import released
from tests.support.factories import DRAFT, draft, opened_survey
from tests.worker.test_batches import store

pytestmark = pytest.mark.django_db

LIST = "/admin/surveys/survey/"


@pytest.fixture
def designer():
    client = Client()
    client.force_login(User.objects.create_user("designer", is_staff=True, is_superuser=True))
    return client


def save(client, survey=None, **fields):
    """Post the form; its fields are given, the others as the empty form has them."""
    address = f"{LIST}{survey.pk}/change/" if survey else f"{LIST}add/"
    return client.post(address, {"closes_at_0": "", "closes_at_1": ""} | fields, follow=True)


def act(client, action, *surveys):
    response = client.post(LIST, {"action": action, "_selected_action": [survey.pk for survey in surveys]}, follow=True)
    return [str(message) for message in response.context["messages"]] if response.context else []


def errors(response):
    return response.context["adminform"].form.errors


# Drafts ---------------------------------------------------------------------------------------------------------------


def test_a_draft_is_written_as_json(designer):
    response = save(
        designer,
        draft=json.dumps(DRAFT),
        results_public="on",
        closes_at_0="2030-01-31",
        closes_at_1="12:00",
        closes_after="500",
    )
    assert response.status_code == 200
    survey = Survey.objects.get()
    assert (survey.state, survey.title, survey.draft) == ("draft", DRAFT["title"], DRAFT)
    assert survey.results_public and survey.closes_at.isoformat() == "2030-01-31T12:00:00+00:00"
    assert survey.closes_after == 500


def test_a_draft_can_be_changed_and_deleted(designer):
    survey = create_draft(DRAFT)
    save(designer, survey, draft=json.dumps(draft(title="Another title")))
    assert Survey.objects.get().title == "Another title"
    designer.post(f"{LIST}{survey.pk}/delete/", {"post": "yes"})
    assert not Survey.objects.exists()


def test_a_draft_is_laid_out_for_people(designer):
    survey = create_draft(DRAFT)
    page = designer.get(f"{LIST}{survey.pk}/change/").content.decode()
    assert "{\n  &quot;title&quot;: &quot;Three kinds&quot;," in page


def test_the_form_begins_with_a_question_of_each_kind_that_asks_to_be_filled_in(designer):
    page = designer.get(f"{LIST}add/").content.decode()
    assert all(f"&quot;{question['kind']}&quot;" in page for question in EXAMPLE["questions"])
    messages = errors(save(designer, draft=json.dumps(EXAMPLE)))["draft"]
    starts = ["title", *(f'question {i} (key "{key}"), text' for i, key in enumerate(("first", "second", "third"), 1))]
    starts += [f'question 2 (key "second"), options, number {i}' for i in (1, 2)]
    assert sorted(message.partition(": ")[0] for message in messages) == sorted(starts)
    assert not Survey.objects.exists()


def broken(**changes):
    return DRAFT | {"questions": [DRAFT["questions"][0] | changes]}


@pytest.mark.parametrize(
    ("refused", "field"),
    [
        ({"title": "x"}, "questions"),
        (["x"], "draft"),
        (draft(title=" "), "title"),
        (draft(titel="x"), "titel"),
        (draft(questions=[]), "questions"),
        (broken(alpha="0"), 'question 1 (key "yes"), alpha'),
        (broken(alpha=True), 'question 1 (key "yes"), alpha'),
        (broken(key="Yes"), 'question 1 (key "Yes"), key'),
        (broken(key=5), "question 1, key"),
        (broken(kind="essay"), 'question 1 (key "yes"), kind'),
        (broken(mechanism="laplace"), 'question 1 (key "yes"), mechanism'),
        (broken(options=["a", "b"]), 'question 1 (key "yes"), options'),
        (draft(questions=[*DRAFT["questions"], DRAFT["questions"][0]]), 'question 4 (key "yes"), key'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_refused_draft_names_the_field(designer, refused, field):
    response = save(designer, draft=json.dumps(refused))
    assert response.status_code == 200
    (message,) = errors(response)["draft"]
    assert message.startswith(f"{field}: ")
    assert not Survey.objects.exists()


def test_everything_that_is_wrong_is_told_at_once_and_counted_from_one(designer):
    first, second, third = DRAFT["questions"]
    wrong = [first | {"alpha": 99, "kind": "grid"}, second | {"options": ["a", ""], "key": "no key"}]
    wrong += [third | {"edges": ["0", "x", "9"]}]
    messages = errors(save(designer, draft=json.dumps(draft(titel="x", questions=wrong))))["draft"]
    told = {message.partition(": ")[0]: message.rpartition(" [")[2].removesuffix("]") for message in messages}
    assert told.pop("titel").startswith("titel")
    assert told == {
        'question 1 (key "yes"), items': "questions[0].items",
        'question 1 (key "yes"), options': "questions[0].options",
        'question 1 (key "yes"), alpha': "questions[0].alpha",
        'question 2 (key "no key"), key': "questions[1].key",
        'question 2 (key "no key"), options, number 2': "questions[1].options[1]",
        'question 3 (key "many"), edges, number 2': "questions[2].edges[1]",
    }


def test_numbers_may_be_written_as_numbers_and_are_kept_exactly(designer):
    text = json.dumps(draft(questions=[DRAFT["questions"][2] | {"alpha": "A", "edges": ["E"]}]))
    save(designer, draft=text.replace('"A"', "0.10").replace('"E"', "-0.3, 0, 1e3, 123456789012.000001"))
    (question,) = build(Survey.objects.get().draft)["questions"]
    assert question["alpha"] == "0.1" and question["edges"] == ["-0.3", "0", "1000", "123456789012.000001"]


@pytest.mark.parametrize(
    "text",
    ["", "null", "{}", "{", "{'title': 'x'}", '{"title": NaN', "[" * 100_000, "1" * 10_000, '{"title": 1e999999999}'],
    ids=lambda text: text[:20],
)
def test_what_is_empty_or_not_json_is_refused(designer, text):
    response = save(designer, draft=text)
    assert errors(response)["draft"] and not Survey.objects.exists()


def test_a_draft_whose_rules_have_changed_can_be_looked_at_and_says_what_it_lacks(designer):
    survey = create_draft(DRAFT)
    Survey.objects.update(draft=broken(alpha="99"))
    page = designer.get(f"{LIST}{survey.pk}/change/")
    assert page.status_code == 200 and "must be from 0.01 to 16" in page.content.decode()


def test_warnings_are_shown_before_opening(designer):
    survey = create_draft(broken(alpha="5"))
    page = designer.get(f"{LIST}{survey.pk}/change/").content.decode()
    assert "yes: an alpha above 4 protects an answer only weakly" in page


# Opening and closing --------------------------------------------------------------------------------------------------


def test_a_survey_is_opened_and_closed_once(designer):
    survey = create_draft(DRAFT)
    assert act(designer, "open_surveys", survey) == ["Three kinds is open."]
    survey.refresh_from_db()
    assert survey.state == "open" and survey.slug
    assert act(designer, "open_surveys", survey) == ["Three kinds: only a draft can be opened"]
    assert act(designer, "close_surveys", survey) == ["Three kinds is closed."]
    assert act(designer, "close_surveys", survey) == ["Three kinds was not open."]
    survey.refresh_from_db()
    assert survey.state == "closed"


def test_a_draft_that_no_longer_holds_the_rules_is_not_opened(designer):
    survey = create_draft(DRAFT)
    Survey.objects.update(draft=draft(questions=[]))
    assert act(designer, "open_surveys", survey) == ["Three kinds: questions: must be a list of 1 to 200 questions"]


def test_several_surveys_are_opened_at_once(designer):
    surveys = [create_draft(DRAFT), opened_survey()]
    assert len(act(designer, "open_surveys", *surveys)) == 2
    assert set(Survey.objects.values_list("state", flat=True)) == {"open"}


def test_an_opened_survey_shows_its_links_digest_and_the_reports_of_its_release(designer):
    survey = released(20)
    page = designer.get(f"{LIST}{survey.pk}/change/").content.decode()
    for shown in (f'href="/s/{survey.slug}/"', f'href="/r/{survey.slug}/"', survey.digest):
        assert shown in page
    assert re.search(r"field-reports_released\">20<", designer.get(LIST).content.decode())


# What is frozen -------------------------------------------------------------------------------------------------------


def test_what_an_opened_survey_froze_is_shown_and_not_edited(designer):
    survey = opened_survey()
    form = designer.get(f"{LIST}{survey.pk}/change/").context["adminform"].form
    assert set(form.fields) == {"results_public", "closes_at"}
    save(designer, survey, draft=json.dumps(draft(title="Other")), title="Other", slug="x", state="draft", digest="0")
    after = Survey.objects.get()
    assert (after.draft, after.title, after.slug, after.state) == (DRAFT, survey.title, survey.slug, "open")
    assert (after.canonical, after.digest) == (survey.canonical, survey.digest)


def test_publication_and_closing_time_of_an_opened_survey_can_be_changed(designer):
    survey = opened_survey()
    save(designer, survey, results_public="on", closes_at_0="2030-01-31", closes_at_1="12:00")
    survey.refresh_from_db()
    assert survey.results_public and survey.closes_at.year == 2030


def test_a_survey_that_closes_while_its_form_is_saved_stays_closed(designer, monkeypatch):
    survey, save_survey = opened_survey(), Survey.save

    def closes_first(self, **kwargs):
        close_survey(Survey.objects.get(pk=self.pk))
        save_survey(self, **kwargs)

    monkeypatch.setattr(Survey, "save", closes_first)
    assert save(designer, survey, results_public="on").status_code == 200
    after = Survey.objects.get()
    assert after.state == "closed" and after.closed_at and after.results_public


def test_only_drafts_can_be_deleted(designer):
    survey = opened_survey()
    assert designer.post(f"{LIST}{survey.pk}/delete/", {"post": "yes"}).status_code == 403
    act(designer, "delete_selected", survey)
    assert Survey.objects.exists()


# Who may do what ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visitor", ["anonymous", "account", "staff with every right on every model"])
def test_only_superusers_see_the_desk_whatever_rights_others_have_on_models(visitor):
    survey, draft = opened_survey(), create_draft(DRAFT)
    client = Client()
    if visitor != "anonymous":
        user = User.objects.create_user("somebody", is_staff=visitor != "account")
        user.user_permissions.set(Permission.objects.all() if user.is_staff else [])
        client.force_login(user)
    changes = (f"{LIST}{survey.pk}/change/", f"{LIST}{survey.pk}/history/", f"{LIST}{draft.pk}/delete/")
    for address in ("/admin/", "/admin/login/", LIST, f"{LIST}add/", *changes, "/admin/auth/user/", "/admin/nothing/"):
        for response in (client.get(address), client.post(address)):
            assert response.status_code == (302 if visitor == "anonymous" else 404), address
            assert response.headers.get("Location", "/account/login/").startswith("/account/login/"), address
            assert survey.slug.encode() not in response.content
    act(client, "open_surveys", draft)
    assert Survey.objects.get(pk=draft.pk).is_draft


# Reports cannot be browsed (P6) ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Report, Taken, Tally, Release])
def test_reports_and_tallies_have_no_page(designer, model):
    released(20)
    assert not admin.site.is_registered(model)
    name = model._meta.model_name
    for address in (f"/admin/surveys/{name}/", f"/admin/surveys/{name}/add/"):
        assert designer.get(address).status_code == 404


def test_no_page_of_the_desk_shows_a_report(designer):
    survey = released(20)
    store(survey, range(100, 103))
    reports = [*Report.objects.all(), *Taken.objects.all()]
    assert len(reports) == 23
    for address in ("/admin/", "/admin/surveys/", LIST, f"{LIST}{survey.pk}/change/", f"{LIST}{survey.pk}/history/"):
        page = designer.get(address).content.decode()
        for report in reports:
            assert str(report.id) not in page and report.id.hex not in page
