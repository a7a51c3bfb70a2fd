"""`manage.py survey draft | open | close | list` runs a survey's life from the command line, refusals included."""

import io
import json
import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from surveys.life.lifecycle import close_survey, create_draft
from surveys.models import AuditEntry, Survey
from tests.support.drawn import drawn
from tests.support.factories import DRAFT, draft, opened_survey

pytestmark = pytest.mark.django_db


def survey_command(*arguments):
    """Return what the command wrote: (output, errors)."""
    out, err = io.StringIO(), io.StringIO()
    call_command("survey", *map(str, arguments), stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def refusal(*arguments):
    with pytest.raises(CommandError) as refused:
        survey_command(*arguments)
    return str(refused.value)


@pytest.fixture(autouse=True)
def owner():
    return User.objects.create_superuser("olivia")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "draft.json"
    path.write_text(json.dumps(DRAFT), encoding="utf-8")
    return path


def test_a_survey_is_drafted_opened_and_closed(file):
    out, _ = survey_command("draft", file)
    survey = Survey.objects.get()
    assert out == f"Draft {survey.pk}: Three kinds. Open it with: manage.py survey open {survey.pk}\n"
    assert (survey.state, survey.draft, survey.results_public, survey.closes_at) == ("draft", DRAFT, False, None)

    out, err = survey_command("open", survey.pk)
    survey.refresh_from_db()
    assert survey.state == "open" and not err
    for shown in (survey.digest, f"/s/#{survey.slug}\n", f"/r/{survey.slug}/"):
        assert shown in out

    assert survey_command("close", "--", survey.slug)[0] == "Three kinds is closed.\n"
    survey.refresh_from_db()
    assert survey.state == "closed"


def test_a_draft_without_any_alpha_gets_those_that_are_proposed_as_in_the_studio(tmp_path):
    questions = [{"key": f"q{k}", "kind": "yes_no", "text": f"{k}?"} for k in range(6)]
    path = tmp_path / "draft.json"
    path.write_text(json.dumps({"title": "Six", "questions": questions}), encoding="utf-8")
    survey_command("draft", path)
    survey = Survey.objects.get()
    assert {sum(float(draw["alpha"]) for draw in form["draws"]) for form in survey.draft["forms"]} == {2}
    survey_command("open", survey.pk)


def test_options_that_look_alike_are_refused_by_field_and_rule(file):
    options = {"kind": "single_choice", "options": ["Yes", "No", "Ye\u200bs"]}
    file.write_text(json.dumps(draft(questions=[{"key": "q", "text": "?", "alpha": 1} | options])), encoding="utf-8")
    rule = "must look different from each other; numbers 1 and 3 look the same"
    assert refusal("draft", file) == f'{file}: question 1 (key "q"), options: {rule} [questions[0].options]'


def test_a_draft_belongs_to_the_sites_owner_and_stands_in_the_log(file, owner, client):
    survey_command("draft", file)
    survey = Survey.objects.get()
    assert list(survey.memberships.values_list("user__username", "role")) == [("olivia", "owner")]
    assert AuditEntry.objects.values_list("username", "action").get() == ("olivia", "created")
    client.force_login(owner)
    assert "Three kinds" in client.get("/surveys/").content.decode()


def test_a_draft_belongs_to_the_account_that_is_named(file):
    User.objects.create_user("ada")
    survey_command("draft", file, "--owner", "ada")
    assert Survey.objects.get().memberships.get().user.username == "ada"


def test_a_draft_without_a_named_owner_is_refused_where_the_site_has_not_exactly_one(file, owner):
    User.objects.create_superuser("ada")
    assert "several owners: name an account with --owner" in refusal("draft", file)
    User.objects.update(is_active=False)
    assert "no owner yet: make one with manage.py owner NAME" in refusal("draft", file)
    for name in ("nobody", "ada"):
        assert f"no active account of the name {name}" in refusal("draft", file, "--owner", name)
    assert not Survey.objects.exists()


def test_links_are_whole_addresses_of_the_site(file, settings):
    settings.SITE_URL, settings.STAFF_URL = "https://surveys.example.org", "https://staff.example.org"
    survey_command("draft", file)
    out, _ = survey_command("open", Survey.objects.get().pk)
    assert len(re.findall(r"https://surveys\.example\.org/s/#\w{27}\n", out)) == 1
    assert len(re.findall(r"https://staff\.example\.org/r/\w{27}/\n", out)) == 1
    Survey.objects.update(results_public=True)
    assert len(re.findall(r"https://surveys\.example\.org/(?:r/|s/#)\w{27}/?\n", survey_command("list")[0])) == 2


def test_options_of_a_draft(file):
    survey_command("draft", file, "--publish-results", "--closes-at", "2030-01-31T12:00:00+02:00")
    survey = Survey.objects.get()
    assert survey.results_public and survey.closes_at.isoformat() == "2030-01-31T10:00:00+00:00"


def test_a_draft_may_close_at_a_number_of_reports(file):
    survey_command("draft", file, "--closes-after", "500")
    assert Survey.objects.get().closes_after == 500
    assert (
        refusal("draft", file, "--closes-after=19")
        == "--closes-after: must be at least 20: with fewer reports nothing is published"
    )


def test_list_shows_all_surveys_and_the_links_of_opened_ones():
    unopened, opened = create_draft(draft(title="Not yet")), opened_survey()
    out, _ = survey_command("list")
    assert f"{unopened.pk} draft Not yet\n" in out and f"{opened.pk} open Three kinds\n" in out
    assert out.count("digest") == 1 and opened.slug in out


def test_opening_says_what_to_think_about(tmp_path):
    file = tmp_path / "weak.json"
    file.write_text(json.dumps(draft(questions=[DRAFT["questions"][0] | {"alpha": "5"}])))
    survey_command("draft", file)
    assert "Note: yes: an alpha above 4" in survey_command("open", Survey.objects.get().pk)[1]


def test_a_slug_that_begins_like_an_option_can_be_closed():
    survey = create_draft(DRAFT)
    Survey.objects.filter(pk=survey.pk).update(slug="-like-an-option")
    Survey.objects.filter(pk=survey.pk).update(state="open")
    assert survey_command("close", "--", "-like-an-option")[0] == "Three kinds is closed.\n"


# Refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "Expecting value"),
        (b"{", "Expecting property name"),
        (b"\xff\xfe", "'utf-8' codec can't decode"),
        (b"[]", "draft: must be an object"),
        (b'{"title": "x"}', "questions: is missing"),
        (json.dumps(draft(title="")).encode(), "title: must be a text of 1 to 200 characters"),
        (json.dumps(draft(questions=[])).encode(), "questions: must be a list of 1 to 200 questions"),
    ],
)
def test_a_refused_draft_names_the_file_the_field_and_the_rule(tmp_path, content, reason):
    file = tmp_path / "draft.json"
    file.write_bytes(content)
    message = refusal("draft", file)
    assert message.startswith(f"{file}: ") and reason in message
    assert not Survey.objects.exists()


def test_each_refusal_stands_in_a_line_of_its_own_behind_the_file(tmp_path):
    file = tmp_path / "draft.json"
    file.write_text(json.dumps(draft(title="", questions=[DRAFT["questions"][0] | {"alpha": "0", "key": "A"}])))
    starts = ["title: ", 'question 1 (key "A"), key: ', 'question 1 (key "A"), alpha: ']
    for line, start in zip(refusal("draft", file).split("\n"), starts, strict=True):
        assert line.startswith(f"{file}: {start}")


def test_a_missing_file_is_named(tmp_path):
    assert "No such file" in refusal("draft", tmp_path / "none.json")
    assert "Is a directory" in refusal("draft", tmp_path)


@pytest.mark.parametrize(
    "moment",
    ["", "tomorrow", "2030-01-31T12:00:00", "2030-02-30T12:00:00+00:00", "2030-01-31T25:00+00:00"],
)
def test_a_closing_time_without_an_offset_or_off_the_calendar_is_refused(file, moment):
    assert refusal("draft", file, f"--closes-at={moment}").startswith("--closes-at: must be an ISO date and time")
    assert not Survey.objects.exists()


def test_what_is_not_a_draft_cannot_be_opened():
    survey = opened_survey()
    assert refusal("open", survey.pk) == "only a draft can be opened"
    assert "does not exist" in refusal("open", survey.pk + 1)
    assert "invalid int value" in refusal("open", "abc")


def test_a_draft_whose_rules_have_changed_cannot_be_opened():
    survey = create_draft(DRAFT)
    Survey.objects.update(draft={})
    assert refusal("open", survey.pk) == "questions: is missing\ntitle: is missing"


def test_what_is_not_open_cannot_be_closed():
    survey = opened_survey()
    close_survey(survey)
    assert refusal("close", "--", survey.slug) == refusal("close", "unknown") == "No open survey has this slug."


def test_an_action_is_needed():
    assert "required: action" in refusal()


def test_a_draft_with_one_form_is_refused_with_the_rule_and_nothing_is_stored(tmp_path):
    file = tmp_path / "draft.json"
    bare = {name: value for name, value in DRAFT["questions"][0].items() if name != "alpha"}
    file.write_text(json.dumps(drawn({"title": "x", "questions": [bare], "forms": [{"questions": [bare["key"]]}]})))
    assert "forms: must be a list of 2 to 200 forms, or empty" in refusal("draft", file)
    assert not Survey.objects.exists()
