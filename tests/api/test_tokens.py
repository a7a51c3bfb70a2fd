"""Tokens: who makes and ends them, the URLs they open, and the URLs they do not open."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts import tokens, withdrawal
from surveys.api.authentication import REFUSED
from surveys.models import AuditEntry, Export, Membership, Role, Scope, Token
from tests.support.estimates import found_again, released
from tests.support.exports import exported
from tests.support.tokens import carrying, member, token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

PASSWORD = "correct horse battery"
WRONG = "dnb_" + "x" * 43


@pytest.fixture(scope="module")
def with_files(outer_transaction):
    survey = released(20)
    exported(survey)
    return survey


@pytest.fixture
def survey(with_files, db):
    return found_again(with_files)


def address(survey, rest=""):
    return f"/api/v1/surveys/{survey.slug}{rest}"


MICRODATA = "/releases/1/microdata"


# Making and ending ----------------------------------------------------------------------------------------------------


def signed_in(user):
    user.set_password(PASSWORD)
    user.save()
    visitor = Client()
    visitor.post("/account/login/", {"login": user.username, "password": PASSWORD})
    return visitor


def proven(user):
    """Return the client of a signed-in user who has entered the password again."""
    visitor = signed_in(user)
    visitor.post("/account/again/?next=/account/", {"password": PASSWORD})
    return visitor


FORM = {"name": "My notebook", "survey": "", "scope": "microdata", "days": "30"}


def test_a_token_for_everything_has_every_scope_and_ends_with_the_role(survey, ada):
    proven(ada).post("/account/tokens/new/", FORM | {"scope": "studio", "survey": str(survey.pk)})
    made = Token.objects.get(user=ada)
    assert made.scopes.split() == list(Scope)
    withdrawal.withdraw(ada, survey, Role.VIEWER, None)
    made.refresh_from_db()
    assert made.revoked


def test_a_token_is_shown_once_and_stored_as_a_hash_only(survey, ada):
    visitor = proven(ada)
    page = visitor.post("/account/tokens/new/", FORM)
    (text,) = set(re.findall(r"dnb_[\w-]{43}", page.content.decode()))
    assert "no-store" in page["Cache-Control"]
    assert carrying(text).get(address(survey, MICRODATA)).status_code == 200
    stored = Token.objects.values().get()
    assert text not in str(stored) and stored["prefix"] == text[:10]
    listed = visitor.get("/account/tokens/").content.decode()
    assert text not in listed and text[:10] in listed and "My notebook" in listed


def test_the_password_is_asked_for_again_before_a_token_is_made(ada):
    visitor = Client()
    visitor.force_login(ada)
    for asked in (visitor.get("/account/tokens/new/"), visitor.post("/account/tokens/new/", FORM)):
        assert asked["Location"] == "/account/again/?next=%2Faccount%2Ftokens%2Fnew%2F"
    assert not Token.objects.exists()


def test_making_and_revoking_stand_in_the_log_without_the_token(survey, ada):
    visitor = proven(ada)
    visitor.post("/account/tokens/new/", FORM | {"survey": survey.pk})
    made = Token.objects.get()
    for _ in range(2):
        assert visitor.post(f"/account/tokens/{made.pk}/revoke/")["Location"] == "/account/tokens/"
    entries = AuditEntry.objects.filter(username="ada").order_by("pk").values_list("action", "survey_number", "detail")
    detail = f"{made.prefix}…, results and microdata, until {made.last_day}"
    assert list(entries) == [("made a token", survey.pk, detail), ("revoked a token", survey.pk, detail)]


def test_no_one_revokes_or_sees_a_token_of_someone_else(survey, ada):
    token(ada)
    other = proven(User.objects.create(username="bob"))
    assert other.post(f"/account/tokens/{Token.objects.get().pk}/revoke/").status_code == 404
    assert "for a test" not in other.get("/account/tokens/").content.decode()
    assert not Token.objects.get().revoked


def test_a_survey_that_one_may_not_see_cannot_be_chosen(survey):
    bob = proven(User.objects.create(username="bob"))
    page = bob.post("/account/tokens/new/", FORM | {"survey": survey.pk}).content.decode()
    assert "Please correct this" in page and not Token.objects.exists()


@pytest.mark.parametrize("days", ["0", "366", "", "3650"])
def test_every_token_ends_within_a_year(ada, days):
    assert "Please correct this" in proven(ada).post("/account/tokens/new/", FORM | {"days": days}).content.decode()
    for wrong in (0, 366):
        with pytest.raises(ValueError, match="365"):
            tokens.make(ada, "x", [Scope.RESULTS], wrong)


def test_there_is_a_limit_to_the_tokens_of_a_person(ada, monkeypatch):
    monkeypatch.setattr(tokens, "WORKING_MAX", 2)
    for _ in range(2):
        token(ada)
    assert "You have 2 tokens already" in proven(ada).post("/account/tokens/new/", FORM).content.decode()


# URLs that tokens do not open -----------------------------------------------------------------------------------------


def refused(response):
    return response.status_code == 401 and response.json()["detail"] == REFUSED and response["WWW-Authenticate"]


def test_unknown_expired_and_revoked_tokens_and_those_of_closed_accounts_are_told_the_same(survey, ada):
    texts = {}
    for state in ("expired", "revoked", "closed"):
        owner = member(survey, "viewer", "gone") if state == "closed" else ada
        texts[state] = token(owner, days=1)
    ends = tokens.today() - timedelta(days=1)
    expired, revoked, _ = (Token.objects.filter(token_hash=tokens.hash_of(text)) for text in texts.values())
    assert all(carrying(text).get(address(survey)).status_code == 200 for text in texts.values())
    expired.update(last_day=ends)
    revoked.update(revoked=True)
    User.objects.filter(username="gone").update(is_active=False)
    answers = [carrying(text).get(address(survey)) for text in [*texts.values(), WRONG, "dnb_short", "", "\x00é"]]
    assert all(refused(answer) for answer in answers)
    assert {answer["WWW-Authenticate"] for answer in answers} == {'Bearer realm="Deniable", error="invalid_token"'}
    assert len({answer.content for answer in answers}) == 1
    assert answers[0]["Content-Type"] == "application/problem+json"


def test_a_wrong_token_opens_not_even_what_is_published(survey):
    survey.results_public = True
    survey.save()
    assert refused(carrying(WRONG).get(address(survey)))
    basic = Client(headers={"authorization": "Basic YWRhOmFkYQ=="})
    assert refused(basic.get(address(survey))) and Client().get(address(survey)).status_code == 200


def test_a_token_opens_no_page_and_does_nothing_there(survey, ada):
    User.objects.update(is_superuser=True)
    program = carrying(token(ada, *Scope))
    for path in ("/surveys/", "/account/", "/account/tokens/", "/admin/", f"/surveys/{survey.pk}/"):
        assert "/account/login/" in program.get(path)["Location"]
    assert program.get(f"/r/{survey.slug}/").status_code == 404
    assert "login" in program.post(f"/r/{survey.slug}/1/downloads/prepare")["Location"]
    assert program.get("/metrics").status_code == 404


def test_a_session_asks_for_nothing_through_the_api(survey, ada):
    browser = Client()
    browser.force_login(ada)
    assert browser.get(address(survey, MICRODATA)).status_code == 200
    assert browser.post(address(survey, MICRODATA)).status_code == 401
    assert Client().post(address(survey, MICRODATA))["WWW-Authenticate"] == 'Bearer realm="Deniable"'


# URLs that tokens open ------------------------------------------------------------------------------------------------


def test_a_token_opens_what_its_owner_may_open_at_that_moment(survey, ada):
    program = carrying(token(ada, *Scope))
    assert program.get(address(survey, MICRODATA)).status_code == 200
    Membership.objects.update(role="viewer")
    assert program.get(address(survey, MICRODATA)).status_code == 404
    assert program.get(address(survey, "/releases/1/estimates")).status_code == 200
    Membership.objects.all().delete()
    assert program.get(address(survey, "/releases/1/estimates")).status_code == 404


def test_a_token_without_the_scope_is_told_so_and_takes_no_microdata(survey, ada):
    program = carrying(token(ada))
    for answer in (
        program.get(address(survey, MICRODATA)),
        program.post(address(survey, MICRODATA)),
        program.get(address(survey, MICRODATA + "/microdata.csv")),
    ):
        assert answer.status_code == 403 and answer.json()["type"] == "/problems/insufficient_scope"


def test_published_microdata_are_open_to_any_token_but_files_are_asked_for_by_researchers_only(survey, ada):
    type(survey).objects.update(microdata_public=True)
    Export.objects.all().delete()
    Membership.objects.all().delete()
    program = carrying(token(ada, *Scope))
    assert program.get(address(survey, MICRODATA)).json()["state"] == "none"
    assert program.get(address(survey, "/releases/1/codebook")).status_code == 200
    assert program.get(address(survey, "/releases/1/estimates")).status_code == 404
    assert program.post(address(survey, MICRODATA)).status_code == 404
    assert not Export.objects.exists() and not AuditEntry.objects.filter(survey_number=survey.pk).exists()


def test_a_token_for_one_survey_is_no_ones_at_another(survey, ada):
    other = released(20)
    member(other)
    program = carrying(token(ada, *Scope, survey=survey))
    assert program.get(address(survey)).json()["role"] == "researcher"
    assert [program.get(address(other, rest)).status_code for rest in ("", MICRODATA)] == [404, 404]
    assert [item["slug"] for item in program.get("/api/v1/surveys").json()["items"]] == [survey.slug]
    other.results_public = True
    other.save()
    assert program.get(address(other)).json()["role"] is None
    assert program.get(address(other, MICRODATA)).status_code == 404


def test_only_the_day_of_the_last_use_is_kept(survey, ada):
    text, before = token(ada), tokens.today()
    assert Token.objects.get().last_used is None
    carrying(text).get(address(survey))
    assert before <= Token.objects.get().last_used <= tokens.today()
    assert {field.get_internal_type() for field in Token._meta.fields}.isdisjoint({"DateTimeField", "TimeField"})


def test_who_took_or_asked_for_microdata_is_noted_once_a_day(survey, ada):
    program = carrying(token(ada, *Scope))
    for _ in range(3):
        assert program.post(address(survey, MICRODATA)).status_code == 200
        b"".join(program.get(address(survey, MICRODATA + "/microdata.csv")))
    done = AuditEntry.objects.filter(survey_number=survey.pk, username="ada").values_list("action", flat=True)
    assert list(done) == ["microdata taken"]
    Export.objects.all().delete()
    assert [program.post(address(survey, MICRODATA)).status_code for _ in range(2)] == [202, 200]
    assert list(done.all()) == ["microdata asked for", "microdata taken"]
