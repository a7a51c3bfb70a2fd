"""Invitations in the studio: chosen in the settings, made as a file or cards, replaced, withdrawn."""

import csv
import io
import re

import pytest
from django.test import Client

from surveys.life.lifecycle import begin_draft
from surveys.models import AuditEntry, Release, Survey
from surveys.respondent.invitations import book, letters
from surveys.respondent.page.links import token_of
from surveys.rules.spelling import SURVEY, is_code
from tests.support.estimates import work
from tests.support.factories import DRAFT, opened_survey
from tests.support.invitations import INVITED, UNKNOWN, Invited, invited_survey
from tests.support.life import page, press, signed_in, text

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def file(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"


@pytest.fixture
def ada():
    from django.contrib.auth.models import User  # once Django is set up

    return User.objects.create_user("ada")


@pytest.fixture
def invited(ada):
    survey, tokens = invited_survey(3, owner=ada)
    return signed_in(ada), survey, tokens


def rows(response):
    assert response["Content-Type"] == "text/csv; charset=utf-8" and response["Cache-Control"] == "no-store"
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_who_can_answer_is_chosen_among_a_drafts_settings(ada):
    survey, client = begin_draft(ada, DRAFT), signed_in(ada)
    assert "Anyone with the link" in text(page(client, survey, "alpha/"))
    choices = [("invited", True, None), ("sample", True, True), ("invited", True, None), ("sample", True, True)]
    for who, *stored in [*choices, ("open", None, None)]:
        press(client, survey, "participation/", who=who)
        draft = Survey.objects.get(pk=survey.pk).draft
        assert [draft.get("invitations"), draft.get("sample")] == stored
        shown = page(client, survey, "alpha/")
        assert re.search(rf'value="{who}"[^>]* checked', shown.content.decode())
        about = {"invited": "exactly the people who take part", "sample": "a random sample", "open": "a random sample"}
        assert about[who] in text(shown)
    assert press(client, survey, "participation/", who="me").status_code == 404
    details = AuditEntry.objects.filter(survey_number=survey.pk).values_list("detail", flat=True)
    assert {"by invitation", "by open link"} <= set(details)


def test_after_opening_the_link_is_shared_by_invitations_only(invited):
    client, survey, _ = invited
    assert page(client, survey, "share/")["Location"] == f"/surveys/{survey.pk}/invitations/"
    shown = text(page(client, survey, "invitations/"))
    assert "3 people invited" in shown and "Anyone with the link" not in shown


def test_a_number_of_people_gives_a_file_with_a_link_for_each(invited):
    client, survey, _ = invited
    made = rows(press(client, survey, "invitations/new/", count="5", format="csv"))
    assert len({row["link"] for row in made}) == 5 and book.invited(survey.digest) == 8
    assert all(re.fullmatch(rf"http.*/s/#{survey.slug}/\w{{27}}", row["link"]) for row in made)
    assert Invited(survey, token_of(made[0]["link"]), 1).asks().status_code == 200


def test_a_list_of_addresses_comes_back_with_links_and_is_stored_nowhere(invited, settings):
    client, survey, _ = invited
    listed = "ada@example.org,Ada\n\nbob@example.org\n=cmd|' /C calc'!A0\n"
    made = rows(press(client, survey, "invitations/new/", listed=listed, format="csv"))
    assert [row["person"] for row in made] == ["ada@example.org", "bob@example.org", "'=cmd|' /C calc'!A0"]
    assert b"example.org" not in settings.INVITATIONS_FILE.read_bytes()
    assert not AuditEntry.objects.filter(detail__contains="example.org").exists()


def test_each_address_of_a_line_that_a_mail_program_copied_gets_a_link(invited):
    client, survey, _ = invited
    listed = 'Ada <a@x.org>; "X, Bob" <b@x.org>\r\nc@x.org, d@x.org\r\n17,e@x.org,f@x.org'
    made = rows(press(client, survey, "invitations/new/", listed=listed, format="csv"))
    assert [row["person"] for row in made] == ["a@x.org", "b@x.org", "c@x.org", "d@x.org", "17"]


def test_where_the_survey_has_a_code_to_type_the_file_and_cards_have_it_and_that_of_each(invited, ada):
    client, survey, _ = invited
    assert {row["typed"] for row in rows(press(client, survey, "invitations/new/", count="2", format="csv"))} == {""}
    assert "Make a code" in text(page(client, survey, "invitations/"))
    press(client, survey, "share/typed/")
    survey.refresh_from_db()
    code = survey.code
    assert (
        is_code(code, SURVEY) and len(code) == 8 and survey.code_in_groups in text(page(client, survey, "invitations/"))
    )
    found = Client().get("/respond/definition", headers={"survey-link": code})
    assert (found.content, found["Survey-Link"]) == (survey.canonical.encode(), survey.slug)
    [row] = rows(press(client, survey, "invitations/new/", count="1", format="csv"))
    assert row["typed"].startswith(f"{code[:4]}-{code[4:]} ") and token_of(row["typed"].split()[1]) == token_of(
        row["link"]
    )
    assert press(client, survey, "invitations/new/", count="2", format="cards")["Content-Type"] == "application/pdf"
    press(client, survey, "share/typed/", take="yes")
    survey.refresh_from_db()
    assert survey.code is None
    assert Client().get("/respond/definition", headers={"survey-link": code}).status_code == 404


def test_cards_have_a_code_and_a_link_for_each(invited):
    client, survey, _ = invited
    response = press(client, survey, "invitations/new/", count="9", format="cards")
    assert (response["Content-Type"], response["Cache-Control"]) == ("application/pdf", "no-store")
    assert len(re.findall(rb"/Type /Page\b", response.content)) == 2, "eight a page"
    assert book.invited(survey.digest) == 12
    refused = press(client, survey, "invitations/new/", count="401", format="cards")
    assert refused.status_code == 422 and "At most 400 cards at once." in text(refused)
    assert book.invited(survey.digest) == 12


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "Give a number or a list."),
        ({"count": "3", "listed": "ada"}, "Give a number or a list."),
        ({"listed": "ada\nbob\nada"}, "Line 3: “ada” is also in line 1."),
        ({"listed": "a" * 321}, "Line 1 has more than 320 characters."),
        ({"count": "0"}, ""),
        ({"count": "many"}, ""),
        ({"count": "100001"}, ""),
        ({"count": "99999"}, "A survey has at most 100000 invitations."),
    ],
)
def test_what_cannot_be_invited_is_refused_with_its_rule_and_invites_no_one(invited, fields, rule):
    client, survey, _ = invited
    response = press(client, survey, "invitations/new/", format="csv", **fields)
    assert response.status_code == 422 and rule in text(response) and book.invited(survey.digest) == 3


def test_a_lost_link_is_replaced_and_taking_one_back_tells_nothing_of_its_use(invited):
    client, survey, [used, unused, _] = invited
    Invited(survey, used, 1).asks()
    replies = [press(client, survey, "invitations/lost/", token=f"https://x/s/#a//{each}") for each in (used, unused)]
    shown = [re.sub(r"\w{27}|csrf\w* value=\S+|nonce-\S+", "", text(reply)) for reply in replies]
    assert shown[0] == shown[1] and "Another link for this person" in shown[0]
    assert [press(client, survey, "invitations/back/", token=each).status_code for each in (used, unused)] == [302, 302]
    assert press(client, survey, "invitations/back/", token=used).status_code == 422
    assert "No invitation to this survey" in text(press(client, survey, "invitations/lost/", token=UNKNOWN))
    assert "not the link of an invitation" in text(press(client, survey, "invitations/lost/", token="https://x/"))


def test_how_many_answered_is_told_with_a_release(ada, settings):
    settings.BATCH = 20
    survey, tokens = invited_survey(80, owner=ada)
    client = signed_in(ada)
    for seed, token in enumerate(tokens[:60]):
        person = Invited(survey, token, seed)
        assert person.sends(person.signed(person.asks().json()["signature"])).status_code == 201
    assert "of the invitations" not in text(page(client, survey, "invitations/"))
    work(survey)
    n = Release.objects.get(survey=survey).n
    assert f"{n} reports: {round(100 * n / 80)}% of the invitations" in text(page(client, survey, "invitations/"))


def test_only_designers_of_an_open_survey_by_invitation_have_the_page(invited, ada):
    _, survey, _ = invited
    assert page(Client(), survey, "invitations/").status_code in (302, 404)
    other = begin_draft(ada, DRAFT)
    assert page(signed_in(ada), other, "invitations/").status_code == 404


# Emails ---------------------------------------------------------------------------------------------------------------

WORDS = {"subject": "Come", "text": "Here:\n\n{link}", "language": "en"}


def test_people_are_invited_and_reminded_by_email_and_their_addresses_forgotten(invited, settings):
    client, survey, _ = invited
    assert "This site sends no email" in text(page(client, survey, "invitations/mail/"))
    assert press(client, survey, "invitations/mail/new/", addresses="a@b.org", keeps="keep", **WORDS).status_code == 404
    settings.EMAIL_HOST = "127.0.0.1"
    listed = "Name,Mail\nAda,ada@example.org\nBob,bob@example.org\n"
    assert press(client, survey, "invitations/mail/new/", addresses=listed, keeps="keep", **WORDS).status_code == 302
    assert letters.post(survey.digest).waiting == 2 and book.invited(survey.digest) == 5
    for digest, place, _ in letters.waiting(9):
        letters.sent(letters.begin(digest, place))
    shown = text(page(client, survey, "invitations/mail/"))
    assert "2 addresses are kept for reminders" in shown and "At most 2 emails go to people who had not used" in shown
    assert "ada@example.org" not in shown
    assert press(client, survey, "invitations/mail/stop/", addresses="ada@example.org").status_code == 302
    assert press(client, survey, "invitations/mail/reminder/", **WORDS).status_code == 302
    [(digest, place, _)] = letters.waiting(9)
    letters.failed(letters.begin(digest, place))
    assert "bob@example.org" in text(page(client, survey, "invitations/mail/"))
    press(client, survey, "invitations/mail/undeliverable/")
    assert book.invited(survey.digest) == 4 and letters.post(survey.digest) == (0, 0, (), True)
    press(client, survey, "invitations/mail/forget/")
    details = list(AuditEntry.objects.filter(survey_number=survey.pk).values_list("detail", flat=True))
    assert "invited 2 people by mail" in details and not any("@" in detail for detail in details)


def test_emails_are_in_the_language_of_their_text_whatever_the_language_of_the_page(ada, settings):
    settings.EMAIL_HOST = "127.0.0.1"
    survey, client = opened_survey(INVITED | {"language": "de"}, owner=ada), signed_in(ada)
    shown = page(client, survey, "invitations/mail/").content.decode()
    assert 'name="language" value="de"' in shown and 'value="en"' not in shown and "Einladung: Three kinds" in shown


def test_the_page_says_how_long_emails_take_before_they_are_sent(invited, settings):
    client, survey, _ = invited
    settings.EMAIL_HOST = "127.0.0.1"
    shown = text(page(client, survey, "invitations/mail/")).replace("\xa0", " ")
    assert "1,000 emails take at least 16 minutes, 100,000 at least 1 day, 3 hours." in shown
    listed = "\n".join(f"person{k}@example.org" for k in range(180))
    press(client, survey, "invitations/mail/new/", addresses=listed, keeps="forget", **WORDS)
    assert "That takes at least 3 minutes." in text(page(client, survey, "invitations/mail/")).replace("\xa0", " ")


@pytest.mark.parametrize(
    ("address", "fields", "rule"),
    [
        ("new/", {"addresses": ""}, "Line 1 has no email address."),
        ("new/", {"addresses": "a@b.org\nnobody"}, "Line 2 has no email address."),
        ("new/", {"addresses": "a@b.org\nA@b.org"}, "Line 2: “A@b.org” is also in line 1."),
        ("new/", {"addresses": "Ada <a@b.org>; Bob <b@c>"}, "Line 1: “b@c” is not an email address that this site can"),
        ("new/", {"addresses": "Ada,a@b.org,a@c.org"}, "Line 1 has several email addresses and other text: a@b.org, a"),
        ("new/", {"addresses": "a@b.org", "text": "no link"}, "must have {link} exactly once"),
        ("new/", {"addresses": "a@b.org", "group": "Sales"}, "a new group needs at least"),
        ("reminder/", {}, "The key of the email addresses is lost"),
    ],
)
def test_what_cannot_be_sent_is_refused_with_its_rule(invited, settings, address, fields, rule):
    client, survey, _ = invited
    settings.EMAIL_HOST = "127.0.0.1"
    response = press(client, survey, f"invitations/mail/{address}", **{**WORDS, "keeps": "forget", **fields})
    assert response.status_code == 422 and rule in text(response) and book.invited(survey.digest) == 3
