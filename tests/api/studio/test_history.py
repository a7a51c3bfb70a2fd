"""A draft's history, undo, the question bank and comments in the API, as on the studio's pages."""

import pytest

from surveys import drafts
from surveys.models import Comment, Scope, Snapshot, Survey
from tests.support.factories import DRAFT
from tests.support.program import Program
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

KEY = {"Idempotency-Key": "2265b1f5-91b7-484a-98f1-6adfcd613e30"}


@pytest.fixture
def number(studio):
    return studio.begin()


@pytest.fixture
def bob(number):
    """Return the API client of another designer."""
    person = member(Survey.objects.get(pk=number), "designer", "bob")
    return Program(carrying(token(person, Scope.STUDIO)))


def draft(studio, number):
    return studio.ask("get", f"/{number}/draft").json()


def titled(studio, number, title):
    read = draft(studio, number)
    body = {"draft": read["draft"] | {"title": title}, "mark": read["mark"]}
    assert studio.ask("put", f"/{number}/draft", body).status_code == 200


def changes(studio, number, query=""):
    return studio.ask("get", f"/{number}/history{query}").json()["items"]


def test_every_change_is_listed_and_can_be_gone_back_to(studio, number):
    first = draft(studio, number)["draft"]
    for title in ("Second", "Third"):
        titled(studio, number, title)
    third, second, begun = changes(studio, number)
    assert [each["username"] for each in (third, second, begun)] == ["ada", "ada", None]
    assert [each["number"] for each in changes(studio, number, f"?size=1&after={third['number']}")] == [
        second["number"]
    ]
    old = studio.ask("get", f"/{number}/history/{second['number']}").json()
    assert old["draft"]["title"] == "Second"
    address = f"/{number}/history/{begun['number']}/return"
    assert studio.ask("post", address, {"mark": "0" * 16}).json()["type"] == "/problems/changed"
    mark = draft(studio, number)["mark"]
    back = studio.ask("post", address, {"mark": mark})
    assert back.status_code == 200 and back.json()["draft"] == first
    assert studio.ask("post", address, {"mark": mark}).status_code == 409, "it was sent again"
    assert len(changes(studio, number)) == 4
    assert studio.ask("post", f"/{number}/history/{10**9}/return", {"mark": mark}).status_code == 404


def test_an_opened_survey_has_no_history_and_no_bank(studio):
    number = studio.opened()
    Snapshot.objects.create(survey_id=number, content={}, at="2026-01-01T00:00:00Z")
    assert changes(studio, number) == []
    assert studio.ask("get", f"/{number}/history/{Snapshot.objects.get().pk}").status_code == 404
    assert studio.ask("get", f"/{number}/bank").json()["type"] == "/problems/no_draft"
    assert studio.ask("post", f"/{number}/bank", {"survey": 1, "key": "yes"}).status_code == 409


def test_ones_own_last_change_is_undone_and_no_one_elses(studio, number, bob):
    first = draft(studio, number)["draft"]["title"]
    assert studio.ask("get", f"/{number}/undo").json() == {"step": None, "what": None}
    titled(studio, number, "Another")
    step = studio.ask("get", f"/{number}/undo").json()
    assert step["what"] and bob.ask("get", f"/{number}/undo").json()["step"] is None
    assert bob.ask("post", f"/{number}/undo", {"step": step["step"]}).status_code == 404
    undone = studio.ask("post", f"/{number}/undo", {"step": step["step"]})
    assert undone.status_code == 200 and undone.json()["draft"]["title"] == first
    assert studio.ask("post", f"/{number}/undo", {"step": step["step"]}).status_code == 404


def test_a_change_that_others_have_changed_since_is_not_undone(studio, number, bob):
    titled(studio, number, "Ours")
    step = studio.ask("get", f"/{number}/undo").json()["step"]
    titled(bob, number, "Theirs")
    refused = studio.ask("post", f"/{number}/undo", {"step": step})
    assert refused.status_code == 409 and refused.json()["type"] == "/problems/overtaken"
    assert draft(studio, number)["draft"]["title"] == "Theirs"


def test_a_question_of_another_survey_is_taken_over_once(studio, number):
    other = studio.begin({"title": "Other", "questions": [{"key": "yes", "kind": "yes_no", "text": "Do you sing?"}]})
    entries = studio.ask("get", f"/{number}/bank?words=sing").json()
    assert [(each["survey"], each["question"]["key"]) for each in entries["items"]] == [(other, "yes")]
    assert studio.ask("get", f"/{number}/bank?words=nothing").json() == {"items": [], "more": False}
    assert studio.ask("get", f"/{number}/bank?limit=3").status_code == 400
    refused = studio.ask("get", f"/{number}/bank?words={'x' * 201}")
    assert refused.status_code == 400 and refused.json()["detail"] == "“words” has more than 200 characters."
    for _ in range(2):
        taken = studio.ask("post", f"/{number}/bank", {"survey": other, "key": "yes"}, **KEY)
        assert taken.status_code == 201
    questions = draft(studio, number)["draft"]["questions"]
    assert len(questions) == len(DRAFT["questions"]) + 1
    assert questions[-1]["text"] == "Do you sing?" and questions[-1]["key"] == taken.json()["key"]
    for nothing in ({"survey": other, "key": "no"}, {"survey": 10**9, "key": "yes"}, {"survey": number, "key": "yes"}):
        assert studio.ask("post", f"/{number}/bank", nothing).status_code == 409


def test_surveys_of_others_and_those_beyond_a_token_are_in_no_bank(studio, number, bob, ada):
    other = studio.begin({"title": "Other", "questions": [{"key": "a", "kind": "yes_no", "text": "Do you sing?"}]})
    narrow = Program(carrying(token(ada, Scope.STUDIO, survey=Survey.objects.get(pk=number))))
    for program in (bob, narrow):
        assert program.ask("get", f"/{number}/bank").json()["items"] == []
        assert program.ask("post", f"/{number}/bank", {"survey": other, "key": "a"}).status_code == 409


def test_comments_are_written_once_and_settled(studio, number, bob):
    body = {"text": " Do we need it? ", "question": "yes"}
    for _ in range(2):
        written = studio.ask("post", f"/{number}/comments", body, **KEY)
        assert written.status_code == 201
    line = written.json()
    assert (line["text"], line["question"], line["username"], line["done"]) == ("Do we need it?", "yes", "ada", False)
    assert bob.ask("get", f"/{number}/comments").json() == {"items": [line]}
    settled = bob.ask("patch", f"/{number}/comments/{line['number']}", {"done": True})
    assert settled.json() == line | {"done": True} and Comment.objects.get().done
    other = studio.begin()
    assert studio.ask("patch", f"/{other}/comments/{line['number']}", {"done": False}).status_code == 404
    for wrong in ({"text": ""}, {"text": "\0"}, {"text": "x" * 2001}, {"text": "x", "question": "none"}):
        assert studio.ask("post", f"/{number}/comments", wrong).json()["type"] == "/problems/comment"
    assert Comment.objects.get().done


def test_a_viewer_reads_and_does_none_of_it(studio, number):
    drafts.change(Survey.objects.get(pk=number), Survey.objects.get(pk=number).memberships.get().user, lambda _: "")
    viewer = Program(carrying(token(member(Survey.objects.get(pk=number), "viewer", "eve"), Scope.STUDIO)))
    for method, of, body in (
        ("get", "/history", None),
        ("get", "/undo", None),
        ("get", "/bank", None),
        ("get", "/comments", None),
        ("post", "/undo", {"step": 1}),
        ("post", "/bank", {"survey": 1, "key": "yes"}),
        ("post", "/comments", {"text": "x"}),
        ("patch", "/comments/1", {"done": True}),
        ("post", "/history/1/return", {"mark": "0" * 16}),
    ):
        assert viewer.ask(method, f"/{number}{of}", body).status_code in (403, 404), of


def test_a_whole_number_may_be_written_with_a_point_and_no_other_one_is_one(studio, number):
    def said(step):
        body = f'{{"step": {step}}}'
        return studio.client.post(f"/api/v1/studio/{number}/undo", body, content_type="application/json").status_code

    assert said("7") == said("7.0") == said("7e0") == 404, "there is no such change"
    assert said("7.5") == said('"7"') == said("1e15") == 400
    assert said("1e9999999") == said("1e-9999999") == said(f"1e-{'9' * 30}") == 400
