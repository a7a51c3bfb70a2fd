"""A draft before it opens, in the API: preview, test answers, a trial run, and done remarks of an import."""

import json

import pytest

from surveys.api.programs.deniable import Client as DeniableClient
from surveys.designer.studio import import_remarks
from surveys.designer.xlsform.remarks import Remark, RemarkGroup
from surveys.models import IdempotencyKey, ImportNotes, Report, Role, Scope, Survey, TryoutReport
from surveys.survey import definition as definitions
from tests.support.factories import DRAFT
from tests.support.program import Program
from tests.support.tokens import carrying, member
from tests.support.tokens import token as made_token
from tests.support.tryouts import test_answer as answer_of

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "0123456789abcdef-test"}


@pytest.fixture
def number(studio):
    return studio.begin()


def report(**changes):
    return {"report": json.loads(answer_of(DRAFT, **changes))}


def test_a_preview_is_what_opening_would_freeze(studio, number):
    shown = studio.ask("get", f"/{number}/preview").json()
    assert shown["definition"] == json.loads(definitions.canonical(definitions.build(DRAFT)))
    assert shown["digest"] == studio.ask("get", f"/{number}/draft").json()["digest"]
    assert (shown["incomplete"], shown["undecided"]) == ([], 0)
    assert shown["effort"] == {"minutes": {"low": 1, "high": 1, "rate": 228}, "level": None}


def test_a_preview_names_what_is_left_out(studio):
    number = studio.begin({"title": "Begun", "questions": [{"key": "a", "kind": "yes_no", "text": " ", "alpha": "1"}]})
    nothing = {"definition": None, "digest": None, "incomplete": ["Question 1"], "undecided": 0, "effort": None}
    assert studio.ask("get", f"/{number}/preview").json() == nothing
    assert studio.ask("post", f"/{number}/tests", report()).status_code == 409


def test_a_test_answer_is_sent_once_read_in_words_and_erased(studio, number):
    sent = [studio.ask("post", f"/{number}/tests", report(), **KEY) for _ in range(2)]
    assert [each.status_code for each in sent] == [201, 201] and sent[0].json() == sent[1].json()
    line = sent[0].json()
    assert line["report"] == report()["report"] and line["at"].endswith(":00Z")
    assert [each["question"] for each in line["says"]] == ["Yes or no?", "Which?", "How many?"]
    assert line["says"][0]["items"] in (["Yes"], ["No"]) and len(line["says"][2]["items"]) == 3
    assert studio.ask("get", f"/{number}/tests").json() == {"items": [line]}
    assert studio.ask("delete", f"/{number}/tests").json() == {"items": []}
    assert not TryoutReport.objects.exists() and not Report.objects.exists()
    assert not IdempotencyKey.objects.exists()  # a key would have kept a copy for days


def test_what_is_no_test_answer_is_refused_as_by_the_page(studio, number):
    plain = studio.ask("post", f"/{number}/tests", report(mark=""))
    assert (plain.status_code, plain.json()["type"]) == (422, "/problems/malformed_report")
    assert plain.json()["rules"][0]["field"] == "digest"
    other = report()
    other["report"]["digest"] = "test-" + "0" * 64
    assert studio.ask("post", f"/{number}/tests", other).json()["type"] == "/problems/other_definition"
    wrong = report()
    wrong["report"]["answers"] |= {"yes": 7}
    assert studio.ask("post", f"/{number}/tests", wrong).json()["rules"][0]["field"] == "answers.yes"
    pointed = report()
    pointed["report"]["answers"] |= {"yes": 1.0}
    assert studio.ask("post", f"/{number}/tests", pointed).json()["rules"][0]["field"] == "answers.yes"
    long = report()
    long["report"]["answers"] |= {"yes": "x" * 9000}
    assert studio.ask("post", f"/{number}/tests", long).status_code == 413
    assert not TryoutReport.objects.exists()


def test_an_opened_survey_has_neither_preview_nor_test_answers(studio):
    number = studio.opened()
    for method, of, body in (("get", "preview", None), ("get", "tests", None), ("delete", "tests", None)):
        assert studio.ask(method, f"/{number}/{of}", body).json()["type"] == "/problems/no_draft"
    assert studio.ask("post", f"/{number}/tests", report(), **KEY).json()["type"] == "/problems/no_draft"


def test_a_trial_run_says_what_was_invented_and_what_came_of_it(studio, number):
    one, again, other = (studio.ask("get", f"/{number}/trial?seed={seed}").json() for seed in (3, 3, 4))
    assert one == again and one["items"] != other["items"] and one["people"] > 100
    keys = [row["key"] for row in one["items"]]
    assert [*dict.fromkeys(keys)] == ["yes", "which", "many"]
    inside = [row["low"] <= row["invented"] <= row["high"] for row in one["items"] + other["items"]]
    assert sum(inside) >= len(inside) - 2
    assert sum(row["invented"] for row in one["items"] if row["key"] == "yes") == pytest.approx(1)
    assert studio.ask("get", f"/{number}/trial?seed=x").status_code == 400
    assert studio.ask("get", f"/{number}/trial?people=5").status_code == 400


def test_a_trial_run_of_a_draft_that_could_not_open_names_what_it_lacks(studio):
    number = studio.begin({"title": "", "questions": [{"key": "a", "kind": "yes_no", "text": "A?", "alpha": "1"}]})
    refused = studio.ask("get", f"/{number}/trial").json()
    assert refused["type"] == "/problems/draft" and refused["rules"][0]["field"] == "title"
    assert studio.ask("get", f"/{studio.opened()}/trial").status_code == 200


@pytest.fixture
def imported(number):
    remarks = [Remark(RemarkGroup.LEFT_OUT, "Left out:", ["notes"]), Remark(RemarkGroup.CHANGED, "Changed:", ["age"])]
    ImportNotes.objects.create(survey_id=number, remarks=remarks, decisions=[])
    return number


def test_a_remark_of_an_import_is_ticked_off_for_everyone_and_the_list_dismissed(studio, imported):
    listed = studio.ask("get", f"/{imported}/imported").json()["remarks"]
    assert [(each["number"], each["done"]) for each in listed] == [(1, False), (2, False)]
    for done in (True, True, False):
        changed = studio.ask("patch", f"/{imported}/imported/2", {"done": done}).json()["remarks"]
        assert [each["done"] for each in changed] == [False, done]
    assert import_remarks.load(Survey.objects.get(pk=imported))[0][1].done is False
    for place in (3, 10**9):
        assert studio.ask("patch", f"/{imported}/imported/{place}", {"done": True}).status_code == 404
    assert [studio.ask("delete", f"/{imported}/imported").status_code for _ in range(2)] == [204, 404]
    assert studio.ask("patch", f"/{imported}/imported/1", {"done": True}).status_code == 404


def test_none_of_it_is_for_who_is_no_designer_or_has_no_token_for_it(studio, imported):
    survey = Survey.objects.get(pk=imported)
    viewer = Program(carrying(made_token(member(survey, Role.RESEARCHER, "bob"), Scope.STUDIO)))
    reader = Program(carrying(made_token(member(survey, Role.DESIGNER, "carl"), Scope.RESULTS)))
    for method, of, body in (
        ("get", "preview", None),
        ("get", "tests", None),
        ("post", "tests", report()),
        ("delete", "tests", None),
        ("get", "trial", None),
        ("patch", "imported/1", {"done": True}),
        ("delete", "imported", None),
    ):
        assert viewer.ask(method, f"/{imported}/{of}", body).status_code == 404, of
        assert reader.ask(method, f"/{imported}/{of}", body).status_code == 403, of


def test_the_client_has_a_method_for_each_and_marks_what_it_sends(studio, number, monkeypatch):
    def send(self, method, address, body=None, headers=None):
        response = studio.ask(method.lower(), address.removeprefix("/studio"), body, **(headers or {}))
        assert response.status_code < 300, response.content
        return response.status_code, response.content

    monkeypatch.setattr(DeniableClient, "send", send)
    survey = DeniableClient("https://survey.example.org", "token").survey(number)
    assert survey.preview()["undecided"] == 0
    sent = survey.send_test_answer(json.loads(answer_of(DRAFT, mark="")))
    assert survey.test_answers() == [sent] and sent["report"]["digest"].startswith("test-")
    assert survey.forget_test_answers() == [] and survey.trial(2)["seed"] == 2
    remark = Remark(RemarkGroup.LEFT_OUT, "Left out:", ["notes"])
    ImportNotes.objects.create(survey_id=number, remarks=[remark], decisions=[])
    assert survey.tick_import_remark(1)["remarks"][0]["done"] is True
    assert survey.dismiss_import() is None
