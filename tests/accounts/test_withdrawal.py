"""A user who loses a role keeps nothing of it: no invitation, no token, no waiting job."""

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from surveys.accounts import invitations, members, withdrawal
from surveys.accounts.withdrawal import withdraw
from surveys.designer.alerts import receivers
from surveys.life.lifecycle import begin_draft
from surveys.models import (
    AlertReader,
    AnalysisRun,
    AuditEntry,
    Export,
    Membership,
    Release,
    Role,
    Scope,
    Survey,
    Token,
    TryoutLink,
)
from surveys.researcher.downloads import requests
from tests.support.estimates import released
from tests.support.factories import opened_survey
from tests.support.tokens import carrying, member, token
from worker import analyses, exports

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


@pytest.fixture
def survey(ada):
    return begin_draft(ada, {"title": "Sleep"})


def client(user):
    visitor = Client()
    visitor.force_login(user)
    return visitor


def link(survey, by, role):
    """Return the link's target without the host."""
    return invitations.invite(by, survey, role)[1].removeprefix("http://127.0.0.1:8000")


def comes_back(user, address):
    visitor = client(user)
    visitor.get(address)
    visitor.post("/account/invitation/")
    return Membership.objects.filter(user=user).values_list("role", flat=True).first()


def end(way, by, survey, user):
    """End a role in one of the possible ways."""
    membership = Membership.objects.get(survey=survey, user=user)
    if way == "removed":
        members.remove(by, survey, membership.pk)
    elif way == "smaller":
        members.give(by, survey, membership.pk, Role.VIEWER)
        return Role.VIEWER
    elif way == "behind the site's back":
        Membership.objects.filter(pk=membership.pk).delete()
    return None


@pytest.mark.parametrize("way", ["removed", "smaller", "behind the site's back"])
def test_an_owner_does_not_return_by_an_invitation_of_their_own(survey, ada, way):
    bob = member(survey, Role.OWNER, "bob")
    address = link(survey, bob, Role.OWNER)
    left = end(way, ada, survey, bob)
    assert comes_back(bob, address) == left and not invitations.open_ones().exists()


@pytest.mark.parametrize("way", ["removed", "smaller"])
def test_no_one_returns_by_an_invitation_that_they_hold(survey, ada, way):
    """The person tries with the existing account and with a new one."""
    bob = member(survey, Role.DESIGNER, "bob")
    held, followed, small = (link(survey, ada, role) for role in (Role.DESIGNER, Role.RESEARCHER, Role.VIEWER))
    visitor = client(bob)
    visitor.get(followed)
    left = end(way, ada, survey, bob)
    assert visitor.post("/account/invitation/").status_code == 404
    assert comes_back(bob, held) == left and Client().get(held).status_code == 404
    assert Client().get(small).status_code == (404 if left is None else 302)
    said = [(entry.username, entry.action) for entry in AuditEntry.objects.all()[: 3 if left is None else 2]]
    assert set(said) == {("ada", "revoked")}


def test_anyone_who_gets_a_larger_role_ends_no_ones_invitation(survey, ada):
    bob = member(survey, Role.VIEWER, "bob")
    address = link(survey, ada, Role.OWNER)
    members.give(ada, survey, Membership.objects.get(user=bob).pk, Role.DESIGNER)
    assert comes_back(User.objects.create_user("eve"), address) == Role.OWNER


def test_another_surveys_invitations_stay(survey, ada):
    other, bob = begin_draft(ada, {"title": "Work"}), member(survey, Role.OWNER, "bob")
    address = link(other, ada, Role.VIEWER)
    end("removed", ada, survey, bob)
    assert comes_back(User.objects.create_user("eve"), address) == Role.VIEWER


@pytest.mark.parametrize("fields", [{"is_active": False}, {"is_superuser": False}])
@pytest.mark.parametrize("saved", [True, False])
def test_an_invitation_of_a_superuser_ends_with_what_let_them_make_it(survey, fields, saved):
    root = User.objects.create_superuser("root")
    address = link(survey, root, Role.OWNER)
    assert Client().get(address).status_code == 302
    if saved:
        for name, value in fields.items():
            setattr(root, name, value)
        root.save()
    else:
        User.objects.filter(pk=root.pk).update(**fields)
    assert comes_back(User.objects.create_user("eve"), address) is None


@pytest.mark.parametrize("way", ["switched off", "deleted"])
def test_with_an_account_everything_goes_that_it_made_or_held(survey, ada, way):
    bob = member(survey, Role.OWNER, "bob")
    made, held = link(survey, bob, Role.VIEWER), link(survey, ada, Role.VIEWER)
    text = token(bob)
    if way == "deleted":
        bob.delete()
    else:
        bob.is_active = False
        bob.save()
        bob.is_active = True
        bob.save()  # an ended token stays ended
    eve = User.objects.create_user("eve")
    assert comes_back(eve, made) is None and comes_back(eve, held) is None
    assert carrying(text).get("/api/v1/surveys").status_code == 401


# Tokens ---------------------------------------------------------------------------------------------------------------


def test_a_token_for_one_survey_ends_with_the_role_and_does_not_come_back_with_it():
    survey = released(20)
    bob, root = member(survey, Role.RESEARCHER, "bob"), User.objects.create_superuser("root")
    own, general = token(bob, Scope.RESULTS, survey=survey), token(bob, Scope.RESULTS)
    address = f"/api/v1/surveys/{survey.slug}/estimates"
    assert carrying(own).get(address).status_code == 200
    end("removed", root, survey, bob)
    assert carrying(own).get(address).status_code == 401 and carrying(general).get(address).status_code == 404
    Membership.objects.create(survey=survey, user=bob, role=Role.RESEARCHER)
    assert carrying(own).get(address).status_code == 401 and carrying(general).get(address).status_code == 200


def test_with_a_smaller_role_a_token_for_the_microdata_ends_and_one_for_the_results_stays():
    survey = released(20)
    bob, root = member(survey, Role.RESEARCHER, "bob"), User.objects.create_superuser("root")
    for scopes in ([Scope.RESULTS], [Scope.RESULTS, Scope.MICRODATA]):
        token(bob, *scopes, survey=survey)
    end("smaller", root, survey, bob)
    assert set(Token.objects.values_list("scopes", "revoked")) == {("results", False), ("results microdata", True)}


# A worker's results ---------------------------------------------------------------------------------------------------


@pytest.fixture
def asked():
    """Return an ended survey whose researcher, Bob, has requested files and a cross-table of its newest release."""
    survey = released(20)
    bob = member(survey, Role.RESEARCHER, "bob")
    release = Release.objects.get(survey=survey)
    export = requests.ask(bob, release)
    assert client(bob).post(
        f"/r/{survey.slug}/{release.number}/cross/ask", {"first": "yes", "second": "which"}
    ).status_code == 302  # fmt: skip
    return survey, bob, export, AnalysisRun.objects.get()


def states(*rows):
    for row in rows:
        row.refresh_from_db()
    return {(row.state, row.reason, row.asked_by.username if row.asked_by else None) for row in rows}


@pytest.mark.parametrize("way", ["removed", "smaller", "switched off", "deleted", "behind the site's back"])
def test_nothing_is_made_for_someone_who_may_not_have_it_any_more(asked, way):
    survey, bob, export, table = asked
    if way == "switched off":
        bob.is_active = False
        bob.save()
    elif way == "deleted":
        bob.delete()
    else:
        end(way, User.objects.create_superuser("root"), survey, bob)
    exports.make(export.pk)
    analyses.make(table.pk)
    assert states(export, table) == {("failed", "revoked", None if way == "deleted" else "bob")}
    assert not export.files.exists() and table.document is None


def test_anyone_who_works_on_it_at_that_moment_stops(asked):
    survey, bob, export, _ = asked
    claimed = Export.claim(export.pk)
    withdraw(bob, survey, None, None)
    assert not claimed.mine().exists()


def test_someone_else_may_ask_for_it_then(asked):
    survey, bob, export, _ = asked
    end("removed", User.objects.create_superuser("root"), survey, bob)
    eve = member(survey, Role.RESEARCHER, "eve")
    requests.ask(eve, export.release)
    assert states(export) == {("asked", "", "eve")}
    exports.make(export.pk)
    assert states(export) == {("ready", "", "eve")}
    address = f"/r/{survey.slug}/{export.release.number}/downloads/microdata.csv"
    assert client(eve).get(address).status_code == 200 and client(bob).get(address).status_code == 404


def test_files_that_anyone_may_have_are_made_no_matter_who_asked(asked):
    survey, bob, export, _ = asked
    survey.microdata_public = True
    survey.save(update_fields=["microdata_public"])
    end("removed", User.objects.create_superuser("root"), survey, bob)
    exports.make(export.pk)
    assert states(export) == {("ready", "", "bob")}


# Everything else ------------------------------------------------------------------------------------------------------


@pytest.fixture
def told():
    """Return a survey whose alerts two users receive by webhook and mail: root, an owner, and Bob, a designer."""
    survey = opened_survey()
    root, bob = member(survey, Role.OWNER, "root"), member(survey, Role.DESIGNER, "bob")
    for user in (root, bob):
        receivers.add_webhook(survey, user, f"https://{user.username}.example.org/x")
        AlertReader.objects.create(survey=survey, user=user, language="en", address="a@example.org", confirmed=True)
    return survey, root, bob


WAYS = ["removed", "smaller", "switched off", "deleted"]


@pytest.mark.parametrize("way", WAYS)
def test_webhooks_and_mail_end_with_the_role_that_they_need(told, way):
    survey, root, bob = told
    if way == "deleted":
        bob.delete()
    elif way == "switched off":
        bob.is_active = False
        bob.save()
    else:
        end(way, root, survey, bob)
    assert [each.made_by for each in survey.webhooks.all()] == [root]
    told_still = {root, bob} if way == "smaller" else {root}
    assert {each.user for each in survey.alert_readers.all()} == told_still
    if way in ("removed", "smaller"):
        assert ("root", "no webhook to bob.example.org any more") in AuditEntry.objects.values_list(
            "username", "detail"
        )


def test_a_researcher_who_becomes_a_viewer_ends_no_ones_webhook_of_another_survey(told):
    survey, root, bob = told
    other = opened_survey()
    Membership.objects.create(survey=other, user=bob, role=Role.DESIGNER)
    receivers.add_webhook(other, bob, "https://example.org/")
    end("removed", root, survey, bob)
    assert [each.made_by for each in other.webhooks.all()] == [bob]


@pytest.mark.parametrize("way", ["removed", "smaller"])
def test_a_designer_who_goes_reads_no_draft_by_the_link_of_its_testers(survey, ada, way):
    bob = member(survey, Role.DESIGNER, "bob")
    TryoutLink.objects.create(survey=survey, token="a" * 32)
    end(way, ada, survey, bob)
    assert not TryoutLink.objects.exists()
    assert AuditEntry.objects.filter(username="ada", detail="no link for testers any more").exists()


# Rows that refer to an account or a survey and do not end with a role, with the reason.
STAYS = {
    "it is the role, or the account itself": {
        ("surveys.Membership", "user"), ("surveys.Membership", "survey"), ("auth.User_groups", "user"),
        ("auth.User_user_permissions", "user"), ("account.EmailAddress", "user"), ("mfa.Authenticator", "user"),
        ("surveys.Profile", "user"),
    },
    "it says what was done, and does nothing": {
        ("admin.LogEntry", "user"), ("surveys.Comment", "user"), ("surveys.Comment", "survey"),
        ("surveys.Snapshot", "user"), ("surveys.Snapshot", "survey"),
    },
    "it is used by its account alone, which is asked for the role each time": {
        ("surveys.Revision", "user"), ("surveys.Revision", "survey"), ("surveys.IdempotencyKey", "user"),
    },
    "it is for all who see the results, and in nobody's name": {("surveys.Workbook", "asked_by")},
    "it is the survey's, whoever works on it": {
        ("surveys.Survey", "previous"), ("surveys.Alert", "survey"), ("surveys.Release", "survey"),
        ("surveys.Disclosure", "survey"), ("surveys.ImportNotes", "survey"), ("surveys.TryoutReport", "survey"),
        ("surveys.Block", "survey"), ("surveys.Tally", "survey"), ("surveys.Report", "survey"),
        ("surveys.ReportId", "survey"), ("surveys.Turnout", "survey"),
    },
}  # fmt: skip


def known_to(kind):
    """Return the model and field of each row that refers to an account or a survey."""
    fields = ((model, each) for model in apps.get_models(include_auto_created=True) for each in model._meta.fields)
    return {(model, each.name) for model, each in fields if each.related_model is kind}


def test_whatever_knows_an_account_or_a_survey_ends_with_a_role_or_has_a_reason_to_stay():
    found = known_to(User) | known_to(Survey)
    open_ends = {(model._meta.label, name) for model, name in found if model not in withdrawal.ENDS}
    assert open_ends == set().union(*STAYS.values())


def test_whatever_ends_with_a_role_knows_its_account():
    """The testers' link is the exception: everyone who works on the draft may have it."""
    assert withdrawal.ENDS.keys() - {TryoutLink} <= {model for model, _ in known_to(User)}
