"""Members of a survey: owners give and take roles, but never the last owner's role. The log keeps every change for
ever."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from surveys.accounts import members
from surveys.audit import record
from surveys.life.lifecycle import begin_draft
from surveys.models import AuditEntry, Membership, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


@pytest.fixture
def survey(ada):
    return begin_draft(ada, {"title": "Sleep"})


@pytest.fixture
def bob(survey):
    return Membership.objects.create(survey=survey, user=User.objects.create_user("bob"), role=Role.VIEWER)


def client(user):
    visitor = Client()
    visitor.force_login(user)
    return visitor


def change(visitor, survey, member, **form):
    return visitor.post(f"/surveys/{survey.pk}/team/{member.pk}/", form, follow=True)


def roles(survey):
    return dict(survey.memberships.values_list("user__username", "role"))


def newest():
    entry = AuditEntry.objects.first()
    return entry.username, entry.action, entry.detail


def test_an_owner_changes_a_role_and_takes_it_away(survey, ada, bob):
    owner = client(ada)
    assert b"The role of bob has been saved." in change(owner, survey, bob, role="designer").content
    assert roles(survey)["bob"] == "designer" and newest() == ("ada", "role given", "bob: viewer → designer")
    assert b"bob has been removed from this survey." in change(owner, survey, bob, do="remove").content
    assert roles(survey) == {"ada": "owner"} and newest() == ("ada", "removed", "bob: designer")
    assert b"has since been removed" in change(owner, survey, bob, role="viewer").content
    assert client(bob.user).get(f"/surveys/{survey.pk}/").status_code == 404


def test_a_role_that_does_not_exist_and_one_that_someone_has_change_nothing(survey, ada, bob):
    before = AuditEntry.objects.count()
    for role in ("king", "", "viewer"):
        change(client(ada), survey, bob, role=role)
    assert roles(survey)["bob"] == "viewer" and AuditEntry.objects.count() == before


def test_the_last_owner_stays(survey, ada, bob):
    own, before = survey.memberships.get(user=ada), AuditEntry.objects.count()
    for form in ({"do": "remove"}, {"role": "viewer"}):
        assert (
            b"A survey needs an owner. Make someone else an owner first."
            in change(client(ada), survey, own, **form).content
        )
    assert roles(survey)["ada"] == "owner" and AuditEntry.objects.count() == before
    change(client(ada), survey, bob, role="owner")
    assert change(client(ada), survey, own, role="viewer").redirect_chain[-1][0] == f"/surveys/{survey.pk}/"
    assert roles(survey) == {"ada": "viewer", "bob": "owner"}
    change(client(bob.user), survey, own, role="owner")
    assert change(client(ada), survey, own, do="remove").redirect_chain[-1][0] == "/surveys/"


def test_a_member_of_one_survey_is_changed_there_only(survey, ada, bob):
    eve = User.objects.create_user("eve")
    other = begin_draft(eve, {"title": "Work"})
    assert b"has since been removed" in change(client(eve), other, bob, role="owner").content
    assert roles(survey)["bob"] == "viewer"


@pytest.mark.parametrize("role", [Role.VIEWER, Role.RESEARCHER, Role.DESIGNER])
def test_no_one_but_an_owner_sees_or_changes_people(survey, bob, role):
    Membership.objects.filter(pk=bob.pk).update(role=role)
    visitor = client(bob.user)
    for address in ("team/", "log/"):
        assert visitor.get(f"/surveys/{survey.pk}/{address}").status_code == 404
    assert change(visitor, survey, bob, role="owner").status_code == 404 and roles(survey)["bob"] == role
    assert b"/team/" not in visitor.get(f"/surveys/{survey.pk}/").content


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_two_owners_who_remove_each_other_at_once_leave_one(survey, ada, bob):
    Membership.objects.update(role=Role.OWNER)
    own = survey.memberships.get(user=ada)

    def remove(by, member):
        try:
            members.remove(by, survey, member.pk)
        except (members.LastOwner, members.NoMember):
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(remove, (ada, bob.user), (bob, own)))
    assert sum(done) == 1 and len(roles(survey)) == 1


# The log --------------------------------------------------------------------------------------------------------------


def test_the_log_shows_what_was_done_on_this_survey_newest_first(survey, ada, bob):
    begin_draft(ada, {"title": "Another"})
    change(client(ada), survey, bob, role="designer")
    page = client(ada).get(f"/surveys/{survey.pk}/log/").content.decode()
    assert page.index("changed a role") < page.index("began the survey")
    assert "bob: Viewer → Designer" in page and page.count("<time") == 2


def test_a_long_log_comes_in_parts(survey, ada):
    for k in range(60):
        record(ada, AuditEntry.Action.EDITED, survey, f"edit {k}")
    first, last = (client(ada).get(f"/surveys/{survey.pk}/log/?page={n}").content.decode() for n in ("1", "99"))
    assert "edit 59<" in first and "edit 9<" not in first and "edit 9<" in last and "Part 2 of 2" in last


@pytest.mark.database
@pytest.mark.parametrize("action", ["UPDATE surveys_auditentry SET username = 'x'", "DELETE FROM surveys_auditentry"])
def test_the_database_refuses_to_change_the_log_or_to_delete_from_it(survey, action):
    """Each attempt is in a transaction, which is rolled back."""
    with pytest.raises(DatabaseError, match="only ever added to"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(action)
    with pytest.raises(DatabaseError, match="only ever added to"), transaction.atomic():
        AuditEntry.objects.all().delete()
    assert [entry.username for entry in AuditEntry.objects.all()] == ["ada"]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("time", [1, 2])
def test_a_test_with_transactions_of_its_own_finds_the_log_empty_and_guarded(survey, time):
    assert AuditEntry.objects.count() == 1
    with pytest.raises(DatabaseError, match="only ever added to"):
        AuditEntry.objects.all().delete()


def test_what_is_recorded_stands_and_falls_with_the_action(survey, ada):
    before = AuditEntry.objects.count()
    with pytest.raises(RuntimeError), transaction.atomic():
        record(ada, AuditEntry.Action.EDITED, survey)
        raise RuntimeError
    assert AuditEntry.objects.count() == before


# The first account ----------------------------------------------------------------------------------------------------


def test_the_first_owner_is_made_by_a_command_that_tells_the_password_once(capsys):
    call_command("owner", "root")
    said = capsys.readouterr().out
    user = User.objects.get()
    assert user.is_superuser and user.check_password(said.strip().rpartition(" ")[2]) and len(user.password) > 50
    visitor = Client()
    signed = visitor.post("/account/login/", {"login": "root", "password": said.strip().rpartition(" ")[2]})
    assert signed.status_code == 302 and visitor.get("/admin/").status_code == 200
    with pytest.raises(CommandError, match="already exists"):
        call_command("owner", "root")
    with pytest.raises(CommandError, match="valid username"):
        call_command("owner", "two words")


def test_the_command_asks_for_a_password_that_keeps_the_rules(monkeypatch, capsys):
    typed = iter(["short", "short", "one thing here", "and another", "a long password", "a long password"])
    monkeypatch.setattr("getpass.getpass", lambda prompt="": next(typed))
    for rule in ("too short", "differ"):
        with pytest.raises(CommandError, match=rule):
            call_command("owner", "root", "--ask")
    call_command("owner", "root", "--ask")
    assert User.objects.get().check_password("a long password") and "Password" not in capsys.readouterr().out
