#!/usr/bin/env python3
"""Check what a Deniable site serves to the respondents of a survey, without a browser and without its word.

    python3 verify.py https://example.org/s/SLUG/ --manifest manifest.json --remember heads.json

One file, the standard library of Python 3.11 and nothing else: read it before you run it. It fetches the page, every
file that the page runs, and the definition, twice and as two different clients, and checks that

- both were given the same bytes;
- the page is, byte for byte, the one of the manifest, and so is every file (SHA-384);
- the definition has the digest that the page names;
- every table keeps the alpha that its question states, in whole numbers (docs/mathematics.md, M1 to M8);
- the site's log is one chain, its newest manifest is this one, it has this survey with this definition and no other,
  and it still holds the head that was seen before.

The manifest is the published one: `manage.py manifest` writes it from the program's source. Without --manifest the
site's own is taken, which shows only that the site agrees with itself. --remember keeps the head of the log from one
time to the next; compare heads with other people to notice that you are shown another log.
"""

import argparse
import base64
import gzip
import hashlib
import html
import json
import math
import re
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

Data = dict[str, Any]

LARGEST = 8 << 20  # bytes of an answer
SECONDS = 30
CLIENTS = (
    {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Accept-Language": "en"},
    {"User-Agent": "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile", "Accept-Language": "ar,de;q=0.5"}
    | {"Accept-Encoding": "gzip"},
)


class Wrong(Exception):
    """Something is not what it should be; the text says what."""


# Fetching -------------------------------------------------------------------------------------------------------------


class Staying(urllib.request.HTTPRedirectHandler):
    """An address that leads elsewhere is not what the page names."""

    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


_opener = urllib.request.build_opener(Staying)


def fetch(url: str, client: int = 0) -> bytes:
    request = urllib.request.Request(url, headers=CLIENTS[client])
    try:
        with _opener.open(request, timeout=SECONDS) as answer:
            body = answer.read(LARGEST + 1)
            compressed = answer.headers.get("Content-Encoding") == "gzip"
    except (OSError, ValueError) as error:
        raise Wrong(f"{url} was not answered: {error}") from None
    if len(body) > LARGEST:
        raise Wrong(f"{url} is larger than {LARGEST} bytes")
    return gzip.decompress(body) if compressed else bytes(body)


def same_for_all(url: str) -> bytes:
    """The bytes of an address, as each of the clients is given them."""
    first, second = (fetch(url, client) for client in range(len(CLIENTS)))
    if first != second:
        raise Wrong(f"{url} is another for another client")
    return first


# The page -------------------------------------------------------------------------------------------------------------


def pattern_of(slot: str, values: dict[str, str]) -> str:
    """The text that a survey puts there; of a time only its characters are known."""
    return "[0-9A-Za-z,:+ -]{1,40}" if slot == "time" else re.escape(html.escape(values[slot]))


def check_page(page: str, manifest: Data, slug: str, definition: Data, digest: str) -> str:
    """The state in which the page is, byte for byte, the manifest's page of this survey."""
    values = {"title": definition["title"], "introduction": definition["introduction"], "slug": slug, "digest": digest}
    tags = [definition.get("language", "en"), *sorted(definition.get("translations", {}))]
    for state, parts in manifest["pages"].items():
        tables = manifest["notices"][state]
        said = list(dict.fromkeys(page_tag(tag, tables) for tag in tags))
        values |= {"language": tags[0], "direction": direction(tags[0]), "languages": " ".join(tags)}
        values |= {"page_language": said[0], "page_direction": direction(said[0])}
        notices = "".join(
            pattern(tables[tag.split("-")[0]], values | {"tag": tag, "tag_direction": direction(tag)}) for tag in said
        )
        if re.fullmatch(pattern(parts, values, notices), page):
            return str(state)
    raise Wrong("the page is not the manifest's page of this survey")


RIGHT_TO_LEFT = {"ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"}
RIGHT_TO_LEFT_SCRIPTS = {"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"}


def direction(tag: str) -> str:
    """How the language of a tag is written."""
    language, *more = tag.split("-")
    script = next((part for part in more if len(part) == 4), "")
    return "rtl" if (script in RIGHT_TO_LEFT_SCRIPTS if script else language in RIGHT_TO_LEFT) else "ltr"


def page_tag(tag: str, tables: Data) -> str:
    """The tag of what the page says itself to a reader of this language."""
    return tag if tag.split("-")[0] in tables else "en"


def pattern(parts: Sequence[Data], values: dict[str, str], notices: str = "") -> str:
    """What matches the parts of a page with these values; `notices` is the pattern of its notices."""

    def one(part: Data) -> str:
        if "text" in part:
            return re.escape(str(part["text"]))
        return notices if part["slot"] == "notices" else pattern_of(part["slot"], values)

    return "".join(map(one, parts))


def check_files(site: str, manifest: Data) -> int:
    for path, integrity in manifest["files"].items():
        found = "sha384-" + base64.b64encode(hashlib.sha384(same_for_all(urljoin(site, path))).digest()).decode()
        if found != integrity:
            raise Wrong(f"{path} is not the file of the manifest")
    return len(manifest["files"])


# The tables -----------------------------------------------------------------------------------------------------------

R = 1 << 53


def exp_below(x: Fraction) -> Fraction:
    """A lower bound of e^x: its Taylor series, cut off."""
    total, term = Fraction(1), Fraction(1)
    for k in range(1, 97):
        term *= x / k
        total += term
    return Fraction((total.numerator << 80) // total.denominator, 1 << 80)


def moves(t: int, alpha: Fraction, d: int) -> bool:
    """Each of d - 1 others has the chance t / R, and the true one the rest, which is at most e^alpha times as much."""
    return t >= 1 and d * t <= R and R - (d - 1) * t <= t * exp_below(alpha)


def weights(cumulative: Sequence[int]) -> list[int]:
    return [high - low for low, high in pairwise([0, *cumulative, R])]


def rows_keep(rows: Sequence[Sequence[int]], alpha: Fraction) -> bool:
    bound = exp_below(alpha)
    columns = zip(*map(weights, rows), strict=True)
    return all(min(column) >= 1 and max(column) <= min(column) * bound for column in columns)


def noise_keeps(cumulative: Sequence[int], alpha: Fraction, delta: Fraction) -> bool:
    """Two answers differ in two bins; over the values of both, what exceeds e^alpha times as much sums up to delta."""
    row, bound = weights(cumulative), exp_below(alpha)
    pairs = list(pairwise([0, *row, 0]))
    least, most = bound.denominator, bound.numerator
    excess = sum(max(least * u * y - most * v * x, 0) for u, v in pairs for x, y in pairs)
    return len(row) % 2 == 1 and min(row) >= 1 and excess <= delta * least * R * R


def subset_keeps(m: int, inside: int, alpha: Fraction, d: int) -> bool:
    """A set with the true one among its m is likelier than one without, by at most e^alpha."""
    ordered = 1 <= m < d and inside < R and inside * d >= R * m
    return ordered and inside * (d - m) <= (R - inside) * m * exp_below(alpha)


def categories(question: Data) -> int:
    """How many answers there are; 0 for a mean, whose tables do not depend on it."""
    if "edges" in question:
        return len(question["edges"]) - 1 + int(question["prefer_not_to_say"])
    return len(question.get("options", ()))


def keeps(question: Data) -> bool:
    """Whether the question's table keeps its alpha (and delta) between any two answers. What a table holds says how it
    is drawn from, whatever its mechanism is called."""
    table, alpha, d = question["table"], Fraction(question["alpha"]), categories(question)
    rules: dict[str, Callable[[], bool]] = {
        # One of d categories, or for a mean one of the ends.
        "other": lambda: moves(table["other"], alpha, d if "options" in question else 2),
        "in, m": lambda: subset_keeps(table["m"], table["in"], alpha, d),
        # Two answers differ in two bits. A magnitude does not depend on the answer.
        "flip": lambda: moves(table["flip"], alpha / 2, 2),
        "flip, magnitude": lambda: moves(table["flip"], alpha / 2, 2),
        "noise": lambda: noise_keeps(table["noise"], alpha, Fraction(question["delta"])),
        # A row for each category, or for a mean for each of two or more points of its scale.
        "rows": lambda: (
            len(table["rows"]) == (d if "options" in question else max(len(table["rows"]), 2))
            and rows_keep(table["rows"], alpha)
        ),
        # What is sampled is drawn without looking at the answers; each of the sample has its share of alpha.
        "other, sample": lambda: sampled_keep(question, alpha, d),
    }
    return rules[", ".join(sorted(table))]()


def sampled_keep(question: Data, alpha: Fraction, d: int) -> bool:
    """Some of the items with d categories each, or some of d options of which each applies or not."""
    sample, other = question["table"]["sample"], question["table"]["other"]
    every, ends = (len(question["items"]), d) if "items" in question else (d, 2)
    return 1 <= sample <= every and moves(other, alpha / sample, ends)


def whole(table: Any) -> bool:
    """Whether all numbers of a table are integers."""
    if isinstance(table, dict):
        return all(map(whole, table.values()))
    return all(map(whole, table)) if isinstance(table, list) else type(table) is int


SEVERAL = frozenset(["multiple_choice", "grid"])  # kinds whose answer is several values


def symbols(question: Data) -> int:
    """How many values an answer has that is randomized together with others: a number is rounded to one of the ends."""
    if question["kind"] in SEVERAL:
        raise ValueError("several answers are not one of some values")
    return categories(question) if "options" in question else 2


def keeps_together(form: Data, questions: Sequence[Data]) -> bool:
    """Whether the table of a joint form keeps its alpha between any two combinations of the answers to its questions,
    which have no tables of their own."""
    together = [question for question in questions if question["key"] in form["questions"]]
    combinations = math.prod(symbols(question) for question in together)
    sound = len(together) >= 2 and not any("table" in question for question in together)
    return sound and moves(form["table"]["other"], Fraction(form["alpha"]), combinations)


def check_tables(definition: Data) -> int:
    """How many questions there are: each by itself, or randomized together with others of its form."""
    questions, joint = definition["questions"], [form for form in definition.get("forms", []) if "table" in form]
    together = {key for form in joint for key in form["questions"]}
    for question in questions:
        if question.get("key") not in together:
            must_keep(question, keeps, repr(question.get("key")))
    for form in joint:
        must_keep(form, lambda each: keeps_together(each, questions), "the form with " + ", ".join(form["questions"]))
    return len(questions)


def must_keep(drawn: Data, rule: Callable[[Data], bool], name: str) -> None:
    try:
        kept = whole(drawn["table"]) and rule(drawn)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        kept = False
    if not kept:
        raise Wrong(f"the table of {name} does not keep its alpha")


# The log --------------------------------------------------------------------------------------------------------------

FIELDS = ("number", "day", "manifest", "slug_hash", "digest", "previous")


def check_chain(entries: Sequence[Data]) -> Data:
    """The head of a log whose every entry follows the one before."""
    previous = "0" * 64
    for number, entry in enumerate(entries, start=1):
        text = json.dumps({name: entry[name] for name in FIELDS}, sort_keys=True, separators=(",", ":"))
        right = entry["number"] == number and entry["previous"] == previous
        if not right or entry["hash"] != hashlib.sha256(text.encode()).hexdigest():
            raise Wrong(f"entry {number} of the log does not follow the one before")
        previous = entry["hash"]
    if not entries:
        raise Wrong("the log is empty")
    return entries[-1]


def check_log(entries: Sequence[Data], slug: str, digest: str, manifest: str) -> None:
    if entries[-1]["manifest"] != manifest:
        raise Wrong("the log's newest entry names another manifest")
    own = hashlib.sha256(slug.encode()).hexdigest()
    digests = {entry["digest"] for entry in entries if entry["slug_hash"] == own}
    if digests != {digest}:
        raise Wrong("the log has another definition of this survey, or none")


def check_head(entries: Sequence[Data], heads: Path, site: str) -> str:
    """What is remembered of the site's log, which must still stand in it; then its head is remembered."""
    known: Data = json.loads(heads.read_text(encoding="utf-8")) if heads.exists() else {}
    before = known.get(site)
    if before is not None:
        number = before["number"]
        if number > len(entries) or entries[number - 1]["hash"] != before["hash"]:
            raise Wrong(f"the log is another one: entry {number} was {before['hash']} before")
    known[site] = {"number": entries[-1]["number"], "hash": entries[-1]["hash"]}
    heads.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return f"follows entry {before['number']}, seen before" if before else "is remembered"


# All of it ------------------------------------------------------------------------------------------------------------


def verify(url: str, published: bytes | None = None, heads: Path | None = None) -> Iterator[str]:
    """What was found right, sentence by sentence; Wrong at the first that is not."""
    site, slug = "{0.scheme}://{0.netloc}".format(urlsplit(url)), urlsplit(url).path.strip("/").split("/")[-1]
    served = same_for_all(urljoin(site, "/check/manifest.json"))
    if published is not None and published != served:
        raise Wrong("the site's manifest is not the published one")
    manifest, name = json.loads(served), hashlib.sha384(served).hexdigest()
    yield f"The manifest is {'the published one' if published else 'the site’s own'}: {name[:16]}…"
    page = same_for_all(urljoin(site, f"/s/{slug}/")).decode()
    data = same_for_all(urljoin(site, f"/api/v1/surveys/{slug}/definition"))
    definition, digest = json.loads(data), hashlib.sha256(data).hexdigest()
    yield f"Two clients were given the same page, and the same definition: {digest[:16]}…"
    state = check_page(page, manifest, slug, definition, digest)
    yield f"The page is the manifest's, byte for byte ({state})."
    yield f"All {check_files(site, manifest)} files that it runs are the manifest's."
    yield f"The tables of all {check_tables(definition)} questions keep their alpha."
    entries = json.loads(same_for_all(urljoin(site, "/check/log.json")))["entries"]
    head = check_chain(entries)
    check_log(entries, slug, digest, name)
    yield f"The log is one chain of {len(entries)} entries and has this survey with this definition alone."
    yield f"Its head: {head['number']} {head['hash']}"
    if heads is not None:
        yield f"The log {check_head(entries, heads, site)}."


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="a survey's address: https://example.org/s/SLUG/")
    parser.add_argument("--manifest", type=Path, help="the published manifest, from `manage.py manifest`")
    parser.add_argument("--remember", type=Path, help="a file that keeps the log's head from one time to the next")
    given = parser.parse_args(arguments)
    try:
        for sentence in verify(given.url, given.manifest and given.manifest.read_bytes(), given.remember):
            print(f"right  {sentence}")
    except (Wrong, ValueError, LookupError, TypeError) as wrong:
        print(f"WRONG  {wrong if isinstance(wrong, Wrong) else f'an answer cannot be read ({wrong!r})'}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
