"""Writes docs/developers/data-flow.md: a small survey with its real bytes at every step. `make docs` runs it.

The shipped code computes everything shown. Only the random words are fixed, so that the page stays the same.
"""

import hashlib
import json
import random
import textwrap
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ldp.exact import RESOLUTION
from ldp.forms import report
from ldp.mechanisms import of
from ldp.privatize import make_report
from ldp.results import results
from ldp.tally import Batch
from surveys.survey import definition as definitions
from surveys.survey.definition.layout import Layout
from tests.documents import form_flow, invitation_flow
from worker import blocks

PATH = Path(__file__).parents[2] / "docs" / "developers" / "data-flow.md"

DRAFT: dict[str, Any] = {
    "title": "Two questions",
    "questions": [
        {"key": "shoplifted", "kind": "yes_no", "text": "Have you ever shoplifted?", "alpha": "1"},
        {"key": "drinks", "kind": "histogram", "text": "How many drinks a week?", "unit": "drinks"}
        | {"edges": ["0", "1", "8", "30"], "alpha": "1", "mechanism": "laplace"},
    ],
}
ANSWERS = {"shoplifted": 0, "drinks": 2}
PEOPLE = 1000


def page() -> str:
    definition = definitions.build(DRAFT)
    digest = definitions.digest(definition)
    layout = Layout(definition)
    words = random.Random(1).getrandbits
    used: list[int] = []

    def record() -> int:
        used.append(words(32))
        return used[-1]

    body = make_report(definition, digest, ANSWERS, record)
    sent = json.loads(body)
    packed = layout.pack(sent["answers"])
    return _TEXT.format(
        draft=_code(json.dumps(DRAFT, indent=2), "json"),
        canonical=_code(_wrap(definitions.canonical(definition).decode()), "json"),
        digest=_code(digest),
        answers=_code(json.dumps(ANSWERS)),
        words=_code(" ".join(f"{word:08x}" for word in used[:8]) + f" …   ({len(used)} in all)"),
        draw=_draw(definition["draws"][0], used[4:8], sent["answers"]["shoplifted"]),
        body=_code(_wrap(body), "json"),
        length=len(body),
        layout=_code("\n".join(f"bits {f.start:>2} to {f.start + f.width - 1:>2}  {f.key}" for f in layout.fields)),
        packed=_code(packed.hex(" ")),
        bits=_code(_bits(packed, layout)),
        bytes=layout.bytes,
        row=_code(f"survey  1\nid      {sent['report_id']}\npacked  {packed.hex()}"),
        taken=_code(f"survey  1\nid      {sent['report_id']}"),
        forms=form_flow.page(_code, _wrap),
        invitations=invitation_flow.page(_code, _wrap),
        **_tally(definition, digest, layout),
    )


def _tally(definition: dict[str, Any], digest: str, layout: Layout) -> dict[str, str]:
    """Return the texts about a thousand people, 300 of whom answer yes: their counts and estimates."""
    chance = random.Random(2)
    bodies = [
        make_report(definition, digest, {"shoplifted": int(i >= 300), "drinks": i % 3}, lambda: chance.getrandbits(32))
        for i in range(PEOPLE)
    ]
    packed = b"".join(layout.pack(json.loads(body)["answers"]) for body in bodies)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(PEOPLE, layout.bytes)
    batch, block = Batch(rows), blocks.encode(blocks.shuffled(rows, chance.randbytes))
    tally = {f.key: f.part.tally(batch.field(f.start, f.width)) for f in layout.fields}
    question = report.alone(definition)[0]
    [summary] = results(question, tally["shoplifted"], PEOPLE, 0.95)
    moments = of(question).moments()["support"]
    yes = tally["shoplifted"]["support"][0]
    category = summary["methods"][0]["categories"][0]
    low, high = category["population"]["interval"]
    counted = {"n": PEOPLE, "totals": tally}
    totals_digest = hashlib.sha256(definitions.canonical(counted)).hexdigest()
    return {
        "people": f"{PEOPLE:,}",
        "size": f"{len(block):,}",
        "block": _code(_wrap(block[: 4 + 4 * layout.bytes + 32].hex(" ", 4) + " …")),
        "tally": _code(json.dumps(counted), "json"),
        "release": _code(
            f"survey  1\nnumber  1\nday     2030-01-31\nfinal   true\nn       {PEOPLE}\ntotals  (as above)\n"
            f"digest  {totals_digest}"
        ),
        "debias": _code(
            f"p = {float(moments.a):.6f}   q = {float(moments.b):.6f}\n"
            f"({yes}/{PEOPLE} - q) / (p - q) = {category['estimate']:.4f}\n"
            f"95% interval for the population: {low:.4f} to {high:.4f}"
        ),
        "document": _code(json.dumps(category, indent=1), "json"),
    }


def _draw(draw: dict[str, Any], words: list[int], reported: list[int]) -> str:
    u, v = ((high & 0x1FFFFF) << 32 | low for high, low in (words[:2], words[2:]))
    t, kept = draw["table"]["keep"], u < draw["table"]["keep"]
    lines = [
        f"u = (0x{words[0]:08x} & 0x1fffff) * 2^32 + 0x{words[1]:08x} = {u}",
        f"t = {t}, that is a chance of {float(Fraction(t, RESOLUTION)):.6f} that the answer is kept",
        f"u {'<' if kept else '>='} t, so it {'is' if kept else 'is not'}",
        f"v = {v} from the next two words, v mod 2 = {v % 2}: the step {v % 2}"
        + (", which turns to 0 since the answer is kept" if kept and v % 2 else ""),
        f"the list [(0 + {0 if kept else v % 2}) mod 2] is reported: {reported}",
    ]
    return _code("\n".join(lines))


def _bits(packed: bytes, layout: Layout) -> str:
    bits = "".join(f"{byte:08b}" for byte in packed)
    fields = [bits[f.start : f.start + f.width] for f in layout.fields]
    return " | ".join([*fields, bits[layout.bits :] + " (filling)"])


def _code(text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```"


def _wrap(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 110, break_on_hyphens=False))


_TEXT = """\
# The journey of an answer, with its bytes

One small survey from draft to estimate, computed by the shipped code with `make docs`; lines of
JSON are broken for reading.

## 1. The designer's draft

{draft}

## 2. The definition (`surveys/survey/definition/`)

Opening the survey adds what was left out: options, and the draws that randomize the answers, each with its mechanism
and the integer table of its channel. These are the canonical bytes (sorted keys, no spaces, UTF-8), served to the page
at `GET /respond/definition`, with a header that names the survey, and to programs at `GET
/api/v1/surveys/<slug>/definition`:

{canonical}

Their SHA-256 is the digest, which every report carries:

{digest}

`keep` and `flip` are thresholds out of 2^53, the largest and the smallest integers for which the page can prove, in
whole numbers, that no report is more than e^alpha times likelier for one answer than for another (`certificate.js`).
`sizes` says that a report lists one option.

## 3. The answer, in the browser only

The person answers *Yes* and *12 drinks*, which is option 0 of the first question and bin 2 of the second:

{answers}

## 4. Random words (`generator.js`, `uniform.js`)

32-bit words from `crypto.getRandomValues`; others are only looked at, for repetitions. Four of those used make the
report's id, a version 4 UUID (its version and variant bits are set), then two make each uniform integer in 0..2^53-1:

{words}

## 5. The draw (`mechanisms.js`)

For the first question one uniform integer decides whether the answer is kept, another one what is listed otherwise:

{draw}

For each bin of the second question one integer decides a flip and six more the digits of a magnitude.

## 6. The report (`privatize.js`)

This is all that leaves the browser, {length} bytes, drawn once and sent again unchanged if the network fails:

{body}

It is sent as `POST /respond/reports` with `Content-Type: application/json`, a header that names the survey, and nothing
that identifies anyone (programs send it to `/api/v1/surveys/<slug>/reports`). The answer is `201` after the commit,
`200` if a report with this id had arrived before; after `429` or `503` the same bytes are sent again later.

Where the survey is by invitation, `invitation.js` asks for a signature first, as `POST /respond/signature` with the
invitation's token and the blinded message: the report's id and the digest, encoded and multiplied by a random number,
256 bytes in base64url. The reply is divided by that number and becomes the report's last field, `signature`
([protection.md](protection.md#invitations)).

## 7. What is stored (`surveys/survey/definition/layout.py`, `surveys/respondent/intake/storage.py`)

The report is checked against the definition and packed; each question has its place:

{layout}

{bits}

{bytes} bytes, and this is the whole row, without IP address, browser, account, time or serial number:

{row}

## 8. The batch (`worker/batches.py`, `worker/blocks.py`)

The report waits until at least a hundred do, or the survey ends. Then one transaction takes them all: their scores are
added to the tally, their bytes go into a block in random order, and of each row only survey and id stay, by which a
retry is recognized:

{taken}

The block of {people} reports begins with the number of columns of bytes, the coded length of each, and
the first column, one byte of every report in random order ({size} bytes in all):

{block}

After {people} reports the tally is all that the estimates need; for the Laplace question `threshold` counts values of
at least 1 and `sum` adds them:

{tally}

## 9. The estimate (`ldp/inference/estimates.py`, `ldp/inference/intervals.py`)

A known share of the *Yes* reports is noise, so it is taken away again. 300 of these {people} people answered yes:

{debias}

## 10. The release (`worker/releases.py`)

Results come in releases, each of at least a hundred reports and
a twentieth more than the one before; the last hundred taken are held back for the next. A release is a numbered row
that never changes, with a day, n, the totals and their digest:

{release}

## 11. The published numbers

At `GET /api/v1/surveys/<slug>/estimates`, for each option and for both targets:

{document}

{forms}{invitations}"""

if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
