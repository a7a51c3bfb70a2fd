"""The page on the API has everything in the description. Its samples fit the description, and it has the example
programs."""

import html
import json
import re

import jsonschema
import pytest
from django.test import Client

from surveys.api import page, samples
from surveys.api.views import site_description
from tests.support.api_schema import validate


def shown(client):
    return html.unescape(client.get("/api/").content.decode())


def answers():
    for path, methods in site_description()["paths"].items():
        for method, told in methods.items():
            for status, answer in told["responses"].items():
                for content in answer.get("content", {}).values():
                    yield f"{method} {path} {status}", content["schema"]


def bodies():
    """Yield the bodies that clients send, and the bodies posted to webhooks."""
    description = site_description()
    for path, methods in [*description["paths"].items(), *description["webhooks"].items()]:
        for method, told in methods.items():
            for content in told.get("requestBody", {}).get("content", {}).values():
                yield f"{method} {path}", content["schema"]


def different(described):
    """Return the first of the bodies with the same schema; most refusals share one."""
    return list({json.dumps(schema, sort_keys=True): (where, schema) for where, schema in described}.values())


def test_every_address_every_parameter_and_every_answer_is_on_the_page(client):
    text = shown(client)
    for path, methods in site_description()["paths"].items():
        assert f"<code>{path}</code>" in text
        for method, told in methods.items():
            begins = re.escape(f'aria-labelledby="{told["operationId"]}">')
            (part,) = re.findall(f"<article[^>]*{begins}.*?</article>", text, re.DOTALL)
            assert f"<b>{method.upper()}</b>" in part
            for parameter in told.get("parameters", []):
                assert f"<code>{parameter['name']}</code>" in part and parameter["description"] in part
            for status, answer in told["responses"].items():
                assert status in part and answer["description"] in part


def test_no_two_operations_have_the_same_heading():
    """A screen reader's user who moves from heading to heading hears only the headings."""
    methods = [method for path in site_description()["paths"].values() for method in path.values()]
    assert len({method["summary"] for method in methods}) == len(methods)


def test_no_two_parts_have_one_name(client):
    names = re.findall(r' id="([^"]+)"', shown(client))
    assert len(set(names)) == len(names)


def test_it_is_kept_for_each_language(client):
    for language in ("de", "en"):
        page = client.get("/api/", headers={"Accept-Language": language}).content.decode()
        assert f'<html lang="{language}"' in page


def test_it_leads_home_and_to_the_description(client):
    text = shown(client)
    assert 'class="brand" href="/"' in text and 'href="/api/v1/schema"' in text
    first = client.get("/api/")
    assert client.get("/api/", headers={"if-none-match": first["ETag"]}).status_code == 304


@pytest.mark.parametrize(("where", "schema"), different(answers()))
def test_the_samples_are_as_the_description_says(where, schema):
    validate(samples.sample(schema), schema)


def test_whatever_is_sent_or_answered_is_described_as_openapi_3_1():
    description = site_description()
    assert description["openapi"] == "3.1.0"
    assert description["components"]["securitySchemes"].keys() == {"token", "session"}
    for _, schema in different([*answers(), *bodies()]):
        jsonschema.Draft202012Validator.check_schema(schema)


def test_the_page_shows_the_programs(settings):
    text = shown(Client())
    assert all(page.example(file) in text for _, file in page.LANGUAGES)
