"""Downloads of an estimate's document, as text. Nothing here touches the database or a clock."""

import csv
import io
import json
import unicodedata
from collections.abc import Iterator
from typing import Any

from surveys import kinds
from surveys.results.glossary import TARGETS

Data = dict[str, Any]

SURVEY = ("survey", "title", "digest", "confidence", "software", "release", "date", "final", "totals_digest")
ASKED = ("text", "kind", "alpha", "realised_alpha", "mechanism", "together", "risk_bound", "informative_n")
PROMISED = ("delta", "realised_delta")  # of an (alpha, delta)-private mechanism, empty for the others
ABOUT = (
    "standard_error", "interval_low", "interval_high", "simultaneous_low", "simultaneous_high",
    "interval_method", "guarantee",
)  # fmt: skip
WORTH = ("risk", "efficiency", "effective_n")
COLUMNS = (
    *SURVEY, "n",
    "question", "text", "kind", "alpha", "realised_alpha", *PROMISED, "mechanism",
    "method", "default_method", "option", "quantity", "unit", "scale_low", "scale_high",
    "n_about", "score", "estimate", "effective_n", "together",
    *(f"{target}_{name}" for target in TARGETS for name in ABOUT),
    "risk_bound", *(f"{name}_at_equal_shares" for name in WORTH), *(f"{name}_at_estimate" for name in WORTH),
    "informative_n",
)  # fmt: skip

# What a spreadsheet may take for a formula begins with one of these, in any width or position (compatibility forms).
OPERATORS = ("=", "+", "-", "@")
# Fillers and blanks that are letters and symbols to Unicode.
UNSEEN = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"


def neutral(cell: Any) -> Any:
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


def json_text(document: Data) -> str:
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def csv_text(document: Data) -> str:
    """One row per question, method and option (RFC 4180). Numbers read back exactly.

    An estimate has two targets, whose intervals answer two questions: they stand side by side, so that no sum or mean
    over rows mixes them. Other methods than the default one repeat the same reports: keep the rows with default_method.
    n is the number of reports of the survey, n_about that of the reports that the row is about. Where quantity is
    "share", estimates are fractions of 1; where it is "mean", they are numbers in the unit, from scale_low to
    scale_high. What does not exist for a row is empty.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows(document):
        writer.writerow([_cell(row[column]) for column in COLUMNS])
    return out.getvalue()


def rows(document: Data) -> Iterator[Data]:
    """The document laid flat, in its own order, one dictionary with the keys COLUMNS at a time."""
    survey = {name: document[name] for name in (*SURVEY, "n")}
    for question in document["questions"]:
        about = {name: question[name] for name in ASKED} | {name: question.get(name) for name in PROMISED}
        about |= {"question": question["key"]} | _scale(question)
        for place, method in enumerate(question["methods"]):
            by = {"method": method["method"], "default_method": place == 0} | _worth(method)
            for category in method["categories"]:
                got = {name: category[name] for name in ("option", "score", "estimate", "effective_n")}
                got["n_about"] = category.get("n_about", question["n_about"])
                yield survey | about | by | got | _precision(category)


def _scale(question: Data) -> Data:
    """What is estimated, and between which numbers it lies."""
    scale = kinds.of(question).scale(question)
    return {"quantity": scale.quantity, "unit": scale.unit, "scale_low": scale.low, "scale_high": scale.high}


def _worth(method: Data) -> Data:
    places = ("at_equal_shares", "at_estimate")
    return {f"{name}_{place}": method[place][name] for place in places for name in WORTH}


def _precision(category: Data) -> Data:
    cells: Data = {}
    for target in TARGETS:
        about = category[target]
        ends = (*about["interval"], *about["simultaneous"])
        values = (about["standard_error"], *ends, about["interval_method"], about["guarantee"])
        cells |= {f"{target}_{name}": value for name, value in zip(ABOUT, values, strict=True)}
    return cells


def _cell(value: object) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else neutral(value)
