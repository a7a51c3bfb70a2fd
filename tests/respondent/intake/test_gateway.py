"""The gateway of oblivious HTTP at the port, for API clients: the requests it takes from capsules, and its refusals."""

import asyncio
import http.client
import json
from urllib.parse import urlsplit

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from surveys.respondent.intake import gateway, refusals
from surveys.respondent.intake.gateway import BODY_MAX, PATH
from surveys.respondent.intake.replies import Reply, refuse
from surveys.respondent.relay import capsules, messages
from surveys.survey.definition import relay
from tests.services.system import EmbeddedSystem
from tests.support.factories import DRAFT, report
from tests.support.invitations import INVITED, Invited
from tests.support.linkage import Site

pytestmark = pytest.mark.system

RELAY = "https://relay.example.org"
LENGTH = 1024 + 32  # of every answer in a capsule: the padded text, a nonce and a tag


@pytest.fixture(scope="module")
def system():
    limits = {"CLIENT_REPORTS_PER_MINUTE": "4", "RELAY_REPORTS_PER_MINUTE": "9"}
    system = EmbeddedSystem(BATCH="20", RELAYS=RELAY, RELAY_NETWORKS="203.0.113.0/24", **limits)
    yield system
    system.stop()


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return Site.open(system, tmp_path_factory.mktemp("gateway"), DRAFT | {"relay": RELAY}).survey


@pytest.fixture(scope="module")
def seals(survey, system):
    """Return a function that seals a request like the page's, or one with other fields."""
    key_id, public = relay.key_of(survey.definition["relay"]["key"])

    def seal(body="{}", **more):
        headers = {"content-type": "application/json", "survey-link": survey.slug}
        request = messages.RelayedRequest(
            "POST", "http", urlsplit(system.url).netloc, "/respond/reports", headers, body.encode()
        )
        return capsules.seal(more.pop("key_id", key_id), public, messages.request(request._replace(**more)))

    return seal


def post(system, capsule, headers=(), method="POST"):
    connection = http.client.HTTPConnection(urlsplit(system.url).netloc, timeout=30)
    connection.request(method, PATH, capsule, {"Content-Type": capsules.REQUEST, **dict(headers)})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def inside(system, sealed):
    """Return the number, status and body of the answer in its capsule."""
    status, headers, body = post(system, sealed.capsule)
    assert (status, headers["content-type"], len(body)) == (200, capsules.RESPONSE, LENGTH)
    reader = messages.Reader(sealed.response(body))
    assert reader.number() == 1
    return reader.number(), reader.field(), reader.field()


def test_a_report_in_a_capsule_is_recorded_and_its_replay_changes_nothing(system, survey, seals):
    body = report(survey, 1)
    sealed = seals(body)
    assert inside(system, sealed)[0] == 201
    assert [inside(system, each)[0] for each in (sealed, seals(body))] == [200, 200], "the same capsule, and another"


def test_the_key_of_the_definition_is_published_where_gateways_are(system, survey):
    status, headers, body = post(system, b"", method="GET")
    assert (status, headers["content-type"], headers["cache-control"]) == (200, capsules.KEYS, "no-store")
    assert body == capsules.configurations([relay.key_of(survey.definition["relay"]["key"])])
    (file,) = (system.data / "gateway").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700


def test_refusals_of_a_report_come_sealed(system, survey, seals):
    refused = {"other digest": (409, report(survey, 2).replace(survey.digest, "0" * 64)), "nothing": (422, "{}")}
    for status, body in refused.values():
        came, headers, problem = inside(system, seals(body))
        assert came == json.loads(problem)["status"] == status and b"application/problem+json" in headers


@pytest.mark.parametrize(
    ("more", "status"),
    [
        pytest.param({"path": "/"}, 404, id="a-page"),
        pytest.param({"path": "/respond/definition", "method": "GET"}, 404, id="the-definition"),
        pytest.param({"path": "/account/login/"}, 404, id="an-account"),
        pytest.param({"path": PATH}, 404, id="itself"),
        pytest.param({"path": "/respond/reports?a"}, 404, id="a-query"),
        pytest.param({"path": "/respond/../respond/reports"}, 404, id="a-way-around"),
        pytest.param({"method": "GET"}, 405, id="a-method"),
        pytest.param({"authority": "evil.example.org"}, 400, id="another-host"),
        pytest.param({"authority": ""}, 400, id="no-host"),
        pytest.param({"headers": {"content-type": "text/plain", "survey-link": "a"}}, 415, id="a-type"),
        pytest.param({"headers": {"content-type": "application/json"}}, 404, id="no-survey"),
        pytest.param(
            {"headers": {"content-type": "application/json", "transfer-encoding": "chunked"}}, 411, id="in-chunks"
        ),
    ],
)
def test_nothing_but_what_the_page_sends_is_exact_deciders_of_a_capsule(system, seals, more, status):
    assert inside(system, seals(**more))[0] == status


@pytest.mark.parametrize(
    "what",
    [
        *(value for value in vars(refusals).values() if isinstance(value, refusals.ReportRefusal)),
        Reply(200, b'"' + b"x" * 5000 + b'"'),
        OSError("the database is away"),
        None,
    ],
    ids=str,
)
def test_every_answer_in_a_capsule_has_one_length(what):
    """This includes answers that are too long, and errors, which would otherwise leave unencrypted."""

    async def taken():
        if isinstance(what, OSError):
            raise what
        return (
            refuse(what, "answers." + "k" * 300, rule="r" * 300, limit=1)
            if isinstance(what, refusals.ReportRefusal)
            else what
        )

    key = X25519PrivateKey.generate()
    request = messages.RelayedRequest("POST", "http", "example.org", "/respond/reports", {}, b"{}")
    sealed = capsules.seal(7, key.public_key().public_bytes_raw(), messages.request(request))
    inner = gateway.Inner(capsules.opened(sealed.capsule, {7: key}.get), "")
    reply = asyncio.run(inner.answered(taken()))
    assert (reply.status, len(reply.body), reply.headers) == (200, LENGTH, ())
    assert sealed.response(reply.body)


def test_what_is_no_capsule_is_refused_before_anything(system, seals):
    whole = seals().capsule
    assert post(system, whole[:-1])[0] == post(system, b"")[0] == post(system, b"x" * 100)[0] == 400
    assert json.loads(post(system, bytes([whole[0] ^ 1]) + whole[1:])[2])["type"] == "/problems/gateway-key"
    assert post(system, whole, {"Content-Type": "application/json"})[0] == 415
    assert post(system, b"", {"Content-Length": str(BODY_MAX + 1)})[0] == 413
    assert post(system, b"", method="PUT")[0] == 405
    assert json.loads(post(system, whole, {"Host": "evil.example.org"})[2])["type"] == "/problems/unknown-host"


def test_a_relay_may_come_more_often_than_anyone_else(system, seals):
    """If a minute ends among the requests of the first two, none ends among those of the other two."""

    def taken(address):
        statuses = [post(system, capsule, {"X-Forwarded-For": address})[0] for _ in range(12)]
        assert set(statuses) <= {200, 429}
        return statuses.count(200)

    capsule = seals().capsule
    counts = [(taken(f"203.0.113.{k}"), taken(f"198.51.100.{k}")) for k in (7, 8)]
    assert (9, 4) in counts, counts


def test_a_signature_comes_in_a_capsule_too(system, tmp_path):
    site = Site.open(system, tmp_path, INVITED | {"relay": RELAY})
    person = Invited(site.survey, site.invite(1)[0], 1)
    key = relay.key_of(site.survey.definition["relay"]["key"])

    def sent(path, body):
        headers = {"content-type": "application/json", "survey-link": site.survey.slug}
        request = messages.RelayedRequest("POST", "http", urlsplit(system.url).netloc, path, headers, body.encode())
        return inside(system, capsules.seal(*key, messages.request(request)))

    status, _, answer = sent("/respond/signature", json.dumps(person.request()))
    assert status == 200
    for wrong in (person.request() | {"blinded": "A"}, Invited(site.survey, person.token, 2).request(), {}):
        assert sent("/respond/signature", json.dumps(wrong))[0] == 403
    assert sent("/respond/signature", " " * 1025)[0] == 413
    assert sent("/respond/reports", person.signed(json.loads(answer.rstrip(b"\0"))["signature"]))[0] == 201
