"""A survey's whole life in the API. Each step uses the studio's functions, with their refusals and audit entries."""

import pytest
from django.utils import timezone

from surveys.drafts import history
from surveys.life.lifecycle import open_survey
from surveys.models import AuditEntry, Membership, Role, Scope, Survey
from tests.support.factories import DRAFT, opened_survey
from tests.support.program import Program
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db


def log(number):
    return list(AuditEntry.objects.filter(survey_number=number).order_by("pk").values_list("action", "detail"))


def test_a_draft_is_begun_read_replaced_opened_and_ended(studio, ada):
    number = studio.begin()
    read = studio.ask("get", f"/{number}/draft").json()
    assert read["draft"] == DRAFT and read["missing"] == [] and read["alpha_total"] == "4"
    changed = DRAFT | {"title": "Three others"}
    sent = {"draft": changed, "mark": read["mark"]}
    replaced = studio.ask("put", f"/{number}/draft", sent)
    assert (replaced.status_code, replaced.json()["draft"]) == (200, changed)
    assert replaced["Cache-Control"] == "no-store"
    digest = replaced.json()["digest"]
    opened = studio.ask("post", f"/{number}/opening", {"digest": digest, "closes_after": 500, "points": 2.5})
    survey = opened.json()
    assert (survey["state"], survey["digest"], survey["closes_after"], survey["points"]) == ("open", digest, 500, 2.5)
    assert survey["link"].endswith(f"/s/#{survey['slug']}") and survey["title"] == "Three others"
    assert [studio.ask("post", f"/{number}/closing").json()["state"] for _ in range(2)] == ["closed", "closed"]
    assert [action for action, _ in log(number)] == ["imported", "edited", "opened", "closed"]
    assert Membership.objects.get(survey=number).user == ada


def test_what_someone_else_changed_is_not_overwritten_and_a_lost_answer_is_no_conflict(studio, ada):
    number = studio.begin()
    mark = studio.ask("get", f"/{number}/draft").json()["mark"]
    first, second = ({"draft": DRAFT | {"title": title}, "mark": mark} for title in ("First", "Second"))
    assert [studio.ask("put", f"/{number}/draft", each).status_code for each in (first, first, second)] == [
        200, 200, 409
    ]  # fmt: skip
    survey = Survey.objects.get(pk=number)
    assert survey.title == "First" and history.last(survey, ada).said == "Replaced the whole draft."


def test_a_draft_is_refused_with_the_field_the_code_and_the_rule(studio):
    number = studio.begin({"title": "", "questions": [{"key": "yes", "kind": "yes_no", "text": ""}]})
    missing = studio.ask("get", f"/{number}/draft").json()["missing"]
    assert {(each["field"], each["code"]) for each in missing} >= {("title", "text_length")}
    refused = studio.ask("post", body={"draft": {"title": 5, "colour": "red"}})
    rules = refused.json()["rules"]
    assert refused.status_code == 422 and refused["Content-Type"] == "application/problem+json"
    assert [(each["field"], each["code"]) for each in rules] == [("title", "not_a_text"), ("colour", "unknown_field")]
    assert studio.ask("post", f"/{number}/opening", {"digest": "0" * 64}).json()["type"] == "/problems/draft"
    assert Survey.objects.get().state == "draft"


def test_a_draft_without_alphas_gets_those_that_are_proposed_and_a_tenth_stays_a_tenth(studio):
    questions = [{"kind": "yes_no", "text": f"{n}?"} for n in "abc"]
    number = studio.begin({"title": "Three", "questions": questions})
    assert studio.ask("get", f"/{number}/draft").json()["alpha_total"] == "2"
    number = studio.begin({"title": "One", "questions": [questions[0] | {"alpha": 0.1, "key": "a"}]})
    assert studio.ask("get", f"/{number}/draft").json()["draft"]["questions"][0]["alpha"] == "0.1"


def test_nothing_opens_but_what_was_read_and_no_terms_that_the_form_refuses(studio):
    number = studio.begin()
    digest = studio.ask("get", f"/{number}/draft").json()["digest"]
    assert studio.ask("post", f"/{number}/opening", {"digest": "0" * 64}).status_code == 409
    wrong = {"digest": digest, "closes_at": "2001-01-01T00:00:00Z", "closes_after": 1, "points": "x"}
    rules = studio.ask("post", f"/{number}/opening", wrong).json()["rules"]
    assert {each["field"] for each in rules} == {"closes_at", "closes_after", "points"}
    assert studio.ask("post", f"/{number}/opening", {"digest": digest}).status_code == 200
    assert studio.ask("post", f"/{number}/opening", {"digest": digest}).json()["type"] == "/problems/no_draft"
    assert studio.ask("put", f"/{number}/draft", {"draft": {}, "mark": ""}).status_code == 409


def test_templates_and_copies_are_begun_and_others_surveys_are_not(studio, ada):
    made = studio.ask("post", body={"template": "health"})
    assert made.status_code == 201 and made.json()["title"]
    copy = studio.ask("post", body={"copy_of": made.json()["number"]}).json()
    assert copy["title"].endswith("(copy)")
    assert studio.ask("post", body={}).json()["title"] == ""
    other = opened_survey()
    member(other, Role.RESEARCHER)
    for body, status in (
        ({"copy_of": other.pk}, 422),
        ({"template": "none"}, 422),
        ({"template": "health", "copy_of": 1}, 400),
        ({"template": 5}, 400),
        ({"more": 5}, 400),
        ([], 400),
    ):
        assert studio.ask("post", body=body).status_code == status, body
    numbers = [each["number"] for each in studio.ask("get").json()["items"]]
    assert numbers[:1] == [numbers[0]] and other.pk in numbers and len(numbers) == 4


def test_settings_change_together_or_not_at_all_and_stand_in_the_log(studio):
    number, later = studio.opened(), "2099-01-01T08:00:00Z"
    changed = studio.ask("patch", f"/{number}", {"closes_at": later, "results_public": True, "keeps_files": True})
    survey = changed.json()
    assert (survey["closes_at"], survey["results_public"], survey["keeps_files"]) == (later, True, True)
    before = log(number)
    again = studio.ask("patch", f"/{number}", {"closes_at": later, "results_public": True})
    assert again.status_code == 200 and log(number) == before
    for body, status in (
        ({"results_public": False, "archived": True}, 409),
        ({"results_public": False, "expected_n": 5}, 409),
        ({"results_public": False, "opens_at": later}, 409),
        ({"results_public": False, "closes_at": "soon"}, 422),
        ({"results_public": "no"}, 400),
    ):
        assert studio.ask("patch", f"/{number}", body).status_code == status, body
    assert Survey.objects.get(pk=number).results_public and log(number) == before
    assert ("edited", "ends 2099-01-01 08:00 UTC") in before and ("published", "") in before


def test_a_draft_expects_people_and_an_opened_survey_can_begin_later(studio):
    number = studio.begin()
    assert studio.ask("patch", f"/{number}", {"expected_n": 400}).json()["expected_n"] == 400
    assert studio.ask("patch", f"/{number}", {"expected_n": 0}).status_code == 422
    number = studio.opened(opens_at="2099-01-01T08:00:00Z")
    assert studio.ask("get", f"/{number}").json()["opens_at"] == "2099-01-01T08:00:00Z"
    assert studio.ask("patch", f"/{number}", {"opens_at": None}).json()["opens_at"] is None
    assert Survey.objects.get(pk=number).opened_at <= timezone.now()


def test_the_next_version_and_the_next_wave_are_drafts(studio):
    number = studio.opened()
    assert studio.ask("post", f"/{studio.begin()}/versions", {}).status_code == 409
    first, again = (studio.ask("post", f"/{number}/versions", {}).json() for _ in range(2))
    assert first["number"] == again["number"] and first["previous"] == number
    wave = studio.ask("post", f"/{number}/versions", {"wave": True}).json()
    slug = Survey.objects.get(pk=number).slug
    assert studio.ask("get", f"/{wave['number']}/draft").json()["draft"]["wave_of"]["survey"] == slug


def test_a_survey_is_deleted_by_its_title_unless_it_is_open(studio):
    number = studio.opened()
    assert studio.ask("delete", f"/{number}").status_code == 400
    assert studio.ask("delete", f"/{number}?title=Other").status_code == 422
    assert studio.ask("delete", f"/{number}?title=Three%20kinds").status_code == 409
    studio.ask("post", f"/{number}/closing")
    assert studio.ask("delete", f"/{number}?title=Three%20kinds").status_code == 204
    assert studio.ask("get", f"/{number}").status_code == 404


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (Role.VIEWER, {"read"}),
        (Role.RESEARCHER, {"read"}),
        (Role.DESIGNER, {"read", "draft", "replace", "files", "close"}),
        (Role.OWNER, {"read", "draft", "replace", "files", "close", "publish"}),
    ],
)
def test_each_role_may_what_it_may_in_the_studio(role, may):
    survey = opened_survey()
    program = Program(carrying(token(member(survey, role, "bob"), Scope.STUDIO)))
    steps = {
        "read": ("get", ""),
        "draft": ("get", "/draft"),
        "replace": ("put", "/draft", {"draft": DRAFT, "mark": ""}),
        "files": ("patch", "", {"keeps_files": True}),
        "publish": ("patch", "", {"results_public": True, "keeps_files": True}),
        "close": ("post", "/closing"),
    }
    statuses = {
        name: program.ask(method, f"/{survey.pk}{rest}", *body).status_code
        for name, (method, rest, *body) in steps.items()
    }
    assert {name for name, status in statuses.items() if status != 404} == may


def test_only_a_token_for_it_opens_the_studio_and_one_for_a_survey_only_that(studio, ada):
    first, second = studio.begin(), studio.begin()
    for scope in (Scope.RESULTS, Scope.MICRODATA, Scope.INVITATIONS):
        reader = Program(carrying(token(ada, scope)))
        assert [reader.ask("get").status_code, reader.ask("get", f"/{first}").status_code] == [403, 403]
        assert reader.ask("post", body={}).status_code == 403
    own = Program(carrying(token(ada, Scope.STUDIO, survey=Survey.objects.get(pk=first))))
    assert [own.ask("get", f"/{number}").status_code for number in (first, second)] == [200, 404]
    assert [each["number"] for each in own.ask("get").json()["items"]] == [first]
    assert own.ask("post", body={}).status_code == 403


def test_a_body_that_is_too_large_too_deep_or_no_json_is_refused(studio):
    def sent(text):
        return studio.client.post("/api/v1/studio", text, content_type="application/json").status_code

    assert sent('{"template": "' + "x" * (2 << 20) + '"}') == 413
    assert sent('{"draft": ' + "[" * 100_000 + "]" * 100_000 + "}") == 400
    assert sent("{") == sent(b"\xff") == 400
    assert sent('{"draft": {"title": "a\\u0000b", "questions": []}}') == 422
    assert sent('{"draft": {"title": "a\\ud800b", "questions": []}}') == 400


def test_versions_have_numbers_and_say_which_others_are_open(studio):
    first = studio.opened()
    again = studio.ask("post", f"/{first}/versions", {}).json()
    assert (again["version"], again["previous"], again["open_versions"]) == (2, first, [first])
    assert studio.ask("get", f"/{first}").json()["open_versions"] == []
    open_survey(Survey.objects.get(pk=again["number"]))
    listed = studio.ask("get", "").json()["items"]
    assert [(each["version"], each["open_versions"]) for each in listed] == [(2, [first]), (1, [again["number"]])]
