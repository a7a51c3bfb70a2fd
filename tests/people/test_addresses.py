"""Every address, for every role, with results and microdata published and not. One without a line in table.py fails."""

import itertools
from typing import NamedTuple

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from surveys.models import Invitation, Membership, Role, Survey
from tests.people.table import ADMINISTRATION, EXPLAINED, TABLE, VISITORS, WEIGHTED, Line, Needs, Published
from tests.support.addresses import Address, addresses
from tests.support.crossings import crossed
from tests.support.estimates import released
from tests.support.exports import exported
from tests.support.factories import DRAFT, opened_survey
from tests.support.rakings import raked
from tests.support.regressions import explained
from tests.support.subgroups import subgrouped

pytestmark = pytest.mark.django_db

ADDRESSES = {address.name: address for address in addresses()}
CASES = sorted({*ADDRESSES, *(name for name in TABLE if name.partition("#")[0] in ADDRESSES)})


def address_of(name: str) -> Address:
    return ADDRESSES[name.partition("#")[0]]


def line_of(name: str) -> Line:
    if address_of(name).route.startswith("admin/"):
        return ADMINISTRATION
    assert name in TABLE, f"“{name}” is a new address: say in tests/people/table.py who may do what there"
    return TABLE[name]


KNOWN = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"} for key in ("sex", "town")]
WITH_MARGINS = DRAFT | {"questions": DRAFT["questions"] + KNOWN}


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
        ended, draft = released(20, WITH_MARGINS), opened_survey()
        exported(ended)
        crossed(ended, "yes", "which")
        explained(ended, EXPLAINED)
        subgrouped(ended, "yes")
        raked(ended, WEIGHTED)
        yield World(*_made({"ended": ended, "open": draft}))
        transaction.set_rollback(True)


def _made(surveys):
    password = make_password("correct horse battery")
    surveys["draft"] = Survey.objects.create(title="A draft", draft=DRAFT)
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
        values[name] = {"slug": survey.slug, "survey": survey.pk, "member": member.pk, "invitation": invitation.pk}
    return surveys, values, sessions, Client(raise_request_exception=False)


def path_of(name, world, line):
    address, values = address_of(name), world.values[line.survey] | line.values
    if address.route.startswith("surveys/<int:number>"):
        values |= {"number": world.surveys[line.survey].pk}
    return address.filled(values) + (f"?{line.query}" if line.query else "")


def answered(client, session, method, path, form):
    """The status. What was posted is undone."""
    client.cookies.clear()
    if session:
        client.cookies["sessionid"] = session
    if method == "get":
        return client.get(path).status_code
    with transaction.atomic():
        status = client.post(path, form).status_code
        transaction.set_rollback(True)
    return status


def fits(expected, status):
    return status in expected if isinstance(expected, range) else status == expected


@pytest.mark.parametrize("name", CASES)
def test_who_may_what_at_each_address(world, name):
    line, wrong = line_of(name), []
    path = path_of(name, world, line)
    about_one = any(part in address_of(name).route for part in ("<slug:slug>", "<int:number>"))
    states = [Published(*state) for state in itertools.product((False, True), repeat=2)]
    for published in states if about_one else states[-1:]:
        Survey.objects.update(results_public=published.results, microdata_public=published.microdata)
        for who in VISITORS:
            for method, expectation in (("get", line.get), ("post", line.post)):
                expected, status = (
                    expectation(who, published),
                    answered(world.client, world.sessions.get(who), method, path, line.form),
                )
                if not fits(expected, status):
                    wrong.append(f"{method} {path}, {who}, {published}: {status} instead of {expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in CASES if address_of(name).route.startswith("surveys/<int")])
def test_the_view_asks_for_the_role_of_its_line(name):
    stated = {expectation.role for expectation in line_of(name)[:2] if isinstance(expectation, Needs)}
    assert stated == {address_of(name).view.needed_role}


def test_no_line_outlives_its_address():
    assert {name.partition("#")[0] for name in TABLE} <= set(ADDRESSES)
