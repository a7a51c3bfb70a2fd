"""A start refuses a book of invitations that is older than the database, another site's, or on a network."""

import io

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command

from surveys.life.lifecycle import close_survey
from surveys.respondent.invitations import blind, book, checks, restoration
from surveys.rules.refusals import DraftRefused
from tests.support.invitations import Invited, invited_survey

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def file(settings, tmp_path):
    settings.INVITATIONS_FILE = tmp_path / "invitations.sqlite3"
    return settings.INVITATIONS_FILE


def start():
    """Return the errors of the checks that every start runs first."""
    found = run_checks(databases=["default"])
    return "".join(str(each) for each in found if each.is_serious() and each.id.startswith("deniable."))


def answer(survey, token, seed):
    person = Invited(survey, token, seed)
    assert person.sends(person.signed(person.asks().json()["signature"])).status_code == 201


def test_an_older_book_is_refused_until_it_is_accepted_or_the_survey_ends(file):
    survey, tokens = invited_survey(4)
    answer(survey, tokens[0], 0)
    copy = file.read_bytes()
    for seed in (1, 2):
        answer(survey, tokens[seed], seed)
    Invited(survey, tokens[3], 3).asks()
    assert start() == "", "a use without a report is none too few"
    file.write_bytes(copy)
    refusal = start()
    assert "deniable.E007" in refusal and "3 reports from 1" in refusal and "At least 2 people" in refusal
    said = io.StringIO()
    call_command("survey", "restored", survey.slug, stdout=said)
    assert "2 people" in said.getvalue() and start() == ""
    answer(survey, tokens[1], 11)
    assert start() == "", "they answered again, as was accepted"
    file.write_bytes(copy)
    assert close_survey(survey) and start() == ""


def test_a_book_without_the_survey_is_refused_and_none_at_all_is_warned_of(file):
    survey, _ = invited_survey(1)
    copy = file.read_bytes()
    file.unlink()
    assert start() == "" and [warning.id for warning in checks.book_of_this_site(["default"])] == ["deniable.W010"]
    with pytest.raises(DraftRefused, match="machine of this site that has the book"):
        invited_survey(1)
    assert not file.exists(), "no second one is begun"
    book.enter("b" * 64, [blind.new_key()])
    assert "deniable.E008" in start() and str(survey.slug) in start()
    file.write_bytes(copy)
    assert start() == "" and restoration.forgive(survey) == 0


def test_a_book_on_a_network_is_refused(file, tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/a / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\nserver:/y /elsewhere cifs rw 0 0\n")
    assert checks.book_on_this_machine() == []
    monkeypatch.setattr(checks, "MOUNTS", mounts)
    assert "deniable.E009" in start() and "nfs4" in start()


def test_only_an_open_survey_by_invitation_is_restored():
    with pytest.raises(CommandError, match="No open survey by invitation"):
        call_command("survey", "restored", "none")
