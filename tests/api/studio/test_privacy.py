"""Alphas and forms in the API: shown, proposed and set, with the refusals of the studio's page."""

import pytest

from surveys.drafts import history
from surveys.models import AuditEntry, Survey

pytestmark = pytest.mark.django_db

CHOICES = [{"key": key, "kind": "yes_no", "text": f"{key}?"} for key in "abcd"]
DRAFT = {"title": "Four", "questions": [each | {"alpha": "0.5"} for each in CHOICES]}


@pytest.fixture
def number(studio):
    return studio.begin(DRAFT)


def privacy(studio, number):
    return studio.ask("get", f"/{number}/privacy").json()


def test_it_says_what_is_protected_and_how_exact_it_is(studio, number):
    document = privacy(studio, number)
    assert (document["alpha_total"], document["strength"], document["n"]) == ("2", "moderate", 1000)
    assert document["forms"] == [] and [each["alpha"] for each in document["questions"]] == ["0.5"] * 4
    studio.ask("patch", f"/{number}", {"expected_n": 4000})
    wider, narrower = (each["questions"][0]["half_width"] for each in (document, privacy(studio, number)))
    assert narrower < 0.6 * wider


def test_a_proposal_is_made_and_taken_as_it_was_read(studio, number, ada):
    wish = {"total": 2, "n": 3000, "widths": {"a": 4.5}, "own": {"d": 0.5}, "crossed": [["a", "b"]]}
    before = privacy(studio, number)
    proposed = studio.ask("post", f"/{number}/privacy/proposal", wish).json()
    assert (proposed["total"], proposed["n"], proposed["mark"]) == ("2", 3000, before["mark"])
    forms = proposed["proposal"]["forms"]
    asked = [{key for draw in form["draws"] for key in draw["questions"]} for form in forms]
    assert set().union(*asked) == {"a", "b", "c"} and any({"a", "b"} <= keys for keys in asked)
    assert proposed["proposal"]["everyone"] == [{"questions": ["d"], "alpha": "0.5", "sizes": [1]}]
    assert len(proposed["proposal"]["half_widths"]) == 4 and proposed["proposal"]["uncrossed"] == []
    assert [len(each["questions"]) for each in proposed["possible"]] == [1, 3, 4]
    assert privacy(studio, number) == before
    taken = studio.ask("put", f"/{number}/privacy/proposal", wish | {"mark": proposed["mark"]})
    assert taken.status_code == 200 and taken.json()["alpha_total"] == "2"
    assert len(taken.json()["forms"]) == (len(forms) if len(forms) > 1 else 0)
    assert AuditEntry.objects.filter(survey_number=number, detail=f"forms: {len(forms)}").exists()
    assert history.last(Survey.objects.get(pk=number), ada).said == "Set the forms and alphas of all questions."
    assert studio.ask("put", f"/{number}/privacy/proposal", wish | {"mark": proposed["mark"]}).status_code == 409
    everything = {"total": 2, "mark": privacy(studio, number)["mark"], "which": "everything"}
    assert studio.ask("put", f"/{number}/privacy/proposal", everything).json()["forms"] == []


def test_what_one_question_alone_cannot_have_is_left_out_where_the_total_exceeds_the_largest_alpha(studio, number):
    proposed = studio.ask("post", f"/{number}/privacy/proposal", {"total": 17})
    assert proposed.status_code == 200
    assert [len(each["questions"]) for each in proposed.json()["possible"]] == [3, 4]


def test_a_proposal_that_was_taken_is_what_stands(studio, number):
    wish = {"total": 2, "n": 5000, "all_crossed": True, "mark": privacy(studio, number)["mark"]}
    taken = studio.ask("put", f"/{number}/privacy/proposal", wish).json()
    del wish["mark"]
    again = studio.ask("post", f"/{number}/privacy/proposal", wish).json()
    assert again["proposal"]["crossing_cost"] is not None and len(again["proposal"]["forms"]) == len(taken["forms"])


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({}, 400),
        ({"total": "much"}, 422),
        ({"total": 2, "n": 0}, 422),
        ({"total": 2, "widths": {"z": 4}}, 422),
        ({"total": 2, "own": {"a": "x"}}, 422),
        ({"total": 2, "crossed": [["a", "z"]]}, 422),
        ({"total": 2, "crossed": [["a"]]}, 422),
        ({"total": 2, "crossed": [[]]}, 422),
        ({"total": 2, "crossed": [[5, 6]]}, 400),
        ({"total": 0.02, "own": {"a": 0.01, "b": 0.01}}, 422),
    ],
)
def test_what_cannot_be_wished_is_refused(studio, number, wish, status):
    assert studio.ask("post", f"/{number}/privacy/proposal", wish).status_code == status


def test_an_alpha_is_set_of_one_question(studio, number):
    mark = privacy(studio, number)["mark"]
    address = f"/{number}/privacy/questions/a/alpha"
    set_ = studio.ask("put", address, {"mark": mark, "alpha": 0.7}).json()
    assert set_["questions"][0]["alpha"] == "0.7" and set_["alpha_total"] == "2.2" and set_["mark"] != mark
    assert studio.ask("put", address, {"mark": mark, "alpha": 1}).status_code == 409
    for wrong in ({"alpha": 99}, {"alpha": 1, "mechanism": "laplace"}):
        refused = studio.ask("put", address, {"mark": set_["mark"]} | wrong)
        assert refused.status_code == 422 and refused.json()["rules"][0]["field"] in wrong
    assert (
        studio.ask("put", f"/{number}/privacy/questions/z/alpha", {"mark": set_["mark"], "alpha": 1}).status_code == 404
    )
    assert AuditEntry.objects.filter(survey_number=number, detail="alpha of a: 0.7").exists()


def test_questions_move_between_forms_and_forms_are_set(studio, number):
    wish = {"total": 2, "n": 100_000, "mark": privacy(studio, number)["mark"]}
    document = studio.ask("put", f"/{number}/privacy/proposal", wish).json()
    if len(document["forms"]) < 2:
        pytest.fail("so many people are worth forms")

    def move(key, to):
        mark = privacy(studio, number)["mark"]
        return studio.ask("put", f"/{number}/privacy/questions/{key}/form", {"mark": mark, "to": to})

    assert move("a", "everyone").json()["questions"][0]["forms"] == []
    assert move("a", "2").json()["questions"][0]["forms"] == [2]
    also = {"mark": privacy(studio, number)["mark"], "to": "1", "also": True}
    both = studio.ask("put", f"/{number}/privacy/questions/a/form", also).json()
    assert both["questions"][0]["forms"] == [1, 2] and both["alpha_total"] == document["alpha_total"]
    out = {"mark": both["mark"], "to": "none", "at": 1}
    assert studio.ask("put", f"/{number}/privacy/questions/a/form", out).json()["questions"][0]["forms"] == [2]
    assert [move("a", to).status_code for to in ("99", "0", "nowhere", 2)] == [422, 422, 422, 400]
    form = {"mark": privacy(studio, number)["mark"], "weight": 3, "alpha": 1.5}
    document = studio.ask("put", f"/{number}/privacy/forms/1", form).json()
    assert document["forms"][0]["weight"] == 3
    form = form | {"mark": document["mark"]}
    assert studio.ask("put", f"/{number}/privacy/forms/9", form).status_code == 404
    assert studio.ask("put", f"/{number}/privacy/forms/1", form | {"weight": 0}).status_code == 422
    assert studio.ask("put", f"/{number}/privacy/forms/1", form | {"mark": "0"}).status_code == 409


def test_of_an_opened_survey_everything_is_shown_and_nothing_set(studio):
    number = studio.opened(DRAFT)
    document = privacy(studio, number)
    assert document["alpha_total"] == "2"
    for of, body in (("/proposal", {"total": 2}), ("/questions/a/alpha", {"alpha": 1})):
        body = body | {"mark": document["mark"]}
        assert studio.ask("put", f"/{number}/privacy{of}", body).json()["type"] == "/problems/no_draft"
