"""Three surveys, a person of each role on them, and the path of each URL for one of the surveys."""

from typing import NamedTuple

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.test import Client

from surveys.models import Invitation, Membership, Role, Survey, TryoutLink
from surveys.researcher.analyses.registry import COUNTED
from tests.accounts.table import ADMINISTRATION, SPECIFICATIONS, TABLE, VISITORS, Line
from tests.support.addresses import Address, addresses
from tests.support.analyses import asked, made
from tests.support.estimates import released
from tests.support.exports import exported
from tests.support.factories import DRAFT, opened_survey
from tests.support.regressions import explained

ADDRESSES = {address.name: address for address in addresses()}
CASES = sorted({*ADDRESSES, *(name for name in TABLE if name.partition("#")[0] in ADDRESSES)})


def address_of(name: str) -> Address:
    return ADDRESSES[name.partition("#")[0]]


def line_of(name: str) -> Line:
    if address_of(name).route.startswith("admin/"):
        return ADMINISTRATION
    assert name in TABLE, f"“{name}” is a new address: say in tests/accounts/table.py who may do what there"
    return TABLE[name]


KNOWN = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"} for key in ("sex", "town")]
WITH_MARGINS = DRAFT | {"questions": DRAFT["questions"] + KNOWN}


class World(NamedTuple):
    surveys: dict[str, Survey]
    values: dict[str, dict[str, object]]
    sessions: dict[str, str]
    client: Client  # one for all: each new one reads every static file first


def make() -> World:
    """Make three surveys with the same people."""
    ended, draft = released(20, WITH_MARGINS), opened_survey()
    exported(ended)
    explained(ended, SPECIFICATIONS["regression"])  # it has pictures, which need more reports
    for name, data in SPECIFICATIONS.items():
        if name != "regression":
            made(asked(COUNTED[name], ended, data))
    return World(*_made({"ended": ended, "open": draft}))


def _made(surveys):
    password = make_password("correct horse battery")
    surveys["draft"] = Survey.objects.create(title="A draft", draft=DRAFT)
    TryoutLink.objects.create(survey=surveys["draft"], token="testers")
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
        values[name] = {
            "slug": survey.slug,
            "link": "testers",
            "survey": survey.pk,
            "member": member.pk,
            "invitation": invitation.pk,
        }
    return surveys, values, sessions, Client(raise_request_exception=False)


def path_of(name, world, line):
    address, values = address_of(name), world.values[line.survey] | line.values
    if address.route.startswith("surveys/<int:number>"):
        values |= {"number": world.surveys[line.survey].pk}
    return address.filled(values) + (f"?{line.query}" if line.query else "")
