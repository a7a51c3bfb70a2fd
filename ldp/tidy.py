"""A release's document as a table: one row for each estimate, target and confidence."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ldp.document import Document, Header
from ldp.inference.estimates import TARGETS
from ldp.question import asked_in

Row = dict[str, Any]  # one line of a table, by column

SURVEY = ("survey", "title", "digest", "release", "date", "final", "n", "totals_digest", "software")
QUESTION = (
    "question", "text", "kind", "quantity", "unit", "scale_low", "scale_high",
    "alpha", "realized_alpha", "delta", "realized_delta", "mechanism",
)  # fmt: skip
# Surveys with forms only: the forms that ask the question, from 0, separated by spaces (None: everyone is asked), and
# whether the same draw randomized other answers.
FORM = ("form", "joint")
ESTIMATE = ("method", "default_method", "option", "n_about", "score", "estimate", "effective_n")
PRECISION = (
    "target", "standard_error", "confidence", "interval_low", "interval_high",
    "together", "simultaneous_low", "simultaneous_high", "interval_method", "guarantee",
)  # fmt: skip
WORTH = ("risk", "efficiency", "effective_n")
PLACES = ("at_equal_shares", "at_estimate")
_NUMBERS = (
    *ESTIMATE, *PRECISION,
    "risk_bound", *(f"{name}_{place}" for place in PLACES for name in WORTH), "informative_n",
    "survey_efficiency",
)  # fmt: skip
# Results by group only: the row's group, None for all groups together.
GROUP = ("group",)
COLUMNS = (*SURVEY, *QUESTION, *_NUMBERS)


def release_row(header: Header) -> Row:
    """Return the columns about the release, which every row of its tables has."""
    names = ("survey", "release", "date", "totals_digest", "n")
    return {name: header[name] for name in names}  # type: ignore[literal-required]


def ends(name: str, pair: Iterable[float | None]) -> Row:
    """Return an interval's two columns."""
    return dict(zip((f"{name}_low", f"{name}_high"), pair, strict=True))


def columns(document: Mapping[str, object]) -> tuple[str, ...]:
    more = FORM if "forms" in document else GROUP if "groups" in document else ()
    return (*SURVEY, *QUESTION, *more, *_NUMBERS)


def rows(document: Document) -> Iterator[Row]:
    """Yield the rows in the document's order: dictionaries with its `columns` as keys; a missing number is None.

    An estimate has a row for each target and confidence. Before you sum or average over rows, keep one target, one
    confidence and only rows with default_method, because other methods use the same reports.
    """
    survey: Row = {name: document[name] for name in SURVEY}  # type: ignore[literal-required]
    efficiency = document.get("efficiency")
    survey["survey_efficiency"] = efficiency and efficiency["value"]
    for question in (*document["questions"], *document.get("by_group", ())):
        about = survey | _question(dict(question))
        for place, method in enumerate(question["methods"]):
            by = {"method": method["method"], "default_method": place == 0} | _worth(dict(method))
            for category in method["categories"]:
                numbers = {name: category[name] for name in ("option", "score", "estimate", "effective_n")}
                numbers["n_about"] = category.get("n_about", question["n_about"])
                for row in _precisions(dict(category), document["confidence"]):
                    both = about | by | numbers | row
                    yield {name: both[name] for name in columns(document)}


def _question(result: Row) -> Row:
    names = ("text", "kind", "realized_alpha", "mechanism", "together", "risk_bound", "informative_n")
    about = {name: result[name] for name in names}
    about |= {name: result.get(name) for name in ("delta", "realized_delta", "group")}
    about |= {"alpha": alpha_of(result), "form": form_of(result)}
    mean = result["kind"] == "mean"
    quantity = "mean" if mean else "share"
    return about | {
        "question": result["key"],
        "joint": bool(result.get("joint")),
        "quantity": f"{quantity}_asked_or_not" if "asked_if" in result else quantity,
        "unit": result["unit"] if mean else None,
        "scale_low": float(result["low"]) if mean else 0.0,
        "scale_high": float(result["high"]) if mean else 1.0,
    }


def alpha_of(result: Mapping[str, Any]) -> str:
    """Return a question's alpha. If forms randomize it differently, return the alphas of all, separated by spaces."""
    return str(result["alpha"]) if "alpha" in result else " ".join(each["alpha"] for each in result["asked"])


def form_of(result: Mapping[str, Any]) -> str | None:
    """Return the forms that ask the question, separated by spaces; None if everyone is asked."""
    forms = asked_in(result)
    return None if forms is None else " ".join(map(str, forms))


def _worth(method: Row) -> Row:
    return {f"{name}_{place}": method[place][name] for place in PLACES for name in WORTH}


def _precisions(category: Row, confidence: float) -> Iterator[Row]:
    for target in TARGETS:
        about = category[target]
        names = ("standard_error", "interval_method", "guarantee")
        same = {"target": target} | {name: about[name] for name in names}
        own = {name: about[name] for name in ("interval", "simultaneous")} | {"confidence": confidence}
        for level in sorted([own, *about.get("levels", [])], key=lambda level: level["confidence"]):
            row = same | {"confidence": level["confidence"]}
            yield row | ends("interval", level["interval"]) | ends("simultaneous", level["simultaneous"])
