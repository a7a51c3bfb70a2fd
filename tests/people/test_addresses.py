"""Every address, for every role, with results published and not. An address without its line in TABLE fails.

Each line says what GET and POST answer; a POST sends an empty form. Below /surveys/<number>/ the role of a line must be
the one that its view asks for (surveys/access.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from surveys.models import Invitation, Membership, Role, Survey
from tests.support.addresses import addresses
from tests.support.estimated import released
from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db

VISITORS = ("anonymous", "account", *Role, "superuser")
ANY = range(200, 500)  # whatever the page says to somebody who may see it


def may(who: str, role: Role) -> bool:
    return who == "superuser" or (who in list(Role) and Role(who).covers(role))


@dataclass
class Everybody:
    status: object = 200

    def __call__(self, who: str, published: bool) -> object:
        return self.status


@dataclass
class Needs:
    """Whoever has this role on the survey. Others with an account do not learn that there is one."""

    role: Role
    status: object = 200

    def __call__(self, who: str, published: bool) -> object:
        return self.status if may(who, self.role) else 302 if who == "anonymous" else 404


@dataclass
class Results:
    """Everybody where results are published; else whoever has a role on the survey."""

    status: object = 200

    def __call__(self, who: str, published: bool) -> object:
        return self.status if published or may(who, Role.VIEWER) else 404


@dataclass
class SignedIn:
    status: object = 200

    def __call__(self, who: str, published: bool) -> object:
        return 302 if who == "anonymous" else self.status


@dataclass
class Strangers:
    """For whoever is not signed in yet; others are led on."""

    status: object = 200

    def __call__(self, who: str, published: bool) -> object:
        return self.status if who == "anonymous" else 302


@dataclass
class Superusers:
    status: object = ANY

    def __call__(self, who: str, published: bool) -> object:
        return self.status if who == "superuser" else 302 if who == "anonymous" else 404


REFUSED = Everybody(405)


class Line(NamedTuple):
    get: Callable[[str, bool], object]
    post: Callable[[str, bool], object] = REFUSED
    survey: str = "ended"  # which one it is about: "ended", "open" or "draft"


TABLE = {
    # The site
    "home": Line(Everybody()),
    "favicon.ico": Line(Everybody(301), Everybody(301)),
    r"^apple-touch-icon[^/]*\.png$": Line(Everybody(301), Everybody(301)),
    "health": Line(Everybody(), Everybody()),
    "status": Line(Everybody(503), Everybody(503)),  # no worker runs here
    "metrics": Line(Everybody(404), Everybody(404)),  # no token is set here
    "check": Line(Everybody()),
    "check-manifest": Line(Everybody()),
    "check-log": Line(Everybody()),
    "check-verify": Line(Everybody()),
    # Respondents
    "respond": Line(Everybody()),
    "definition": Line(Everybody()),
    "reports": Line(Everybody(405), Everybody(415), survey="open"),
    # Results
    "results": Line(Results()),
    "plot": Line(Results()),
    "release": Line(Results()),
    "release-plot": Line(Results()),
    "estimates": Line(Results()),
    "estimates-csv": Line(Results()),
    "release-estimates": Line(Results()),
    "release-estimates-csv": Line(Results()),
    "schema": Line(Everybody()),
    "api-docs": Line(Everybody()),
    # The studio
    "surveys": Line(SignedIn()),
    "survey": Line(Needs(Role.VIEWER)),
    "survey-preview": Line(Needs(Role.DESIGNER)),
    "survey-preview-definition": Line(Needs(Role.DESIGNER)),
    "survey-alpha": Line(Needs(Role.DESIGNER), Needs(Role.DESIGNER, 404)),
    "survey-alpha-trial-plot": Line(Needs(Role.DESIGNER, 404)),
    "people": Line(Needs(Role.OWNER), Needs(Role.OWNER)),
    "member": Line(REFUSED, Needs(Role.OWNER, 302)),
    "revoke-invitation": Line(REFUSED, Needs(Role.OWNER, 302)),
    "log": Line(Needs(Role.OWNER)),
    # Accounts
    "account": Line(SignedIn()),
    "mfa_index": Line(SignedIn()),
    "account_login": Line(Strangers(), Strangers()),
    "account_logout": Line(SignedIn(), Everybody(302)),
    "account_signup": Line(Strangers(), Strangers()),
    "invitation": Line(Everybody(404), Everybody(404)),
    "account_change_password": Line(SignedIn(), SignedIn()),
    "account_reauthenticate": Line(SignedIn(), SignedIn()),
    "mfa_authenticate": Line(Everybody(302), Everybody(302)),
    "mfa_reauthenticate": Line(Everybody(302), Everybody(302)),
    "mfa_activate_totp": Line(Everybody(302), Everybody(302)),
    "mfa_deactivate_totp": Line(SignedIn(404), SignedIn(404)),
    "mfa_view_recovery_codes": Line(SignedIn(404), SignedIn(405)),
    "mfa_generate_recovery_codes": Line(Everybody(302), Everybody(302)),
}
ADMINISTRATION = Line(Superusers(), Superusers())

ADDRESSES = {address.name: address for address in addresses()}


def line_of(name: str) -> Line:
    if ADDRESSES[name].route.startswith("admin/"):
        return ADMINISTRATION
    assert name in TABLE, f"“{name}” is a new address: add its line to TABLE, and say who may do what there"
    return TABLE[name]


class World(NamedTuple):
    surveys: dict[str, Survey]
    values: dict[str, dict[str, object]]
    sessions: dict[str, str]
    client: Client  # one for all: each new one looks at every static file first


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """Three surveys with the same people. All of it is undone at the end, the log too, from which nothing can be
    deleted."""
    with django_db_blocker.unblock(), transaction.atomic():
        ended, draft = released(20), opened_survey()
        yield World(*_made({"ended": ended, "open": draft}))
        transaction.set_rollback(True)


def _made(surveys):
    password = make_password("correct horse battery")
    surveys["draft"] = Survey.objects.create(title="A draft", draft={"title": "A draft"})
    sessions, values = {}, {}
    for who in VISITORS[1:]:
        user = User.objects.create(username=who, password=password, is_superuser=who == "superuser")
        client = Client()
        client.force_login(user)
        sessions[who] = client.cookies["sessionid"].value
        for survey in surveys.values():
            if who in list(Role):
                Membership.objects.create(survey=survey, user=user, role=who)
    for name, survey in surveys.items():
        invitation = Invitation.objects.create(survey=survey, role="viewer", token_hash=name, last_day="2000-01-01")
        member = survey.memberships.get(role="viewer")
        values[name] = {"slug": survey.slug, "member": member.pk, "invitation": invitation.pk}
    return surveys, values, sessions, Client(raise_request_exception=False)


def path_of(name, world, survey):
    route = ADDRESSES[name].route
    studio = route.startswith("surveys/<int:number>")
    return ADDRESSES[name].filled(world.values[survey] | ({"number": world.surveys[survey].pk} if studio else {}))


def answered(client, session, method, path):
    """The status. What was posted is undone."""
    client.cookies.clear()
    if session:
        client.cookies["sessionid"] = session
    if method == "get":
        return client.get(path).status_code
    with transaction.atomic():
        status = client.post(path).status_code
        transaction.set_rollback(True)
    return status


def fits(expected, status):
    return status in expected if isinstance(expected, range) else status == expected


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_who_may_what_at_each_address(world, name):
    line, wrong = line_of(name), []
    path = path_of(name, world, line.survey)
    about_one = any(part in ADDRESSES[name].route for part in ("<slug:slug>", "<int:number>"))
    for published in (False, True) if about_one else (True,):
        Survey.objects.update(results_public=published)
        for who in VISITORS:
            for method, expectation in (("get", line.get), ("post", line.post)):
                expected, status = (
                    expectation(who, published),
                    answered(world.client, world.sessions.get(who), method, path),
                )
                if not fits(expected, status):
                    wrong.append(f"{method} {path}, {who}, published {published}: {status} instead of {expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(name for name in ADDRESSES if ADDRESSES[name].route.startswith("surveys/<int")))
def test_the_view_asks_for_the_role_of_its_line(name):
    stated = {expectation.role for expectation in line_of(name)[:2] if isinstance(expectation, Needs)}
    assert stated == {ADDRESSES[name].view.needed_role}


def test_no_line_outlives_its_address():
    assert set(TABLE) <= set(ADDRESSES)
