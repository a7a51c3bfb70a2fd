"""What a form says of a question in a column of our own, so that a survey that went out as a form comes back the same:
its kind, and the bins, spans, ends and unit that no other column has."""

import json
from collections.abc import Sequence

from ldp.question import Question as Defined
from surveys.designer.files import ours
from surveys.designer.xlsform.rows import XlsformRow
from surveys.designer.xlsform.translations import Text
from surveys.rules.refusals import DraftRefused
from surveys.rules.unchecked import Built
from surveys.survey.kinds import entered

OWN = "deniable"
_FIELDS = ("kind", "edges", "dates", "low", "high", "unit")


def cell(data: object) -> str:
    """JSON in which nothing stands that a reader of forms looks up, straightens or runs together."""
    return json.dumps(data).replace("${", "$\\u007b").replace("  ", " \\u0020")


def written(question: Defined) -> str:
    """The cell of a question."""
    fields = {name: question[name] for name in _FIELDS if question.get(name) not in (None, "")}  # type: ignore[literal-required]
    refusing = {"prefer_not_to_say": True} if entered(question) and question["prefer_not_to_say"] else {}
    return cell(fields | refusing)


def of(row: XlsformRow, kinds: Sequence[str]) -> Built:
    """The fields that the row's cell says, where they are those of a question of one of these kinds; none elsewhere."""
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


def titles(form: XlsformRow) -> dict[str, str]:
    """The title in further languages, by their tags."""
    try:
        texts = json.loads(str(form.get(OWN, "{}")))
    except ValueError:
        return {}
    are_titles = isinstance(texts, dict) and all(isinstance(text, str) for text in texts.values())
    return texts if are_titles else {}


def without_unit(hint: Text, unit: str) -> tuple[Text, Text] | None:
    """The hint and the unit, which stands in brackets in its last line in each language; None where it does not."""
    parts = {tag: _parted(text) for tag, text in {"": str(hint), **hint.others}.items()}
    if None in parts.values() or not parts[""] or parts[""][1] != unit:
        return None
    notes, units = ({tag: part[i] for tag, part in parts.items() if part} for i in (0, 1))
    return Text(notes.pop(""), notes), Text(units.pop(""), units)


def _parted(text: str) -> tuple[str, str] | None:
    note, _end, last = text.rpartition("\n")
    return (note, last[1:-1]) if last.startswith("(") and last.endswith(")") else None
