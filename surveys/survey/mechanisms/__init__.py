"""The mechanisms. Each has a module for all that the site says about it. Only ldp.mechanisms lists them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from ldp import mechanisms
from ldp.exact import RESOLUTION
from ldp.question import Drawn
from surveys.figures import numerals
from surveys.survey.mechanisms.protocol import Mechanism

MECHANISMS: dict[str, Mechanism] = {
    name: import_module(f"surveys.survey.mechanisms.{name}").MECHANISM for name in mechanisms.MECHANISMS
}


def of(question: Mapping[str, Any]) -> Mechanism:
    """Return the mechanism of a question with its draw, or of a result."""
    return MECHANISMS[question["mechanism"]]


def keep(table: Mapping[str, Any]) -> float:
    """Return the chance that the true answers are among the sent ones, from a table with `keep`."""
    return float(table["keep"] / RESOLUTION)


def sent(question: Drawn, sample: str) -> str:
    """Return a sentence on what each browser sent. `sample` states how many of how many elements it drew; "" if the
    report is about all."""
    table = question["table"]
    size = table["sizes"][0] if "sizes" in table else table.get("size", 1)
    text = str(of(question).sent)
    chance = numerals.chance_percent(keep(table)) if "keep" in table else ""
    return text.format(sample=sample, keep=chance, listed=size, options=len(question.get("options", ())))
