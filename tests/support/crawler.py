"""A crawler of the site. It follows each link, picture and file of a page, and it sends each GET form with each of its
choices."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.test import Client
from django.urls import Resolver404, resolve

# The crawler reads at most this many URLs that differ only in values.
ALIKE = 12
ADDRESSES: dict[str, tuple[str, ...]] = {
    "a": ("href",),
    "img": ("src",),
    "source": ("src", "srcset"),
    "iframe": ("src",),
    "link": ("href",),
}
Fields = list[tuple[str, str]]


class Answer(NamedTuple):
    address: str
    status: int
    text: str
    """Of what is no file."""


class Reading(HTMLParser):
    """The URLs of a page, and its GET forms."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.forms: list[tuple[str, list[Fields]]] = []
        self._form: list[Fields] | None = None
        self._select: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name in ADDRESSES.get(tag, ()):
            if name in given:
                self.addresses += [each.split()[0] for each in given[name].split(",") if each.split()]
        if tag == "form":
            self._form = None
            if given.get("method", "get").lower() == "get":
                self._form = []
                self.forms.append((given.get("action", ""), self._form))
        elif self._form is not None:
            self._field(tag, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None

    def _field(self, tag: str, given: dict[str, str]) -> None:
        assert self._form is not None
        if tag == "select" and given.get("name"):
            self._select = given["name"]
            self._form.append([])
        elif tag == "option" and self._select:
            pair = (self._select, given.get("value", ""))
            self._form[-1].insert(0 if "selected" in given else len(self._form[-1]), pair)
        elif tag in ("input", "button") and given.get("name"):
            self._input(given.get("type", "text"), given)

    def _input(self, kind: str, given: dict[str, str]) -> None:
        assert self._form is not None
        pair = (given["name"], given.get("value", "on" if kind in ("checkbox", "radio") else ""))
        if kind in ("checkbox", "radio"):
            other = ("", "") if kind == "checkbox" else pair
            self._form.append([pair, other] if "checked" in given or kind == "radio" else [("", ""), pair])
        else:
            self._form.append([pair])


def queries(fields: list[Fields]) -> Iterator[str]:
    """Yield the query of an unchanged form, and one query for each other choice of one field."""
    known = [each for each in fields if each]
    usual = [each[0] for each in known]
    yield _query(usual)
    for place, choices in enumerate(known):
        for choice in choices[1:]:
            yield _query([*usual[:place], choice, *usual[place + 1 :]])


def _query(fields: Fields) -> str:
    return urlencode([(name, value) for name, value in fields if name])


def crawl(client: Client, begin: Iterable[str], wanted: Callable[[str], bool], alike: int = ALIKE) -> Iterator[Answer]:
    """Yield the answer of each wanted URL that can be reached from these URLs."""
    waiting, seen, counts = deque(begin), set[str](), Counter[object]()
    while waiting:
        address = waiting.popleft()
        if address in seen or not wanted(address):
            continue
        seen.add(address)
        counts[likeness := _likeness(address)] += 1
        if counts[likeness] > alike:
            continue
        answer = read(client, address)
        yield answer
        waiting += following(answer)


def _likeness(address: str) -> object:
    parts = urlsplit(address)
    try:
        route = resolve(parts.path).route
    except Resolver404:
        route = parts.path
    return route, tuple(sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))


def read(client: Client, address: str) -> Answer:
    response = client.get(address)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    kind = response.headers.get("Content-Type", "")
    location = response.headers.get("Location", "")
    text = f'<a href="{location}">' if location else body.decode() if kind.startswith("text/html") else ""
    return Answer(address, response.status_code, text)


def following(answer: Answer) -> list[str]:
    """Return the URLs on a page without their fragments."""
    page = Reading(answer.text)
    found = list(page.addresses)
    for action, fields in page.forms:
        found += [f"{(action or answer.address).partition('?')[0]}?{query}" for query in queries(fields)]
    joined = [urlsplit(urljoin(f"http://127.0.0.1{answer.address}", each)) for each in found]
    return [
        each.path + (f"?{each.query}" if each.query else "") for each in joined if each.hostname in ("127.0.0.1", None)
    ]
