"""The draws and forms of a definition (M35, M44). ldp.forms has the rules for frozen ones; the page has the same rules
(lot.js)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from ldp.exact import parse_alpha
from ldp.forms import definition as definitions
from ldp.forms import schema
from ldp.mechanisms import FITTING, MARGINAL, TOGETHER
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Unchecked
from surveys.survey.definition import tables


def form_keys(parts: Unchecked) -> list[list[str]]:
    """Return the keys of each form's questions, without everyone's questions."""
    return [[key for draw in form["draws"] for key in draw["questions"]] for form in parts.get("forms", ())]


def every(data: Unchecked) -> list[Any]:
    """Return all draws of a definition: first everyone's, then each form's."""
    return [*data["draws"], *(draw for form in data.get("forms", ()) for draw in form["draws"])]


def check(data: Unchecked) -> None:
    """Raise Misshapen, or a Python error, unless a page may use the definition's draws and forms. The questions must be
    well-formed. Whether tables satisfy their alphas is checked elsewhere."""
    must(isinstance(data["draws"], list))
    for form in data.get("forms", ()):
        exactly(form, {"weight", "draws"})
        must(isinstance(form["draws"], list))
    by_key = {question["key"]: question for question in data["questions"]}
    for draw in every(data):
        _check_draw(draw, by_key)
    definitions.check(cast(schema.Definition, data))


def _check_draw(draw: Any, by_key: Mapping[str, Unchecked]) -> None:
    exactly(draw, {"alpha", "mechanism", "questions", "table"} | tables.fields(draw["mechanism"]))
    must(isinstance(draw["questions"], list) and draw["questions"])
    own = [by_key[key] for key in draw["questions"]]
    must(parse_alpha(draw["alpha"]) and draw["alpha"] == decimal(Decimal(draw["alpha"])))
    if len(own) == 1:
        must(draw["mechanism"] in FITTING[own[0]["kind"]])
    else:
        must(draw["mechanism"] == TOGETHER and all(question["kind"] in MARGINAL for question in own))
    tables.check(draw, own)
