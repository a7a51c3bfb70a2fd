"""Our column of a form, which makes an exported survey come back unchanged. It has a question's kind, bins, spans, ends
and unit, which no other column has."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from ldp.forms.schema import Draw
from ldp.mechanisms import SIZED
from ldp.question import Question as Defined
from surveys.designer.files import ours
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.translations import Text
from surveys.drafts.normalize import normalized
from surveys.operation.spreadsheet import CELL_MAX
from surveys.rules.draft import Draft, rewrite
from surveys.rules.refusals import DraftRefused
from surveys.rules.unchecked import Built, Unchecked, as_list, as_object
from surveys.survey.definition import refusals
from surveys.survey.definition.document import Definition
from surveys.survey.kinds import entered

OWN = "deniable"
_FIELDS = ("kind", "edges", "dates", "low", "high", "limits", "unit")


def cell(data: object) -> str:
    """Return JSON without character sequences that readers of forms replace."""
    return json.dumps(data).replace("${", "$\\u007b").replace("  ", " \\u0020")


def written(question: Defined) -> str:
    """Return the cell of a question."""
    fields = {name: question[name] for name in _FIELDS if question.get(name) not in (None, "")}  # type: ignore[literal-required]
    refusing = {"prefer_not_to_say": True} if entered(question) and question["prefer_not_to_say"] else {}
    return cell(fields | refusing)


def of(row: XlsformRow, kinds: Sequence[str]) -> Built:
    """Return the fields of the row's cell if they fit a question of one of these kinds, else {}."""
    text = row.get(OWN)
    if not isinstance(text, str):
        return {}
    try:
        questions = ours.read(f'{{"questions": [{text}]}}'.encode())["questions"]
    except DraftRefused:
        return {}
    fields = questions[0] if len(questions) == 1 else {}
    is_known = fields.keys() <= {*_FIELDS, "prefer_not_to_say"} and fields.get("kind") in kinds
    return dict(fields) if is_known else {}


def settings(titles: Mapping[str, str], definition: Definition) -> str:
    """Return the cell of a survey: its title in other languages, and draws and forms if a proposal would find others.
    Return "" if neither is there, or it exceeds a cell."""
    stated: Built = {"titles": titles} if titles else {}
    if "forms" in definition or any(len(draw["questions"]) > 1 for draw in definition["draws"]):
        stated["draws"] = [_draft_of(draw) for draw in definition["draws"]]
        stated["forms"] = [
            {"weight": form["weight"], "draws": [_draft_of(draw) for draw in form["draws"]]}
            for form in definition.get("forms", [])
        ]
    text = cell(stated) if stated else ""
    return text if len(text) <= CELL_MAX else ""


def _draft_of(draw: Draw) -> Built:
    """Return a definition's draw in the shape of a draft."""
    made: Built = {"questions": draw["questions"], "alpha": draw["alpha"]}
    if len(draw["questions"]) == 1:
        made |= {"mechanism": draw["mechanism"]} | ({"delta": draw["delta"]} if "delta" in draw else {})
        made |= {"sample": draw["table"]["sample"]} if "sample" in draw["table"] else {}
    if draw["mechanism"] in SIZED:
        made["sizes"] = draw["table"]["sizes"] if "sizes" in draw["table"] else [draw["table"]["size"]]
    return made


def titles(form: XlsformRow) -> dict[str, str]:
    """Return the title in other languages, by tag."""
    texts = as_object(_stated(form).get("titles"))
    return dict(texts) if all(isinstance(text, str) for text in texts.values()) else {}


def put_draws(form: XlsformRow, draft: Draft) -> bool:
    """Set the draws and forms of the exported survey in the draft, in place. Return False and change nothing if they
    are missing or do not match its questions."""
    stated = _stated(form)
    draws, forms = as_list(stated.get("draws")), as_list(stated.get("forms"))
    made = normalized(cast(Draft, {**draft, "draws": draws, "forms": forms}))
    every = [*draws, *(draw for form in map(as_object, forms) for draw in as_list(form.get("draws")))]
    named = {key for draw in map(as_object, every) for key in as_list(draw.get("questions")) if isinstance(key, str)}
    if not every or named != {question["key"] for question in draft["questions"]} or refusals(made):
        return False
    rewrite(draft, made)
    return True


def _stated(form: XlsformRow) -> Unchecked:
    try:
        return as_object(json.loads(str(form.get(OWN, "{}"))))
    except ValueError:
        return {}


def without_unit(hint: Text, unit: str) -> tuple[Text, Text] | None:
    """Return the hint, and the unit from the brackets in its last line, in each language; None if there is no unit."""
    parts = {tag: _parted(text) for tag, text in {"": str(hint), **hint.others}.items()}
    if None in parts.values() or not parts[""] or parts[""][1] != unit:
        return None
    notes, units = ({tag: part[i] for tag, part in parts.items() if part} for i in (0, 1))
    return Text(notes.pop(""), notes), Text(units.pop(""), units)


def _parted(text: str) -> tuple[str, str] | None:
    note, _end, last = text.rpartition("\n")
    return (note, last[1:-1]) if last.startswith("(") and last.endswith(")") else None
