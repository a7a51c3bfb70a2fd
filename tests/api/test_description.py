"""The OpenAPI description is right even if many clients request it at once from a process that has just started."""

import json
import random
import subprocess
import sys

import jsonschema
import pytest
from django.conf import settings

from ldp.privatize import make_report
from surveys.respondent.intake.envelope import parse
from surveys.survey import definition as definitions
from tests.support import forms, frames, vectors
from tests.support.api_schema import validate

FIRST_REQUESTS = """
import threading, time
import django
django.setup()
from django.test import Client
from drf_spectacular import plumbing
load = plumbing.import_string
plumbing.import_string = lambda name: (time.sleep(0.01), load(name))[1]  # its state changes around this, unguarded
start, told = threading.Barrier(16), []

def ask():
    client = Client(raise_request_exception=False, headers={"host": "localhost"})
    start.wait()
    told.append(client.get("/api/v1/schema"))

threads = [threading.Thread(target=ask) for _ in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert {response.status_code for response in told} == {200} and len({response.content for response in told}) == 1
"""


@pytest.mark.slow
def test_the_first_requests_for_the_description_may_come_together():
    command = [sys.executable, "-c", FIRST_REQUESTS]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def described(client, path):
    response = client.get("/api/v1/schema", headers={"accept": "application/vnd.oai.openapi+json"})
    return response.json()["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]


def test_every_definition_is_what_the_description_says_and_has_no_field_beside(client):
    schema = described(client, "/api/v1/surveys/{slug}/definition")
    known = schema["properties"]["questions"]["items"]["properties"].keys()
    for draft in (vectors.EVERY_KIND, frames.DRAFT, forms.DRAFT):
        definition = definitions.build(draft)
        validate(definition, schema)
        assert definition.keys() <= schema["properties"].keys()
        assert all(question.keys() <= known for question in definition["questions"])
    with pytest.raises(jsonschema.ValidationError):
        validate(frames.framed(thanks=5), schema)


def test_a_report_in_forms_is_as_the_description_says(client):
    response = client.get("/api/v1/schema", headers={"accept": "application/vnd.oai.openapi+json"})
    post = response.json()["paths"]["/api/v1/surveys/{slug}/reports"]["post"]
    schema = post["requestBody"]["content"]["application/json"]["schema"]
    definition, words = definitions.build(forms.DRAFT), random.Random(1)
    for form in range(3):
        body = make_report(definition, "0" * 64, forms.ANSWERS, lambda: words.getrandbits(32), form)
        validate(json.loads(body), schema)
    for example in schema["examples"]:
        validate(example, schema)
        assert parse(json.dumps(example).encode()).form == example.get("form")
    with pytest.raises(jsonschema.ValidationError):
        validate(json.loads(body) | {"form": -1}, schema)


def test_a_body_is_required_where_it_has_a_field_that_must_be_there(client):
    paths = client.get("/api/v1/schema?format=json").json()["paths"]
    required = {
        operation["operationId"]: operation["requestBody"]["required"]
        for operations in paths.values()
        for operation in operations.values()
        if "requestBody" in operation
    }
    assert required["undo"] and required["import_form"] and required["report"]
    assert not required["begin_survey"] and not required["new_version"]
