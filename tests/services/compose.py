"""docs/deploy/compose.yaml, read as a container engine reads it."""

import re
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from tests.services.system import ROOT

FILE = ROOT / "docs" / "deploy" / "compose.yaml"
VARIABLE = re.compile(r"\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})")


class Service(NamedTuple):
    """A service: its image, its command and their settings."""

    name: str
    image: str  # without its digest; empty if the site's Dockerfile makes it
    arguments: dict[str, str]  # arguments of that Dockerfile
    command: list[str]
    user: str
    environment: dict[str, str]
    volumes: list[list[str]]  # source, target and options
    tmpfs: list[str]
    sysctls: dict[str, str]
    healthcheck: list[str]
    dependencies: dict[str, str]  # the condition of each dependency


def services(values: Mapping[str, str]) -> dict[str, Service]:
    """Return each service by its name, with `values` for the variables. KeyError if a required variable has no
    value."""
    document = yaml.safe_load(FILE.read_text())
    return {name: _service(name, _filled(fields, values), values) for name, fields in document["services"].items()}


def _service(name: str, fields: dict[str, Any], values: Mapping[str, str]) -> Service:
    command, needs = fields.get("command", []), fields.get("depends_on", {})
    return Service(
        name,
        fields.get("image", "").partition("@")[0],
        fields.get("build", {}).get("args", {}),
        shlex.split(command) if isinstance(command, str) else command,
        fields.get("user", ""),
        (dict(values) if fields.get("env_file") == [".env"] else {}) | fields.get("environment", {}),
        [volume.split(":") for volume in fields.get("volumes", [])],
        fields.get("tmpfs", []),
        fields.get("sysctls", {}),
        fields.get("healthcheck", {}).get("test", [])[1:],
        {need: needs[need]["condition"] for need in needs} if isinstance(needs, dict) else dict.fromkeys(needs, ""),
    )


def _filled(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(inner, values) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, values) for inner in value]
    return VARIABLE.sub(lambda match: _value(match, values), value) if isinstance(value, str) else value


def _value(match: "re.Match[str]", values: Mapping[str, str]) -> str:
    name, rule, word = match.groups()
    if name is None:
        return "$"
    if value := values.get(name):
        return value
    if rule == "?":
        raise KeyError(f"{name}: {word}")
    return word or ""
