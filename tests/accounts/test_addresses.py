"""Every URL, for every role, with results and microdata published and unpublished. A URL without a line in table.py
fails."""

import itertools

import pytest
from django.db import transaction

from surveys.models import Role, Survey
from tests.accounts.table import TABLE, VISITORS, Downloads, Microdata, Needs, Published, Results
from tests.accounts.world import ADDRESSES, CASES, address_of, line_of, make, path_of

pytestmark = pytest.mark.django_db
WITH_LEAST = ("anonymous", "account", Role.VIEWER)


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """Return the surveys and people. Everything is undone at the end, even the log, whose rows cannot be deleted."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make()
        transaction.set_rollback(True)


def answered(client, session, method, path, form):
    """Return the status. The effects of a POST are undone."""
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


def states(name, line):
    """Return the states of a survey and the people who try the URL. If publication matters, every state is tried. If it
    should not matter, everyone tries with nothing published, and people who could gain try with everything
    published."""
    every = [Published(*state) for state in itertools.product((False, True), repeat=2)]
    if isinstance(line.get, (Results, Downloads, Microdata)):
        return [(state, VISITORS) for state in every]
    of_a_survey = any(part in address_of(name).route for part in ("<slug:slug>", "<int:number>"))
    return [(every[0], VISITORS), (every[-1], WITH_LEAST)] if of_a_survey else [(every[-1], VISITORS)]


def daily(visitors, expectation, published):
    """Return the visitors without those whose result others already show. Each person may do what the people before may
    do, and making a page for each person takes longest."""
    alike = [who for who in visitors if expectation(who, published) == expectation(visitors[-1], published)]
    return [who for who in visitors if who not in alike[1:-1]]


@pytest.mark.statistical
@pytest.mark.parametrize("name", CASES)
def test_who_may_what_at_each_address(world, name, nightly):
    line, wrong = line_of(name), []
    path = path_of(name, world, line)
    for published, visitors in states(name, line):
        Survey.objects.update(results_public=published.results, microdata_public=published.microdata)
        for method, expectation in (("get", line.get), ("post", line.post)):
            for who in visitors if nightly else daily(visitors, expectation, published):
                expected = expectation(who, published)
                status = answered(world.client, world.sessions.get(who), method, path, line.form)
                if not fits(expected, status):
                    wrong.append(f"{method} {path}, {who}, {published}: {status} instead of {expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name in CASES if address_of(name).route.startswith("surveys/<int")])
def test_the_view_asks_for_the_role_of_its_line(name):
    stated = {expectation.role for expectation in line_of(name)[:2] if isinstance(expectation, Needs)}
    assert stated == {address_of(name).view.needed_role}


STAFFS = ("surveys/", "account/", "admin/")


@pytest.mark.parametrize("name", [name for name in CASES if address_of(name).route.startswith(STAFFS)])
def test_no_page_of_staff_stays_on_the_disk_of_a_browser(world, name):
    """Pictures are the exception, but no shared cache may keep them."""
    client = world.client
    client.cookies.clear()
    client.cookies["sessionid"] = world.sessions[Role.OWNER]
    response = client.get(path_of(name, world, line_of(name)))
    kept = response.headers["Content-Type"].startswith("image/") and "private" in response["Cache-Control"]
    assert kept or "no-store" in response["Cache-Control"]


def test_no_line_outlives_its_address():
    assert {name.partition("#")[0] for name in TABLE} <= set(ADDRESSES)
