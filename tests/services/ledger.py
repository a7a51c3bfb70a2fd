"""The books of a run: the sent reports, the acknowledged reports, and whether the database agrees.

Reports are compared by content, not by id. Reports in blocks are read from the blocks. Each report of this survey has
at least 60 random bits, so two equal contents are one report that was stored twice.
"""

import json
import struct
import zlib
from collections import Counter
from typing import Any, NamedTuple

from surveys.survey.definition.layout import Layout
from tests.services.system import System

DRAFT: dict[str, Any] = {
    "title": "Under fire",
    "introduction": "",
    "questions": [
        {"key": "yes", "kind": "yes_no", "text": "Yes or no?", "alpha": "1"},
        {"key": "which", "kind": "single_choice", "text": "Which?", "alpha": "1", "mechanism": "bitwise"}
        | {"options": [f"option {k}" for k in range(64)]},
        {"key": "many", "kind": "histogram", "text": "How many?", "unit": "items", "edges": ["0", "1", "5", "9"]}
        | {"mechanism": "laplace", "alpha": "1"},
    ],
}


class Ledger:
    """The sent bodies, the acknowledged bodies (once per acknowledgement), and the reasons why senders gave up.

    Many threads may use it: each change is one operation on a set or list.
    """

    def __init__(self) -> None:
        self.sent: set[str] = set()
        self.acknowledged: list[str] = []
        self.refused: list[str] = []


class Books(NamedTuple):
    """The final figures of ledger and database, in reports. `wrongs` describes each disagreement in words."""

    acknowledged: int
    stored: int  # different reports
    counted: int
    unacknowledged: int  # stored, but no acknowledgement arrived
    lost: int
    doubled: int
    blocks: int
    wrongs: list[str]


def audit(system: System, slug: str, definition: dict[str, Any], ledger: Ledger) -> Books:
    """Compare an ended survey with the ledger."""
    survey = f"(SELECT id FROM surveys_survey WHERE slug = '{slug}')"
    layout = Layout(definition)
    bodies = {layout.pack(json.loads(body)["answers"]): body for body in ledger.sent}
    acknowledged = {layout.pack(json.loads(body)["answers"]) for body in ledger.acknowledged}

    waiting = system.query(f"SELECT packed FROM surveys_report WHERE survey_id = {survey}")
    blocks = system.query(f"SELECT n, columns FROM surveys_block WHERE survey_id = {survey}")
    contents = Counter(bytes(packed) for (packed,) in waiting)
    for n, columns in blocks:
        contents.update(_rows(bytes(columns), n))
    [(ids,)] = system.query(f"SELECT count(*) FROM surveys_reportid WHERE survey_id = {survey}")
    counted, totals = _released(system, survey)

    stored = contents.keys() & bodies.keys()
    lost, doubled = len(acknowledged - stored), contents.total() - len(contents)
    expected = expected_totals(definition, [bodies[packed] for packed in stored])
    complaints = {
        f"{lost} acknowledged reports lost": lost,
        f"{doubled} reports doubled": doubled,
        f"{len(contents.keys() - bodies.keys())} reports stored that nobody sent": contents.keys() - bodies.keys(),
        f"{ids} ids and {len(waiting)} waiting for {contents.total()} contents": ids + len(waiting) != contents.total(),
        f"{counted} counted of {len(stored)} stored": counted != len(stored),
        "the release's totals are not those of the bodies": totals != expected,
        **{f"{len(ledger.refused)} senders gave up: {why}": why for why in ledger.refused[:1]},
    }
    wrongs = [complaint for complaint, wrong in complaints.items() if wrong]
    unacknowledged = len(stored - acknowledged)
    return Books(len(acknowledged), len(stored), counted, unacknowledged, lost, doubled, len(blocks), wrongs)


def _released(system: System, survey: str) -> tuple[int, dict[str, Any]]:
    """Return n and the totals of the final release of an ended survey."""
    rows = system.query(f"SELECT n, tallies FROM surveys_release WHERE survey_id = {survey} AND final")
    if not rows:
        return 0, {}
    n, tallies = rows[0]
    [whole] = json.loads(tallies) if isinstance(tallies, str) else tallies
    return n, whole["totals"]


def expected_totals(definition: dict[str, Any], bodies: list[str]) -> dict[str, Any]:
    """Return the scores, added up from the bodies without the product's code; empty if there are no bodies."""
    answers = [json.loads(body)["answers"] for body in bodies]
    mechanisms = {key: draw["mechanism"] for draw in definition["draws"] for key in draw["questions"]}
    totals: dict[str, Any] = {}
    for question in definition["questions"] if bodies else []:
        key, d = question["key"], len(question["options"])
        given = [answer[key] for answer in answers]
        if mechanisms[key] == "randomized_response":
            totals[key] = {"support": [sum(j in listed for listed in given) for j in range(d)]}
        elif mechanisms[key] == "bitwise":
            totals[key] = {"support": [sum(bits[j] == "1" for bits in given) for j in range(d)]}
        else:
            above = [sum(values[j] >= 1 for values in given) for j in range(d)]
            totals[key] = {"threshold": above, "sum": [sum(values[j] for values in given) for j in range(d)]}
    return totals


def _rows(block: bytes, n: int) -> list[bytes]:
    """Return a block's packed reports, read by the description in worker/blocks.py without its code."""
    (count,) = struct.unpack_from(">I", block)
    lengths = struct.unpack_from(f">{count}I", block, 4)
    columns, start = [], 4 + 4 * count
    for length in lengths:
        columns.append(zlib.decompress(block[start : start + length]))
        start += length
    assert {len(column) for column in columns} == {n}, "a block holds another number of reports than it says"
    return [bytes(row) for row in zip(*columns, strict=True)]
