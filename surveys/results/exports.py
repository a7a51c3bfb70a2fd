"""Downloads of an estimate's document, as text. Nothing here touches the database or a clock."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterator

TARGETS = ("population", "respondents")
SURVEY = ("survey", "title", "digest", "confidence", "software", "release", "date", "final", "totals_digest")
ASKED = ("text", "kind", "alpha", "realised_alpha", "mechanism", "bound")
PROMISED = ("delta", "realised_delta")  # of an (alpha, delta)-private mechanism, empty for the others
COLUMNS = (
    *SURVEY[:3], "n", *SURVEY[3:],
    "question", "text", "kind", "option", "alpha", "realised_alpha", "mechanism", "method",
    "interval_method", "target",
    "estimate", "standard_error", "interval_low", "interval_high", "simultaneous_low", "simultaneous_high",
    "score", "bound", "efficiency", "effective_n",
    *PROMISED, "quantity", "unit", "scale_low", "scale_high", "reports",
)  # fmt: skip

# What a spreadsheet may take for a formula begins with one of these, in any width or position (compatibility forms).
OPERATORS = ("=", "+", "-", "@")
# Fillers and blanks that are letters and symbols to Unicode.
UNSEEN = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"


def neutral(cell):
    """Text that a spreadsheet will show and never run; anything that is not text is returned as it is.

    Some programs trim what cannot be seen, so the first character that can be seen decides. A leading control
    character or line break may split the cell.
    """
    if not isinstance(cell, str):
        return cell
    splits = unicodedata.category(cell[:1] or "x") in ("Cc", "Zl", "Zp")
    first = next(filter(_is_seen, cell), "")
    if splits or unicodedata.normalize("NFKC", first).startswith(OPERATORS):
        return "'" + cell
    return cell


def _is_seen(character: str) -> bool:
    """False for all marks, separators, controls, formats and characters that Unicode does not know (yet)."""
    return unicodedata.category(character)[0] not in "MZC" and character not in UNSEEN


def json_text(document: dict) -> str:
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def csv_text(document: dict) -> str:
    """One row per question, method, option and target (RFC 4180). Numbers read back exactly.

    n is the number of reports that the row's estimate is based on, `reports` that of the whole survey. Where quantity
    is "share", estimates are fractions of 1; where it is "mean", they are numbers in the unit, from scale_low to
    scale_high. What does not exist for a row is empty.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows(document):
        writer.writerow([_cell(row[column]) for column in COLUMNS])
    return out.getvalue()


def rows(document: dict) -> Iterator[dict]:
    """The document laid flat, in its own order, one dictionary with the keys COLUMNS at a time."""
    survey = {name: document[name] for name in SURVEY} | {"reports": document["n"]}
    for question in document["questions"]:
        asked = {name: question[name] for name in ASKED} | {name: question.get(name) for name in PROMISED}
        asked |= {"question": question["key"]} | _scale(question)
        for method in question["methods"]:
            by = {name: method[name] for name in ("method", "interval_method", "efficiency", "effective_n")}
            for category in method["categories"]:
                got = {name: category[name] for name in ("option", "score", "estimate")}
                got["n"] = category.get("n", question["n"])
                for target in TARGETS:
                    yield survey | asked | by | got | {"target": target} | _precision(category[target])


def _scale(question: dict) -> dict:
    """What is estimated, and between which numbers it lies."""
    if question["kind"] != "mean":
        return {"quantity": "share", "unit": "", "scale_low": 0, "scale_high": 1}
    ends = {f"scale_{end}": float(question[end]) for end in ("low", "high")}
    return {"quantity": "mean", "unit": question["unit"]} | ends


def _precision(about: dict) -> dict:
    low, high = about["interval"]
    simultaneous_low, simultaneous_high = about["simultaneous"]
    return {
        "standard_error": about["standard_error"],
        "interval_low": low,
        "interval_high": high,
        "simultaneous_low": simultaneous_low,
        "simultaneous_high": simultaneous_high,
    }


def _cell(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else neutral(value)
