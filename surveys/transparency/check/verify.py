#!/usr/bin/env python3
"""Check what a Deniable site serves to the respondents of a survey, without a browser and without trusting the site.

    python3 verify.py "https://example.org/s/#SLUG" --manifest manifest.json --remember kept.json

The script is one file and needs only Python 3.11: read it before you run it. It fetches the page, every file that the
page runs, and the definition, twice and as two different clients. It checks that

- both clients got the same bytes;
- the page's document and every file are, byte for byte, those of the manifest (SHA-384);
- every draw's table keeps its stated alpha, in exact integers (docs/mathematics.md, M1 to M8 and M44);
- the site's log is the tree whose root its key signed, names this manifest last, has this survey with this definition
  and no other, and continues the log that was seen before; with --release, that it has the same release;
- enough of the witnesses that you trust (--trust, --quorum) have signed a tree with the survey.

The manifest is the published one: `python3 surveys/transparency/check/manifest_file.py` writes it from the program's
source. A check without its input is skipped, and a line says so. --remember stores the log's checkpoint for the next
run. --save stores all fetched files in a folder, and --offline checks that folder without a network.

    python3 verify.py https://example.org/ --witness my.example.net/w1 --key witness_key --remember kept.json

runs a witness. It reads only the log, checks that it continues the log seen before, signs it and sends the signature to
the site. Run it each hour, and publish the key that it prints. Do not store the key where others can measure how long a
signature takes.
"""

import argparse
import base64
import hashlib
import http.client
import json
import math
import os
import re
import secrets
import sys
import threading
import time
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

Data = dict[str, Any]

# A dishonest site may answer without end. Sizes beyond those of any honest site are refused.
LARGEST = 8 << 20  # bytes of an answer
SECONDS = 60  # for one answer
HOURS = 2  # for all of them
FILES, ENTRIES, KEYS, NOTE, PROOF = 256, 1 << 20, 4096, 16_384, 64
CLIENTS = (
    {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Accept-Language": "en"},
    {"User-Agent": "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile", "Accept-Language": "ar,de;q=0.5"}
    | {"Accept-Encoding": "gzip"},
)


class Wrong(Exception):
    """A check failed; the text says which."""


class Missing(Wrong):
    """The site has nothing at a URL."""


class Finding(NamedTuple):
    """A check that passed or was skipped. Without a mark it continues the finding before."""

    mark: str
    text: str


def right(text: str) -> Finding:
    return Finding("right", text)


def unchecked(text: str) -> Finding:
    return Finding("not checked", text)


# Fetching -------------------------------------------------------------------------------------------------------------


class Staying(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: the page does not name their targets."""

    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


_opener = urllib.request.build_opener(Staying)


def fetch(url: str, client: int = 0, body: bytes | None = None, link: str = "") -> bytes:
    """Return the answer of a URL. `link` is the last part of a survey's link; a header has it, since no URL may."""
    named = {"Survey-Link": link} if link else {}
    request = urllib.request.Request(url, headers=CLIENTS[client] | named, data=body)
    try:
        answer, compressed = in_time(lambda: answer_of(request))
        answer = unpacked(answer) if compressed else answer
    except (OSError, ValueError, http.client.HTTPException, zlib.error) as error:
        missing = getattr(error, "code", None) == 404
        if link and missing:
            raise Wrong("the site has no survey at this link") from None
        raise (Missing if missing else Wrong)(f"{url} was not answered: {error!r}") from None
    if len(answer) > LARGEST:
        raise Wrong(f"{url} is larger than {LARGEST} bytes")
    return answer


def answer_of(request: urllib.request.Request) -> tuple[bytes, bool]:
    """Return the bytes of an answer, and whether they are compressed."""
    with _opener.open(request, timeout=SECONDS) as answer:
        return answer.read(LARGEST + 1), answer.headers.get("Content-Encoding") == "gzip"


def in_time(answer: Callable[[], tuple[bytes, bool]]) -> tuple[bytes, bool]:
    """Return the answer. Raise TimeoutError after SECONDS, even if bytes keep coming; the thread is abandoned."""
    done: Future[tuple[bytes, bool]] = Future()

    def run() -> None:
        try:
            done.set_result(answer())
        except Exception as error:
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return done.result(SECONDS)


def unpacked(data: bytes) -> bytes:
    """Return at most LARGEST + 1 bytes of the answer. Raise ValueError unless it is exactly one compressed answer."""
    packed = zlib.decompressobj(zlib.MAX_WBITS | 16)
    answer = packed.decompress(data, LARGEST + 1)
    if len(answer) <= LARGEST and (not packed.eof or packed.unused_data):
        raise ValueError("not compressed as it says")
    return answer


class Site:
    """The source of answers: a site, whose answers can be saved in a folder, or such a folder."""

    def __init__(self, url: str, save: Path | None = None, offline: Path | None = None) -> None:
        self.address = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        self.save, self.offline = save, offline
        self._end = time.monotonic() + 3600 * HOURS

    def get(self, path: str, tries: int = 1, link: str = "") -> bytes:
        """Return the bytes at a path, equal for both clients, or as saved in the folder. No path leads to another site,
        or into this machine."""
        if not re.fullmatch(r"/(?![/\\])[!-~]{0,200}", path):
            raise Wrong(f"{path[:60]!r} is no address of this site")
        if time.monotonic() > self._end:
            raise Wrong(f"the site has not answered all within {HOURS} hours")
        if self.offline:
            return self._saved(path, link)
        url = self.address + path
        first, second = (fetch(url, client, link=link) for client in range(len(CLIENTS)))
        if first != second:
            if tries > 1:  # the log may have grown between the two
                return self.get(path, tries - 1, link)
            raise Wrong(f"{url} is another for another client")
        if self.save:
            self.save.mkdir(parents=True, exist_ok=True)
            (self.save / file_name(path, link)).write_bytes(first)
        return first

    def _saved(self, path: str, link: str) -> bytes:
        file = (self.offline or Path()) / file_name(path, link)
        if not file.exists():
            raise Wrong(f"{path} is not in the folder")
        return file.read_bytes()


def file_name(path: str, link: str) -> str:
    """Return the name for saving an answer. One folder can hold several surveys of a site."""
    return quote(f"{path}#{link}" if link else path, safe="")


# The page -------------------------------------------------------------------------------------------------------------


def manifest_of(data: bytes) -> tuple[Data, Data]:
    """Return the fingerprints of the document and of the files, by path."""
    manifest = json.loads(data)
    document, files = manifest["document"], manifest["files"]
    if list(document) != ["/s/"] or not 0 < len(files) <= FILES:
        raise Wrong("the manifest is not that of a page")
    return document, files


def check_files(site: Site, files: Data) -> int:
    """Check that each path has the bytes in the manifest. Return the number of paths."""
    for path, integrity in files.items():
        digest = "sha384-" + base64.b64encode(hashlib.sha384(site.get(path)).digest()).decode()
        if digest != integrity:
            raise Wrong(f"{path} is not the file of the manifest")
    return len(files)


# The tables -----------------------------------------------------------------------------------------------------------

R = 1 << 53
QUESTIONS, DRAWS, INTEGERS = 200, 400, 12_000  # the most that a survey has
COMBINATIONS = 4096  # of options in a draw
ALPHA, DELTA = r"(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,6})?", r"0\.[0-9]{1,12}"


def number(text: Any, form: str, most: Fraction) -> Fraction:
    """Return a decimal number. Raise ValueError for another notation, or beyond a survey's limits."""
    if not re.fullmatch(form, text, re.ASCII) or not 0 < Fraction(text) <= most:
        raise ValueError("not a number of a definition")
    return Fraction(text)


def alpha_of(drawn: Data) -> Fraction:
    return number(drawn["alpha"], ALPHA, Fraction(16))


def exp_below(x: Fraction) -> Fraction:
    """Return a lower bound of e^x: a partial sum of its Taylor series."""
    total, term = Fraction(1), Fraction(1)
    for k in range(1, 97):
        term *= x / k
        total += term
    return Fraction((total.numerator << 80) // total.denominator, 1 << 80)


def moves(t: int, alpha: Fraction, d: int) -> bool:
    """Return whether a table with chance t / R for each of d - 1 false answers keeps alpha. The true answer has the
    rest of the chance. It must be at most e^alpha times as likely as a false one."""
    return t >= 1 and d * t <= R and R - (d - 1) * t <= t * exp_below(alpha)


def weights(cumulative: Sequence[int]) -> list[int]:
    return [high - low for low, high in pairwise([0, *cumulative, R])]


def rows_keep(rows: Sequence[Sequence[int]], alpha: Fraction) -> bool:
    bound = exp_below(alpha)
    columns = zip(*map(weights, rows), strict=True)
    return all(min(column) >= 1 and max(column) <= min(column) * bound for column in columns)


def noise_keeps(cumulative: Sequence[int], alpha: Fraction, delta: Fraction) -> bool:
    """Return whether noise keeps alpha and delta. Two answers differ in two bins. Over the values of both, the excess
    over e^alpha times the other's chance must sum to at most delta."""
    row, bound = weights(cumulative), exp_below(alpha)
    pairs = list(pairwise([0, *row, 0]))
    least, most = bound.denominator, bound.numerator
    excess = sum(max(least * u * y - most * v * x, 0) for u, v in pairs for x, y in pairs)
    return len(row) % 2 == 1 and min(row) >= 1 and excess <= delta * least * R * R


def product_keeps(keep: int, sizes: Sequence[int], options: Sequence[int], alpha: Fraction) -> bool:
    """Return whether product subsets keep alpha. The lists have these sizes. With the chance keep / R they are a
    uniform choice among all lists that contain the answers, otherwise among all lists."""
    if not (1 <= keep < R and all(1 <= a < d for a, d in zip(sizes, options, strict=True))):
        return False
    every = (R - keep) * math.prod(sizes)
    return every + keep * math.prod(options) <= every * exp_below(alpha)


def categories(question: Data) -> int:
    """Return the number of answers; 0 for a mean, whose tables do not depend on it."""
    if "edges" in question:
        return len(question["edges"]) - 1 + int(question["prefer_not_to_say"])
    return len(question.get("options", ()))


# Mechanisms by which forms may randomize a question with different tables: results pool their scores 0 and 1.
POOLED = {"randomized_response", "one_bit", "multiple", "grid"}
# Kinds with an answer to each of several items. A report is about some of them. In a multiple choice each option is an
# item.
ITEMS = {"multiple_choice": "options", "grid": "items"}


def symbols(question: Data) -> int:
    """Return the number of options of an answer. A mean is rounded to one of two ends, and an option applies or not."""
    if "ranked" in question:
        raise ValueError("an order is not one of some options")
    return categories(question) if "options" in question and ITEMS.get(question["kind"]) != "options" else 2


def items_of(question: Data) -> int:
    """Return the number of items of a question; 0 for a single answer."""
    return len(question[ITEMS[question["kind"]]]) if question["kind"] in ITEMS else 0


def randomized(question: Data, size: Any) -> list[tuple[int, int]]:
    """Return the numbers of options and of listed options, for each answer to a question in a joint draw. A list or
    grid has one for each drawn item. The page draws the items without looking at the answers."""
    d, items = symbols(question), items_of(question)
    drawn, listed = size if items else (1, size)
    if items and not (1 <= drawn <= items and d**drawn <= COMBINATIONS):
        raise ValueError("more is drawn than there is")
    return [(d, listed)] * drawn


def keeps(draw: Data, questions: Sequence[Data]) -> bool:
    """Return whether a draw's table keeps its alpha (and delta) between any two answers to its questions. The entries
    of the table decide on the rule, whatever the name of the mechanism."""
    table, alpha, entries = draw["table"], alpha_of(draw), ", ".join(sorted(draw["table"]))
    if entries == "keep, sizes":
        every = [symbols(question) * max(items_of(question), 1) for question in questions]
        if len(every) > 1 and math.prod(every) > COMBINATIONS:
            return False
        answers = [pair for each in zip(questions, table["sizes"], strict=True) for pair in randomized(*each)]
        options, sizes = zip(*answers, strict=True)
        return product_keeps(table["keep"], sizes, options, alpha)
    [question] = questions
    d = categories(question)
    rules: dict[str, Callable[[], bool]] = {
        # Two answers differ in two bits. A magnitude does not depend on the answer.
        "flip": lambda: moves(table["flip"], alpha / 2, 2),
        "flip, magnitude": lambda: moves(table["flip"], alpha / 2, 2),
        "noise": lambda: noise_keeps(table["noise"], alpha, number(draw["delta"], DELTA, Fraction(1, 1000))),
        # A row for each category, or for a mean for each of two or more points of its scale.
        "rows": lambda: (
            len(table["rows"]) == (d if "options" in question else max(len(table["rows"]), 2))
            and rows_keep(table["rows"], alpha)
        ),
        # The sample does not depend on the answers; the answers in it are randomized together.
        "keep, sample": lambda: (
            order_keeps(table, alpha)
            if "ranked" in question
            else "items" not in question and sampled_keep(table, 1, 2, d, alpha)
        ),
        "keep, sample, size": lambda: sampled_keep(table, table["size"], d, len(question["items"]), alpha),
    }
    return rules[entries]()


def sampled_keep(table: Data, size: int, options: int, items: int, alpha: Fraction) -> bool:
    sample = table["sample"]
    if not (1 <= sample <= items and options**sample <= COMBINATIONS):
        return False
    return product_keeps(table["keep"], [size] * sample, [options] * sample, alpha)


def order_keeps(table: Data, alpha: Fraction) -> bool:
    """Return whether the draw of the order of 2 or 3 items keeps alpha: the order is one answer."""
    return table["sample"] in (2, 3) and product_keeps(table["keep"], [1], [math.factorial(table["sample"])], alpha)


def all_integers(table: Any) -> bool:
    """Return whether all numbers of a table are integers."""
    if isinstance(table, dict):
        return all(map(all_integers, table.values()))
    return all(map(all_integers, table)) if isinstance(table, list) else type(table) is int


def integers(table: Any) -> int:
    """Return how many numbers a table has."""
    parts = table.values() if isinstance(table, dict) else table
    return sum(map(integers, parts)) if isinstance(table, dict | list) else 1


def check_tables(definition: Data) -> int:
    """Return the number of questions. Each must be in a draw, and at most one draw may ask a person a question."""
    questions, shared = definition["questions"], definition["draws"]
    forms = [form["draws"] for form in definition.get("forms", [])]
    draws = [*shared, *(draw for own in forms for draw in own)]
    if len(questions) > QUESTIONS or len(draws) > DRAWS or sum(integers(draw["table"]) for draw in draws) > INTEGERS:
        raise Wrong("the definition is larger than that of any survey")
    by_key = {question["key"]: question for question in questions}
    for draw in draws:
        must_keep(draw, by_key)
    for own in forms or [[]]:
        keys = [key for draw in (*shared, *own) for key in draw["questions"]]
        if len(set(keys)) < len(keys):
            raise Wrong("one person is asked a question twice, which its alpha does not count")
    for key in by_key:
        drawn = [draw for draw in draws if key in draw["questions"]]
        if any(draw != drawn[0] for draw in drawn) and not {draw.get("mechanism") for draw in drawn} <= POOLED:
            raise Wrong("forms randomize a question in ways that no results put together")
    if by_key.keys() != {key for draw in draws for key in draw["questions"]} or len(by_key) < len(questions):
        raise Wrong("a question has no draw, or shares its key with another one")
    return len(questions)


def must_keep(draw: Data, by_key: Data) -> None:
    try:
        kept = all_integers(draw["table"]) and keeps(draw, [by_key[key] for key in draw["questions"]])
    except (ArithmeticError, LookupError, TypeError, ValueError):
        kept = False
    if not kept:
        raise Wrong(f"the table of {', '.join(map(repr, draw['questions']))} does not keep its alpha")


# Signatures (RFC 8032) ------------------------------------------------------------------------------------------------

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME  # d of -x^2 + y^2 = 1 + d x^2 y^2

# A point (x, y) as (X, Y, Z, T) with x = X / Z, y = Y / Z and x y = T / Z.
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def add(first: Point, second: Point) -> Point:
    """Return the sum, by formulas that hold for any two points of the curve (5.1.4)."""
    a = (first[1] - first[0]) * (second[1] - second[0]) % PRIME
    b = (first[1] + first[0]) * (second[1] + second[0]) % PRIME
    c = 2 * CURVE * first[3] * second[3] % PRIME
    d = 2 * first[2] * second[2] % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def times(scalar: int, point: Point) -> Point:
    total = NEUTRAL
    for bit in bin(scalar)[2:]:
        total = add(total, total)
        total = add(total, point) if bit == "1" else total
    return total


def root_of(square: int) -> int | None:
    """Return a square root modulo the prime, which is 5 modulo 8; None if there is none."""
    candidate = pow(square, (PRIME + 3) // 8, PRIME)
    for root in (candidate, candidate * pow(2, (PRIME - 1) // 4, PRIME) % PRIME):
        if (root * root - square) % PRIME == 0:
            return root
    return None


def point_of(data: bytes) -> Point | None:
    """Return the point of 32 bytes: y, and in the highest bit whether x is odd. None if it is not a point (5.1.3)."""
    y, odd = int.from_bytes(data, "little") % 2**255, data[31] >> 7
    x = root_of((y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME) if y < PRIME else None
    if x is None or (x == 0 and odd):
        return None
    x = PRIME - x if x % 2 != odd else x
    return x, y, 1, x * y % PRIME


def bytes_of(point: Point) -> bytes:
    inverse = pow(point[2], -1, PRIME)
    x, y = point[0] * inverse % PRIME, point[1] * inverse % PRIME
    return (y | (x % 2) << 255).to_bytes(32, "little")


BASE = point_of((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little")) or NEUTRAL


def number_of(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def is_signature(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether s B = R + h A (5.1.7) for a signature R, s."""
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r, s = point_of(public), point_of(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER:
        return False
    h = number_of(signature[:32], public, message)
    return bytes_of(times(s, BASE)) == bytes_of(add(r, times(h, a)))


def secret_parts(seed: bytes) -> tuple[int, bytes]:
    """Return the secret number of a seed, and the prefix for nonces (5.1.5)."""
    hashed = hashlib.sha512(seed).digest()
    return int.from_bytes(hashed[:32], "little") & ~7 & (2**254 - 1) | 2**254, hashed[32:]


def public_of(seed: bytes) -> bytes:
    return bytes_of(times(secret_parts(seed)[0], BASE))


def sign(seed: bytes, message: bytes) -> bytes:
    """Return the signature of a message (5.1.6). Not in constant time."""
    a, prefix = secret_parts(seed)
    r = number_of(prefix, message)
    nonce = bytes_of(times(r, BASE))
    s = (r + number_of(nonce, public_of(seed), message) * a) % ORDER
    return nonce + s.to_bytes(32, "little")


# Notes and checkpoints (C2SP signed-note, tlog-checkpoint, tlog-cosignature) ------------------------------------------

PLAIN, COSIGNATURE = 1, 4
CLOCKS_APART = 86_400  # seconds at most


class Key(NamedTuple):
    """A verifier key: its owner's name, the type of its signatures, and its 32 bytes."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([self.kind]) + self.public).decode()}"

    def line(self, value: bytes) -> str:
        return f"— {self.name} {base64.b64encode(self.id + value).decode()}\n"


class Note(NamedTuple):
    """A text, and the signatures below it: name, key id and value."""

    text: str
    signatures: list[tuple[str, bytes, bytes]]

    def values(self, key: Key) -> list[bytes]:
        return [value for name, number, value in self.signatures if (name, number) == (key.name, key.id)]

    def signed_by(self, key: Key) -> bool:
        """Return whether the key signed the note. Raise Wrong if a line claims that falsely."""
        values = self.values(key)
        if not all(is_signature(key.public, self.text.encode(), value) for value in values):
            raise Wrong(f"the signature of {key.name} is wrong")
        return bool(values)

    def cosigned_by(self, key: Key) -> int | None:
        """Return the witness's last time of signing, in seconds since 1970; None if it did not sign. Raise Wrong for an
        invalid line or a time in the future."""
        moments = [int.from_bytes(value[:8]) for value in self.values(key)]
        for moment, value in zip(moments, self.values(key), strict=True):
            if not is_signature(key.public, cosigned(self.text, moment), value[8:]):
                raise Wrong(f"the cosignature of {key.name} is wrong")
            if not 0 < moment <= time.time() + CLOCKS_APART:
                raise Wrong(f"the cosignature of {key.name} is not of a time that was")
        return max(moments, default=None)


def cosigned(text: str, moment: int) -> bytes:
    return f"cosignature/v1\ntime {moment}\n{text}".encode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64 in its canonical notation, or raise Wrong."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise Wrong("base64 in another notation")
    return data


def key_of(text: str, kinds: Sequence[int] = (PLAIN, COSIGNATURE)) -> Key:
    name, _, rest = text.partition("+")
    number, _, material = rest.partition("+")
    data = decoded(material)
    key = Key(name, data[0] if data else 0, data[1:])
    named = re.fullmatch(r"[^\s+]+", name) and name.isprintable()
    if not named or key.kind not in kinds or len(key.public) != 32 or key.id.hex() != number:
        raise Wrong(f"{text[:60]} is not a verifier key")
    return key


def note_of(data: bytes) -> Note:
    whole = data.decode()
    text, blank, lines = whole.rpartition("\n\n")
    each = [re.fullmatch(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})", line) for line in lines.split("\n")[:-1]]
    if len(data) > NOTE or not blank or not lines.endswith("\n") or len(each) > 64:
        raise Wrong("not a signed note")
    signatures = [(line[1], decoded(line[2])[:4], decoded(line[2])[4:]) for line in each if line]
    too_short = any(not value for _, _, value in signatures)
    if len(signatures) < len(each) or too_short or re.search(r"[\0-\x09\x0b-\x1f]", whole):
        raise Wrong("not a signed note")
    return Note(text + "\n", signatures)


class Checkpoint(NamedTuple):
    """A log's name, its number of entries and the root of their tree, with the signed note."""

    origin: str
    size: int
    root: bytes
    note: Note


def checkpoint_of(data: bytes) -> Checkpoint:
    note = note_of(data)
    lines = note.text.split("\n")
    if len(lines) != 4 or not lines[0] or not re.fullmatch(r"0|[1-9][0-9]{0,9}", lines[1]):
        raise Wrong("not a checkpoint")
    root = decoded(lines[2])
    if len(root) != 32:
        raise Wrong("not the root of a tree")
    return Checkpoint(lines[0], int(lines[1]), root, note)


# The tree (RFC 6962, section 2.1) -------------------------------------------------------------------------------------


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(tree_root(leaves[:k]), tree_root(leaves[k:]))


def is_included(index: int, size: int, leaf: bytes, proof: Sequence[bytes], root: bytes) -> bool:
    """Return whether the leaf is in the tree. From the leaf up, `last` is the last node of each level. A node without a
    right neighbour moves up unchanged."""
    if not 0 <= index < size or len(leaf) != 32:
        return False
    node, last, hashes = leaf, size - 1, list(proof)
    while last:
        if index % 2 or index < last:
            if not hashes or len(hashes[0]) != 32:
                return False
            beside = hashes.pop(0)
            node = node_hash(beside, node) if index % 2 else node_hash(node, beside)
        index, last = index // 2, last // 2
    return not hashes and node == root


def is_continued(before: int, size: int, old: bytes, new: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether the tree of `size` leaves with root `new` begins with the tree of `before` leaves with root `old`.
    The proof yields both roots. Its first hash is that of the largest subtree in both."""
    if before == size or before == 0:
        return not proof and (old == new if before else old == tree_root([]))
    if not 0 < before < size or not all(len(each) == 32 for each in proof):
        return False
    node, last, hashes = before - 1, size - 1, list(proof)
    while node % 2:
        node, last = node // 2, last // 2
    if node and not hashes:
        return False
    was = now = hashes.pop(0) if node else old
    while last:
        if node % 2 or node < last:
            if not hashes:
                return False
            beside = hashes.pop(0)
            was = node_hash(beside, was) if node % 2 else was
            now = node_hash(beside, now) if node % 2 else node_hash(now, beside)
        node, last = node // 2, last // 2
    return not hashes and was == old and now == new


# The log --------------------------------------------------------------------------------------------------------------

LOG = "/check/log"
BUNDLE = 256


class Log(NamedTuple):
    """A whole log. Its newest key has signed its root. `keys` are the keys that the log named, each with its entry's
    number and whether the previous key agreed."""

    checkpoint: Checkpoint
    entries: list[Data]
    leaves: list[bytes]
    keys: list[tuple[int, Key, bool]]

    def of(self, kind: str, link: str) -> list[tuple[int, Data]]:
        return [
            (i, entry) for i, entry in enumerate(self.entries) if (entry["kind"], entry.get("link")) == (kind, link)
        ]


def read_log(site: Site) -> Log:
    """Return the site's log. Raise Wrong if the entries do not match the signed root, or the keys do not follow each
    other."""
    checkpoint = checkpoint_of(site.get(f"{LOG}/checkpoint", tries=4))
    if checkpoint.size > ENTRIES:
        raise Wrong(f"the log says that it has {checkpoint.size} entries, and this program reads {ENTRIES}")
    texts = list(entry_texts(site, checkpoint.size))
    leaves = list(map(leaf_hash, texts))
    if tree_root(leaves) != checkpoint.root:
        raise Wrong("the entries of the log are not those of its root")
    entries = list(map(entry_of, texts))
    keys = list(named_keys(entries))
    signers = [key for _, key, _ in keys if key.name == checkpoint.origin and checkpoint.note.signed_by(key)]
    if not keys or keys[-1][1] not in signers:
        retired = "a key that the log has replaced" if signers else "no key that the log names"
        raise Wrong(f"the checkpoint is signed by {retired}")
    return Log(checkpoint, entries, leaves, keys)


def entry_texts(site: Site, size: int) -> Iterator[bytes]:
    for first in range(0, size, BUNDLE):
        width = min(BUNDLE, size - first)
        part = f".p/{width}" if width < BUNDLE else ""
        yield from bundled(site.get(f"{LOG}/tile/entries/{tile_path(first // BUNDLE)}{part}"), width)


def bundled(data: bytes, width: int) -> Iterator[bytes]:
    """Yield `width` entries, each after its length in two bytes. Raise Wrong if there are more or fewer bytes."""
    end = 0
    for _ in range(width):
        start = end + 2
        end = start + int.from_bytes(data[end:start])
        if not start < end <= len(data):
            raise Wrong("an entry of the log is cut off")
        yield data[start:end]
    if end < len(data):
        raise Wrong("more comes with the log than its entries")


def entry_of(text: bytes) -> Data:
    """Return the entry. Raise Wrong unless it is canonical JSON, which has one reading and no field twice."""
    entry: Data = json.loads(text)
    canonical = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str) or canonical.encode() != text:
        raise Wrong("an entry of the log cannot be read in one way only")
    return entry


def tile_path(index: int) -> str:
    """Return a number in groups of three digits, all but the last after an x."""
    *first, last = re.findall("...", f"{index:0{-(-len(str(index)) // 3) * 3}}")
    return "".join([*(f"x{part}/" for part in first), last])


def named_keys(entries: Sequence[Data]) -> Iterator[tuple[int, Key, bool]]:
    """Yield the keys. Raise Wrong if a claim that the previous key agreed is false, or a replaced key returns."""
    before: dict[Key, int] = {}
    last: Key | None = None
    for index, entry in enumerate(entries):
        if entry["kind"] == "key":
            key = key_of(entry["key"], (PLAIN,))
            if key in before:
                raise Wrong(f"entry {index} of the log brings back a key that was replaced")
            if len(before) == KEYS:
                raise Wrong(f"the log names more than {KEYS} keys")
            yield index, key, last is None or agrees(entry, last, key, index)
            before[key], last = index, key


def agrees(entry: Data, before: Key, key: Key, index: int) -> bool:
    if "before" not in entry:
        return False
    text = f"deniable/log-key/v1\n{before.name}\n{key}\n"
    if key_of(entry["before"]) != before or not is_signature(before.public, text.encode(), decoded(entry["signature"])):
        raise Wrong(f"entry {index} of the log says that the key before agreed, which it did not")
    return True


def check_survey(log: Log, slug: str, digest: str, manifest: str) -> int:
    """Return the number of the survey's entry."""
    served = [entry["manifest"] for entry in log.entries if entry["kind"] == "software"]
    if not served or served[-1] != manifest:
        why = "it is being updated, or was set back" if manifest in served else "it has never named this one"
        raise Wrong(f"the log's newest manifest is another one than the site serves: {why}")
    own = log.of("survey", hashlib.sha256(slug.encode()).hexdigest())
    if {entry["definition"] for _, entry in own} != {digest}:
        raise Wrong("the log has another definition of this survey, or none")
    return own[0][0]


def check_inclusion(site: Site, log: Log, index: int) -> None:
    size, root = log.checkpoint.size, log.checkpoint.root
    if not is_included(index, size, log.leaves[index], proof(site, f"inclusion/{index}/{size}"), root):
        raise Wrong(f"the proof that entry {index} is in the log is wrong")


def proof(site: Site, path: str) -> list[bytes]:
    lines = site.get(f"{LOG}/{path}").decode().splitlines()
    if len(lines) > PROOF or not all(re.fullmatch("[0-9a-f]{64}", line) for line in lines):
        raise Wrong("a proof is no list of hashes")
    return [bytes.fromhex(line) for line in lines]


# Releases -------------------------------------------------------------------------------------------------------------


def check_releases(site: Site, log: Log, slug: str, number: int) -> Iterator[Finding]:
    """Check that the log has every release up to this one, and that none has fewer reports than the one before."""
    n = 0
    for each in range(1, number + 1):
        own = [found for found in log.of("release", hash_of(slug)) if found[1]["number"] == each]
        try:
            entry, nonce, digest, reports = site.get(f"/r/{slug}/{each}/log").decode().split("\n")[:4]
        except Missing:
            raise Wrong(no_release(each, number, bool(own))) from None
        if int(reports) < n:
            raise Wrong(f"release {each} has fewer reports than the one before")
        n = int(reports)
        if not entry and not own:
            yield unchecked(f"Release {each}: it is entered into the log when its day is over.")
        elif [found["commitment"] for _, found in own] != [hash_of(f"{nonce}:{digest}")]:
            raise Wrong(f"release {each} is not the one that the log has")
        else:
            check_inclusion(site, log, own[0][0])
            yield right(
                f"Release {each}, of {n} reports, is entry {own[0][0]}; its totals have the digest {digest[:16]}…"
            )
    yield unchecked("Whether a release holds every report that was sent: only the site knows which were.")


def no_release(missing: int, wanted: int, is_entered: bool) -> str:
    """Return why a release cannot be checked, and which ones exist. `missing` is the first one without an answer."""
    if is_entered:
        return f"the log has release {missing} of this survey, and the site does not show it"
    if missing == 1:
        return "the site shows no release: the survey has none yet, or its results are not public"
    return f"the site shows no release {wanted} of this survey: the last is release {missing - 1}"


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# What was seen before -------------------------------------------------------------------------------------------------


@contextmanager
def memory(path: Path) -> Iterator[Data]:
    """Yield the memory, by site, for changes. A lock prevents one run from overwriting a later state of another."""
    lock = path.with_name(path.name + ".lock")
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        raise Wrong(f"another run is at it, or one was killed: {lock}") from None
    try:
        known: Data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        yield known
        draft = path.with_name(path.name + ".new")
        draft.write_text(json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(draft, path)
    finally:
        lock.unlink()


def check_known(site: Site, log: Log, known: Data, log_key: Key | None) -> Iterator[Finding]:
    """Check that the log continues all states seen before, here and at other URLs under its name. Remember it."""
    before = known.get(site.address)
    if before:
        yield right(check_memory(site, log, before))
    for address, each in known.items():
        if address != site.address and checkpoint_of(each["checkpoint"].encode()).origin == log.checkpoint.origin:
            yield right(f"At {address} it was: {check_memory(site, log, each)}")
    if log_key or not before:
        yield first_sight(log, log_key)
    known[site.address] = remembered(log)


def check_memory(site: Site, log: Log, before: Data) -> str:
    """Check that the log continues the one seen before, and that its keys follow the key that signed that one."""
    kept, key = checkpoint_of(before["checkpoint"].encode()), key_of(before["key"])
    check_continuation(site, kept, log.checkpoint)
    since = [(number, agreed) for number, named, agreed in log.keys[position(log, key) + 1 :]]
    for number, agreed in since:
        if not agreed:
            raise Wrong(f"the key was lost: entry {number} names another, which the one before did not agree to")
    return f"The log continues the one of {kept.size} entries that was seen before."


def position(log: Log, key: Key) -> int:
    keys = [named for _, named, _ in log.keys]
    if key not in keys:
        raise Wrong("the log does not name the key that signed it before")
    return keys.index(key)


def check_continuation(site: Site, kept: Checkpoint, now: Checkpoint) -> None:
    if kept.origin != now.origin:
        raise Wrong(f"the log is another one: {now.origin}, and was {kept.origin}")
    if kept.size > now.size:
        raise Wrong(f"the log has {now.size} entries, and had {kept.size} before")
    hashes = proof(site, f"consistency/{kept.size}/{now.size}") if kept.size < now.size else []
    if not is_continued(kept.size, now.size, kept.root, now.root, hashes):
        raise Wrong(f"the log is another one than that of {kept.size} entries that was seen before")


def remembered(log: Log) -> Data:
    note = log.checkpoint.note
    key = log.keys[-1][1]
    return {"key": str(key), "checkpoint": f"{note.text}\n" + "".join(map(key.line, note.values(key)))}


# Witnesses ------------------------------------------------------------------------------------------------------------


def policy_of(site: Site) -> list[list[str]]:
    return [line.split(" ") for line in site.get(f"{LOG}/policy", tries=4).decode().splitlines()]


def check_quorum(site: Site, log: Log, index: int, trusted: Sequence[Key], quorum: int) -> Finding:
    """Check that enough of the trusted witnesses have signed a tree that begins this log, or raise Wrong."""
    sizes = {words[1]: int(words[2]) for words in policy_of(site) if words[0] == "witness"}
    signed = sorted((signed_size(site, log, key, sizes.get(str(key), 0)) for key in trusted), reverse=True)
    if signed[quorum - 1] == (0, 0):
        count = sum(size > 0 for size, _ in signed)
        raise Wrong(f"{count} of the witnesses that you trust have signed this log, and {quorum} should have")
    size, moment = min(signed[:quorum])
    day = time.strftime("%Y-%m-%d", time.gmtime(moment))
    if index >= size:
        return unchecked(
            f"Whether witnesses saw the survey's entry: {quorum} signed {size} entries, the last on {day}."
        )
    return right(f"{quorum} of the witnesses that you trust have signed a tree with the survey, the last on {day}.")


def signed_size(site: Site, log: Log, witness: Key, size: int) -> tuple[int, int]:
    """Return the number of entries that the witness signed last, and when; zeros if it did not sign."""
    if not 0 < size <= log.checkpoint.size:
        return 0, 0
    checkpoint = checkpoint_of(site.get(f"{LOG}/checkpoint/{size}", tries=4))
    moment = checkpoint.note.cosigned_by(witness)
    if checkpoint.size != size or checkpoint.root != tree_root(log.leaves[:size]):
        raise Wrong(f"the checkpoint of {size} entries that {witness.name} signed is of another log")
    return (size, moment) if moment else (0, 0)


def witness(site: Site, name: str, key_file: Path, path: Path, log_key: Key | None = None) -> Iterator[Finding]:
    """Check that the log continues the one seen before, remember it, and only then sign it and send the signature."""
    seed = witness_seed(name, key_file)
    key = Key(name, COSIGNATURE, public_of(seed))
    log = read_log(site)
    with memory(path) as known:
        yield from check_known(site, log, known, log_key)
    moment = int(time.time())
    line = key.line(moment.to_bytes(8) + sign(seed, cosigned(log.checkpoint.note.text, moment)))
    note = remembered(log)["checkpoint"] + line
    if not site.offline:
        fetch(f"{site.address}{LOG}/cosignatures", body=note.encode())
    yield right(f"Signed its {log.checkpoint.size} entries as {key}")
    yield Finding("", line.rstrip())
    if not site.offline and ["witness", str(key)] not in [words[:2] for words in policy_of(site)]:
        yield unchecked(
            "Whether others see this signature: the site does not name this witness, and keeps nothing of it."
        )


def first_sight(log: Log, log_key: Key | None) -> Finding:
    if log_key is None:
        return unchecked(f"Whether {log.keys[-1][1]} is the log's own key: none was given, and none seen before.")
    if log_key != log.keys[-1][1]:
        raise Wrong(f"the log is signed by {log.keys[-1][1]}")
    return right("The log is signed by the key that was given.")


def witness_seed(name: str, path: Path) -> bytes:
    """Return the 32 secret bytes in the file. Create the file if it is missing."""
    if not path.exists():
        seed = secrets.token_bytes(32)
        public = Key(name, PLAIN, public_of(seed))
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(f"PRIVATE+KEY+{name}+{public.id.hex()}+{base64.b64encode(bytes([PLAIN]) + seed).decode()}\n")
    text = path.read_text(encoding="utf-8").strip().removeprefix("PRIVATE+KEY+")
    if text.partition("+")[0] != name:
        raise Wrong(f"the key in {path} is {text.partition('+')[0]}'s")
    return decoded(text.split("+", 2)[2])[1:]


# All of it ------------------------------------------------------------------------------------------------------------


class Request(NamedTuple):
    """The inputs of a check: earlier knowledge, and the subject."""

    published: bytes | None = None
    kept: Path | None = None
    log_key: Key | None = None
    trusted: Sequence[Key] = ()
    quorum: int = 1
    release: int = 0
    save: Path | None = None
    offline: Path | None = None


def verify(url: str, given: Request = Request()) -> Iterator[Finding]:  # noqa: B008 (it cannot be changed)
    """Yield the findings, sentence by sentence. Raise Wrong at the first error."""
    site, slug = Site(url, given.save, given.offline), slug_of(url)
    served = site.get("/check/manifest.json")
    if given.published is not None and given.published != served:
        question = f"is your source of the commit that {site.address}/check/ names?"
        raise Wrong(f"the site's manifest is not the published one; {question}")
    (document, files), name = manifest_of(served), hashlib.sha384(served).hexdigest()
    whose = "published" if given.published else "site's own"
    if given.published:
        yield right(f"The manifest is the published one: {name[:16]}…")
    else:
        yield unchecked(f"Whether the site's manifest is the published one: none was given. Its own: {name[:16]}…")
    data = site.get("/respond/definition", link=slug)
    definition, digest = json.loads(data), hashlib.sha256(data).hexdigest()
    check_files(site, document)
    if given.offline:
        yield unchecked(
            f"Whether another client is given the same: nothing was asked of the site. The definition is {digest[:16]}…"
        )
    else:
        yield right(f"Two clients were given the same page, and the same definition: {digest[:16]}…")
    yield right(f"The page is that of the {whose} manifest, byte for byte.")
    yield right(f"All {check_files(site, files)} files of the {whose} manifest are served as it says.")
    yield right(f"The tables of all {check_tables(definition)} questions keep their alpha.")
    if shown := [definition[name] for name in ("completion_code", "return_link") if name in definition]:
        yield right(f"All respondents see the same after sending, as the definition says: {completion(shown)}.")
    if "frame_hosts" in definition:
        yield right(f"In a frame the page asks only within pages of {origins(definition['frame_hosts'])}.")
    if "accent" in definition:
        yield right(f"All respondents see the page in the same colour: {colours(definition['accent'])}.")
    if "pictures" in definition:
        yield right(
            f"All respondents see the same {pictures(definition['pictures'])} pictures, which no page requests."
        )
    yield from verify_log(site, slug, digest, name, given)
    yield unchecked("Whether your browser was given what this program was: compare the digests that the page names.")


def completion(texts: list[Any]) -> str:
    """Return the completion code and the link back. Both are constant texts without placeholders."""
    if not all(isinstance(text, str) and re.fullmatch(r"[-.:\w/?=&]{1,600}", text, re.ASCII) for text in texts):
        raise Wrong("what is shown after sending is not the code or the link that a page may show")
    return " and ".join(texts)


def origins(named: Any) -> str:
    """Return the origins of the pages that may embed the survey, each in full, without patterns."""
    origin = r"(https://[-.a-z0-9]+|http://(localhost|127\.0\.0\.1))(:[1-9][0-9]*)?"
    if not (
        isinstance(named, list)
        and named
        and all(isinstance(each, str) and re.fullmatch(origin, each) for each in named)
    ):
        raise Wrong("the pages that may hold it are not named as a page may have them")
    return " and ".join(named)


def colours(accent: Any) -> str:
    """Return the colours of the light and the dark page, after checking that they are only colours."""
    both = accent if isinstance(accent, dict) and accent.keys() == {"light", "dark"} else {"light": None}
    if not all(isinstance(each, str) and re.fullmatch("#[0-9a-f]{6}", each) for each in both.values()):
        raise Wrong("the accent is not the two colours that a page may show")
    return f"{both['light']} and {both['dark']}"


WEBP = r"UklGR[A-Za-z0-9+/]+={0,2}"


def pictures(shown: Any) -> int:
    """Return the number of pictures. The definition itself contains all of them."""
    if not isinstance(shown, dict) or not shown.keys() <= {"logo", "options", "questions"}:
        raise Wrong("the pictures are none that a page may show")
    listed = [each for every in shown.get("options", {}).values() for each in every if each is not None]
    listed += [*shown.get("questions", {}).values(), *([shown["logo"]] if "logo" in shown else [])]
    if not all(isinstance(each, dict) and re.fullmatch(WEBP, str(each.get("data"))) for each in listed):
        raise Wrong("a picture is none that a page may show")
    return len(listed)


def slug_of(url: str) -> str:
    """Return the slug in a survey's link, either in the fragment or in the path."""
    given = urlsplit(url)
    slug = given.fragment.split("/")[0] or given.path.strip("/").split("/")[-1]
    if slug in ("", "s"):
        raise Wrong(f"{url} is no survey's link, which has more after the #")
    return slug


def verify_log(site: Site, slug: str, digest: str, manifest: str, given: Request) -> Iterator[Finding]:
    log = read_log(site)
    size, root = log.checkpoint.size, log.checkpoint.root.hex()
    index = check_survey(log, slug, digest, manifest)
    check_inclusion(site, log, index)
    yield right(f"The log has {size} entries, and its own key signed their root {root[:16]}…")
    yield right(f"This survey is entry {index}, with this definition and no other.")
    if given.kept is None:
        yield unchecked("Whether you are shown the log that others are shown: keep it with --remember.")
        yield first_sight(log, given.log_key)
    else:
        with memory(given.kept) as known:
            yield from check_known(site, log, known, given.log_key)
    if given.trusted:
        yield check_quorum(site, log, index, given.trusted, given.quorum)
    else:
        named = sum(words[0] == "witness" for words in policy_of(site))
        yield unchecked(f"Whether witnesses saw this log: the site names {named}; say whom you trust with --trust.")
    if given.release:
        yield from check_releases(site, log, slug, given.release)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="a survey's link: https://example.org/s/#SLUG")
    parser.add_argument(
        "--manifest", type=Path, help="the published manifest, from surveys/transparency/check/manifest_file.py"
    )
    parser.add_argument("--remember", type=Path, help="a file that keeps the log's checkpoint for the next run")
    parser.add_argument("--log-key", type=log_key, help="the key that must sign the log")
    parser.add_argument(
        "--trust", type=witness_key, action="append", default=[], help="the key of a witness; more than once"
    )
    parser.add_argument("--quorum", type=int, help="how many of these must have signed (default: all)")
    parser.add_argument("--release", type=int, default=0, help="the number of a release of the survey")
    parser.add_argument("--save", type=Path, help="a folder for all fetched files")
    parser.add_argument("--offline", type=Path, help="check the files in such a folder instead of the site")
    parser.add_argument("--witness", metavar="NAME", help="be a witness of the site's log under this name")
    parser.add_argument("--key", type=Path, help="the file of the witness's key; the first run makes it")
    given = parser.parse_args(arguments)
    if not re.match("https?://[^/]", given.url):
        parser.error("the link begins with https://")
    if given.manifest and not given.manifest.is_file():
        parser.error(f"there is no file {given.manifest}")
    if given.witness and not (given.key and given.remember):
        parser.error("--witness needs --key and --remember")
    if len({key.public for key in given.trust}) < len(given.trust):
        parser.error("--trust names a key twice: one witness is one, under whatever names")
    if given.quorum is not None and not 1 <= given.quorum <= len(given.trust):
        parser.error("--quorum is at least 1, and at most the number of --trust")
    return report(findings(given))


def log_key(text: str) -> Key:
    return given_key(text, PLAIN)


def witness_key(text: str) -> Key:
    return given_key(text, COSIGNATURE)


def given_key(text: str, kind: int) -> Key:
    try:
        return key_of(text, (kind,))
    except (Wrong, ValueError):
        whose = "a witness" if kind == COSIGNATURE else "a log"
        shown = f"{text[:60]} is not the verifier key of {whose}: name+number+letters"
        raise argparse.ArgumentTypeError(shown) from None


def findings(given: argparse.Namespace) -> Iterator[Finding]:
    if given.witness:
        site = Site(given.url, given.save, given.offline)
        return witness(site, given.witness, given.key, given.remember, given.log_key)
    published, quorum = given.manifest and given.manifest.read_bytes(), given.quorum or len(given.trust)
    more = (given.trust, quorum, given.release, given.save, given.offline)
    return verify(given.url, Request(published, given.remember, given.log_key, *more))


def report(each: Iterator[Finding]) -> int:
    """Write the findings. Return the exit status: 0 if nothing was wrong and everything was written."""
    try:
        return write_findings(each)
    except BrokenPipeError:  # the reader is gone; Python must not write there at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def write_findings(each: Iterator[Finding]) -> int:
    """Write the findings, one line each, and an error as one line. Return the exit status."""
    try:
        for finding in each:
            print(line_of(finding), flush=True)
    except BrokenPipeError:
        raise
    except Exception as error:
        print(line_of(Finding("WRONG", reason_of(error))), flush=True)
        return 1
    return 0


def reason_of(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"a file on this machine cannot be used: {error}"
    return str(error) if isinstance(error, Wrong) else f"an answer cannot be read ({error!r})"[:300]


def line_of(finding: Finding) -> str:
    """Return the line of a finding, without characters that control a terminal or start a new line."""
    mark = f"{finding.mark:<13}" if finding.mark else ""
    return mark + "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in finding.text)


if __name__ == "__main__":
    sys.exit(main())
