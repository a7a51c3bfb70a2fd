"""Invitations in the API: all that designers do in the studio, and nothing that reveals who answered."""

import pytest

from surveys.accounts import withdrawal
from surveys.models import AuditEntry, Role, Scope
from surveys.respondent.invitations import book, letters
from tests.support.factories import opened_survey
from tests.support.invitations import INVITED, UNKNOWN, Invited, invited_survey
from tests.support.tokens import carrying, member, token

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def site(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    settings.EMAIL_HOST, settings.BATCH = "127.0.0.1", 20


@pytest.fixture
def survey():
    return invited_survey(2)[0]


@pytest.fixture
def designer(survey):
    return carrying(token(member(survey, Role.DESIGNER), Scope.INVITATIONS))


def address(survey, of=""):
    return f"/api/v1/surveys/{survey.slug}/invitations{of}"


def post(client, survey, of="", **body):
    return client.post(address(survey, of), body, content_type="application/json")


def test_links_are_made_replaced_and_taken_back_the_same_whether_or_not_they_were_used(survey, designer):
    made = post(designer, survey, count=2, language="en")
    assert made.status_code == 201 and made["Cache-Control"] == "no-store"
    used, unused = made.json()["links"]
    assert Invited(survey, used.rpartition("/")[2], 1).asks().status_code == 200
    others = [post(designer, survey, "/replacements", link=link) for link in (used, unused)]
    assert [each.status_code for each in others] == [201, 201]
    assert [post(designer, survey, "/revocations", link=link).json() for link in (used, unused)] == [
        {"invited": 3}, {"invited": 2}
    ]  # fmt: skip
    assert post(designer, survey, "/revocations", link=used).json()["type"] == "/problems/invitations_link"
    details = AuditEntry.objects.filter(survey_number=survey.pk).values_list("detail", flat=True)
    assert "made 2 invitations" in details and not any("//" in detail for detail in details)


def test_people_are_written_to_reminded_and_forgotten(survey, designer):
    people = ["ada@example.org", "bob@example.org"]
    queued = post(designer, survey, "/emails", addresses=people, keeps=True, subject="Hi", text="Go: {link}")
    assert (queued.status_code, queued.json()) == (202, {"emails": 2})
    assert post(designer, survey, "/reminders").json()["detail"] == "Some emails are still waiting to be sent."
    for digest, place, _ in letters.waiting(9):
        letters.sent(letters.begin(digest, place))
    assert designer.get(address(survey)).json()["emails"] == {
        "waiting": 0, "per_minute": 60, "keeps": 2, "undeliverable": [], "to_remind": 2
    }  # fmt: skip
    assert post(designer, survey, "/emails", addresses=["BOB@example.org"], keeps=True).status_code == 422
    assert post(designer, survey, "/bounces", addresses=["bob@example.org"]).json() == {"forgotten": 1}
    assert post(designer, survey, "/reminders", language="en").json() == {"emails": 1}


@pytest.mark.parametrize(("alpha", "warns"), [("0.3", False), ("6", True)])
def test_emails_of_a_survey_that_protects_weakly_warn_as_the_text_to_paste_does(alpha, warns):
    questions = [question | {"alpha": alpha} for question in INVITED["questions"]]
    survey = opened_survey(INVITED | {"questions": questions})
    client = carrying(token(member(survey, Role.DESIGNER), Scope.INVITATIONS))
    assert post(client, survey, "/emails", addresses=["ada@example.org"], keeps=True).status_code == 202
    for _ in range(2):
        [(digest, place, _)] = letters.waiting(9)
        letter = letters.begin(digest, place)
        assert ("Take part only if you accept what a report can reveal." in letter.words.text) is warns
        letters.sent(letter)
        post(client, survey, "/reminders")


def test_a_group_is_counted_by_itself_and_begins_with_a_batch(survey, designer):
    assert post(designer, survey, count=19, group="Sales").json()["type"] == "/problems/invitations_group"
    assert post(designer, survey, count=20, group="Sales").status_code == 201
    document = designer.get(address(survey)).json()
    assert document["invited"] == 22 and document["releases"] == []
    assert document["groups"] == [
        {"name": "", "invited": 2, "used": None}, {"name": "Sales", "invited": 20, "used": None}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("of", "body", "status"),
    [
        ("", {}, 400),
        ("", {"count": 0}, 400),
        ("", {"count": "3"}, 400),
        ("", {"count": True}, 400),
        ("", {"count": 3, "more": 1}, 400),
        ("", {"count": 3, "language": "de"}, 400),
        ("", {"count": 99_999}, 422),
        ("/emails", {"addresses": []}, 400),
        ("/emails", {"addresses": [1]}, 400),
        ("/emails", {"addresses": ["nobody"]}, 422),
        ("/emails", {"addresses": ["a@b.org", "A@b.org"]}, 422),
        ("/emails", {"addresses": ["a@b.org"], "text": "no link"}, 422),
        ("/reminders", {}, 422),
        ("/replacements", {"link": UNKNOWN}, 422),
        ("/replacements", {}, 422),
        ("/revocations", {"link": "https://x/"}, 422),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(survey, designer, of, body, status):
    response = post(designer, survey, of, **body)
    assert response.status_code == status and response["Content-Type"] == "application/problem+json"
    assert book.invited(survey.digest) == 2 and letters.waiting(1) == []


def test_without_a_mail_server_no_one_is_written_to(survey, designer, settings):
    settings.EMAIL_HOST = ""
    assert post(designer, survey, "/emails", addresses=["a@b.org"]).status_code == 409


@pytest.mark.parametrize(
    ("role", "scope", "status"),
    [
        (Role.RESEARCHER, Scope.INVITATIONS, 404),
        (Role.DESIGNER, Scope.MICRODATA, 403),
        (Role.OWNER, Scope.INVITATIONS, 201),
    ],
)
def test_it_is_for_designers_with_a_token_made_for_it(survey, role, scope, status):
    assert post(carrying(token(member(survey, role), scope)), survey, count=1).status_code == status


def test_who_is_designer_no_more_keeps_no_token_for_it(survey):
    user = member(survey, Role.DESIGNER)
    client = carrying(token(user, Scope.INVITATIONS, survey=survey))
    reader = carrying(token(user, Scope.RESULTS, survey=survey))
    withdrawal.withdraw(user, survey, Role.RESEARCHER, None)
    assert client.get(address(survey)).status_code == 401
    assert reader.get(f"/api/v1/surveys/{survey.slug}").status_code == 200


def test_a_request_that_comes_again_with_its_key_invites_no_one_twice(survey, designer):
    def sent(of, **body):
        headers = {"Idempotency-Key": "2265b1f5-91b7-484a-98f1-6adfcd613e30" + of}
        return designer.post(address(survey, of), body, content_type="application/json", headers=headers)

    assert [sent("", count=2).status_code for _ in range(2)] == [201, 409] and book.invited(survey.digest) == 4
    people = ["ada@example.org", "bob@example.org"]
    written = [sent("/emails", addresses=people, keeps=True) for _ in range(2)]
    assert [(each.status_code, each.json()) for each in written] == [(202, {"emails": 2})] * 2
    assert len(letters.waiting(9)) == 2
