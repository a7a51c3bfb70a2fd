"""Webhooks in the API equal those on the page of alerts, and posted documents fit the description."""

import json

import jsonschema
import pytest
from django.utils import timezone

from surveys.accounts import tokens
from surveys.designer.alerts import body, events, receivers
from surveys.life.lifecycle import open_survey
from surveys.models import Delivery, Scope, Survey, Webhook
from tests.support.api_schema import validate
from tests.support.program import Program
from tests.support.tokens import carrying, member

pytestmark = pytest.mark.django_db
URL = "https://www.example.org/hook"


@pytest.fixture
def number(studio):
    return studio.begin()


def test_a_webhook_is_added_listed_tested_and_removed(studio, number):
    made = studio.ask("post", f"/{number}/webhooks", {"url": URL})
    assert (
        made.status_code == 201 and made.json()["secret"].startswith("whsec_") and made["Cache-Control"] == "no-store"
    )
    place = f"/{number}/webhooks/{made.json()['number']}"
    sent = studio.ask("post", f"{place}/tests")
    assert sent.status_code == 202 and sent.json()["type"] == "test"
    (listed,) = studio.ask("get", f"/{number}/webhooks").json()["webhooks"]
    assert listed["url"] == URL and listed["by"] and "secret" not in listed
    assert [(each["id"], each["state"]) for each in listed["deliveries"]] == [(sent.json()["id"], "waiting")]
    assert studio.ask("delete", place).json() == {"webhooks": []}
    assert studio.ask("delete", place).status_code == 404


def test_a_lost_alert_is_sent_again(studio, number):
    studio.ask("post", f"/{number}/webhooks", {"url": URL})
    survey = Survey.objects.get(pk=number)
    open_survey(survey)
    events.notice(survey, timezone.now())
    Delivery.objects.update(state="failed", status=503, attempts=10, due_at=None)
    (webhook,) = studio.ask("get", f"/{number}/webhooks").json()["webhooks"]
    (lost,) = webhook["deliveries"]
    place = f"/{number}/webhooks/{webhook['number']}/deliveries"
    sent = studio.ask("post", f"{place}/{lost['id']}/repeats")
    assert sent.status_code == 202 and sent.json() == lost | {"state": "waiting", "attempts": 0}
    assert studio.ask("post", f"{place}/msg_{'x' * 24}/repeats").status_code == 404
    for _ in range(receivers.BY_HAND_MOST):
        refused = studio.ask("post", f"{place}/{lost['id']}/repeats")
    assert refused.status_code == 409 and refused.json()["type"] == "/problems/by_hand_most"
    Webhook.objects.update(gone=True)
    assert studio.ask("post", f"{place}/{lost['id']}/repeats").json()["type"] == "/problems/webhook_gone"


def test_what_may_not_be_is_refused(studio, number):
    for url in (
        "ftp://example.org/",
        "https://127.0.0.1/",
        "https://localhost/x",
        "https://2130706433/",
        "https://a@example.org/",
    ):
        refused = studio.ask("post", f"/{number}/webhooks", {"url": url})
        assert (refused.status_code, refused.json()["type"]) == (422, "/problems/webhook_address")
    assert studio.ask("post", f"/{number}/webhooks", {"url": URL, "more": 1}).status_code == 400
    for _ in range(receivers.WEBHOOKS_MOST):
        studio.ask("post", f"/{number}/webhooks", {"url": URL})
    assert studio.ask("post", f"/{number}/webhooks", {"url": URL}).json()["type"] == "/problems/webhooks_most"
    Webhook.objects.update(gone=True)
    first = Webhook.objects.first().pk
    assert studio.ask("post", f"/{number}/webhooks/{first}/tests").json()["type"] == "/problems/webhook_gone"


def test_researchers_have_none(studio, number):
    bob = member(Survey.objects.get(pk=number), "researcher", "bob")
    other = Program(carrying(tokens.make(bob, "b", [Scope.STUDIO], 3)[1]))
    assert other.ask("get", f"/{number}/webhooks").status_code == 404
    assert other.ask("post", f"/{number}/webhooks", {"url": URL}).status_code == 404


def test_what_is_posted_is_what_the_description_says(studio, number, client):
    description = client.get("/api/v1/schema", headers={"accept": "application/vnd.oai.openapi+json"}).json()
    posted = description["webhooks"]["alert"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert description["openapi"].startswith("3.1")
    survey = Survey.objects.get(pk=number)
    studio.ask("post", f"/{number}/webhooks", {"url": URL})
    receivers.send_test(Webhook.objects.get(), Webhook.objects.get().made_by)
    open_survey(survey)
    events.notice(survey, timezone.now())
    bodies = [json.loads(body.encoded(each)) for each in Delivery.objects.all()]
    assert {each["type"] for each in bodies} == {"test", "survey.opened"}
    for each in (*bodies, *posted["examples"]):
        validate(each, posted)
    with pytest.raises(jsonschema.ValidationError):
        validate(bodies[0] | {"type": "survey.report"}, posted)
