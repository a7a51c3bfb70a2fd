"""Every URL of the site, read from its URL configuration: tests try a new URL without being changed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

VALUES = {
    "key": "yes",
    "theme": "light",
    "width": "wide",
    "app_label": "surveys",
    "url": "nothing/here",
    "figure": "intervals",
}
"""The values for parts of routes, unless a test names others; for every other part it is 1."""


class Address(NamedTuple):
    """A URL of the site: its name with the namespace (its route if it has no name), its route, its view."""

    name: str
    route: str
    view: Any

    def filled(self, values: Mapping[str, object]) -> str:
        """Return the path with these values."""
        known = VALUES | dict(values)
        plain = re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", self.route).replace("[sS]", "S")
        for written in ("[^/]*", "(?:/*)", "^", "$", "\\b", "\\"):  # parts of a regular expression
            plain = plain.replace(written, "")
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda match: str(known.get(match[1], 1)), plain)


def addresses(resolver: URLResolver | None = None, prefix: str = "", space: str = "") -> Iterator[Address]:
    for pattern in (resolver or get_resolver()).url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield Address(space + pattern.name if pattern.name else route, route, pattern.callback)
        else:
            yield from addresses(pattern, route, f"{space}{pattern.namespace}:" if pattern.namespace else space)
