"""The reference of all endpoints as a page, generated from the OpenAPI description."""

import json
import re
import shlex
from typing import Any, NamedTuple

from surveys.api import samples

Data = dict[str, Any]

_WHERE = {"path": "in the address", "query": "after ?", "header": "header"}  # in the page's order
_LONG = 40  # the most lines of an example; the rest is cut, since the fields are listed anyway


class Parameter(NamedTuple):
    name: str
    where: str
    kind: str
    description: str


class DocumentedAnswer(NamedTuple):
    """`example` is empty if the answer is not JSON."""

    status: str
    description: str
    media_type: str
    fields: list[samples.SchemaField]
    example: str


class Operation(NamedTuple):
    """`known_by` contains "token", "session", and "" for anyone."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[Parameter]
    body: DocumentedAnswer | None
    answers: list[DocumentedAnswer]
    refusals: list[DocumentedAnswer]
    known_by: list[str]
    command: str


def operations(description: Data, site: str) -> dict[str, list[Operation]]:
    """Return the operations by tag, in the order of their URLs. `site` is the URL in commands."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append(_operation(path, method, operation, site))
    return groups


def _operation(path: str, method: str, operation: Data, site: str) -> Operation:
    answers = [_answer(status, answer) for status, answer in operation["responses"].items()]
    body = operation.get("requestBody")
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation["description"],
        parameters=[
            _parameter(each) for way in _WHERE for each in operation.get("parameters", []) if each["in"] == way
        ],
        body=_answer("", {"description": ""} | body) if body else None,
        answers=[answer for answer in answers if answer.status < "300"],
        refusals=[answer for answer in answers if answer.status >= "300"],
        known_by=["".join(way) for way in operation.get("security", [{}])],
        command=_command(path, method, operation, site),
    )


def _parameter(parameter: Data) -> Parameter:
    return Parameter(
        parameter["name"], _WHERE[parameter["in"]], samples.words(parameter["schema"]), parameter.get("description", "")
    )


def _answer(status: str, answer: Data) -> DocumentedAnswer:
    media_type, content = next(iter(answer.get("content", Data()).items()), ("", Data()))
    schema = content.get("schema", {})
    readable = "json" in media_type and bool(schema.get("properties") or schema.get("items"))
    return DocumentedAnswer(
        status,
        answer["description"],
        media_type,
        list(samples.fields(schema)),
        _shortened(json.dumps(samples.sample(schema), indent=2, ensure_ascii=False)) if readable else "",
    )


def _shortened(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(lines if len(lines) <= _LONG else [*lines[: _LONG - 1], "  …"])


def _command(path: str, method: str, operation: Data, site: str) -> str:
    values = {each["name"]: samples.sample(each["schema"]) for each in operation.get("parameters", [])}
    address = site + re.sub(r"{(\w+)}", lambda part: str(values[part[1]]), path)
    words = ["curl"]
    if {"token": []} in operation.get("security", []):
        words.append('-H "Authorization: Bearer $DENIABLE_TOKEN"')
    if "requestBody" in operation:
        words += [f"-X {method.upper()}"] * (method != "post")
        words.append('-H "Content-Type: application/json" -d @report.json')
    elif method != "get":
        words.append(f"-X {method.upper()}")
    return " ".join([*words, shlex.quote(address)])
