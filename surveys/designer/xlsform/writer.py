"""A definition as an XLSForm: the sheets survey, choices and settings, and a sheet for everything else."""

import io
import json
from collections.abc import Iterator
from itertools import groupby

from django.utils.translation import gettext, gettext_lazy

from ldp.forms.definition import groups
from ldp.forms.definition import keys as keys_of
from ldp.forms.schema import Draw
from ldp.question import Question
from surveys.designer.xlsform import dates, deniable_column, exclusive, lists, sheets
from surveys.designer.xlsform.languages import name_with_tag
from surveys.designer.xlsform.remarks import Remark, RemarkGroup, Remarks
from surveys.designer.xlsform.sheets import SheetRow
from surveys.operation.spreadsheet import CELL_MAX
from surveys.survey.definition import accent, completion, frame_hosts, pictures
from surveys.survey.definition.document import Definition, Section
from surveys.survey.definition.languages import in_language, languages_of
from surveys.survey.kinds import numbers, typed
from surveys.survey.kinds.fields import WHOLE

SURVEY = ("type", "name", "label", "hint", "required", "relevant", "appearance", "constraint", deniable_column.OWN)
CHOICES = ("list_name", "name", "label")
SETTINGS = ("form_title", "form_id", "default_language", deniable_column.OWN)

_ALPHA = gettext_lazy(
    "Privacy. People who collect answers with this form see the answers: it has no alphas or mechanisms, and "
    "randomizes nothing."
)
_BINS = gettext_lazy("Bins. The form asks for any number.")
_SCALE = gettext_lazy("Numbers beyond the ends of a scale. Here they count as the end; the form refuses them.")
_MEAN = gettext_lazy("That the mean of a scale alone is asked for. Here each answer is a step.")
_UNIT = gettext_lazy("Units. They are in the hint.")
_SAMPLE = gettext_lazy("How many answers or rows a browser reports on. The form collects all of them.")
_PAIRS = gettext_lazy("That a browser reports the order of a few entries only. The form collects whole orders.")
_ORDER = gettext_lazy("That options are steps of a scale. The form shows them as one (likert).")
_FORMS = gettext_lazy(
    "That each person is asked one form only, drawn by lot. Here forms are groups, and everyone is asked all of them."
)
_SPANS = gettext_lazy("The spans that dates are counted in. The form asks for the date itself.")
_WEIGHTS = gettext_lazy("How often each form is drawn (its weight).")
_JOINT = gettext_lazy(
    "That answers are randomized together, under one alpha: all are among what is sent, or all of it is random."
)
_SEVERAL = gettext_lazy("That several forms ask a question. Here it is in the first of them.")
_VERSION = gettext_lazy(
    "That several questions are versions of one, of which each person is asked one. Here all are asked."
)
_WAVE = gettext_lazy("That the same people were asked before, and what their reports together can reveal.")
_INVITATIONS = gettext_lazy("That only invited people can answer, once each.")
_GROUPS = gettext_lazy("The groups whose results are published apart.")
_RELAY = gettext_lazy("That reports come through a relay, so that the site does not see whose they are.")
_COMPLETION = gettext_lazy("The completion code and the link back, which everyone gets after sending.")
_FRAME_HOSTS = gettext_lazy("Which pages may hold the survey in a frame.")
_ACCENT = gettext_lazy("The accent colour of the page.")
_LOGO = gettext_lazy("The logo.")
_PICTURES = gettext_lazy("Pictures of questions and options. Put their files beside the form (media::image).")
_CONSENT = gettext_lazy(
    "That no one can continue without agreeing. The form asks people to acknowledge the consent text."
)
_LONG = gettext_lazy("Conditions that are too long for a cell. The form asks everyone these questions.")
_RIGHT = gettext_lazy("The answer that everyone should give, as an attention check.")
_NO_NUMBER = gettext_lazy("“Prefer not to say” for numbers. They may be left blank.")
_QUOTED = gettext_lazy(
    "Texts with ${. A form would put an answer there, so the file has an invisible sign between the two characters."
)
_REFUSING = gettext_lazy("“Prefer not to say”. It is an option like the others.")
_TITLE = gettext_lazy("The title in other languages.")


def write(definition: Definition, name: str) -> bytes:
    """Return the workbook's bytes. `name` is the form's id."""
    from openpyxl import Workbook  # slow, so not at each start

    book = Workbook()
    book.remove(book.active)
    tags = languages_of(definition)
    definitions = [in_language(definition, tag) for tag in tags]
    named = lists.named(definitions)
    for sheet, columns, rows in (
        ("survey", SURVEY, [_rows(each, named) for each in definitions]),
        ("choices", CHOICES, [lists.choices(each, named) for each in definitions]),
    ):
        sheets.fill(book.create_sheet(sheet), *sheets.in_languages(columns, rows, tags))
    sheets.fill(book.create_sheet("settings"), SETTINGS, [_settings(definition, name)])
    lost = [{"lost": remark.text, "where": ", ".join(remark.names)} for remark in remarks(definition)]
    sheets.fill(book.create_sheet(gettext("not in this form")), ("lost", "where"), lost)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def remarks(definition: Definition) -> list[Remark]:
    """Return remarks on the parts that the form omits or changes."""
    made, by_key = Remarks(), {question["key"]: question for question in definition["questions"]}
    for question in definition["questions"]:
        key, kind = question["key"], question["kind"]
        made.add(RemarkGroup.LEFT_OUT, _ALPHA)
        for applies, rule in (
            (kind == "histogram", _BINS),
            ("dates" in question, _SPANS),
            (kind == "mean" and typed(question) and "limits" not in question, _SCALE),
            (kind == "ordered" or "steps" in question, _ORDER),
            ("steps" in question, _MEAN),
            (bool(question.get("unit")), _UNIT),
            (kind in ("multiple_choice", "grid"), _SAMPLE),
            ("ranked" in question, _PAIRS),
            (sheets.QUOTED in json.dumps(question), _QUOTED),
            (len(lists.condition_of(question, by_key)) > CELL_MAX, _LONG),
            ("right" in question, _RIGHT),
            (question["prefer_not_to_say"], _NO_NUMBER if kind == "histogram" else _REFUSING),
        ):
            if applies:
                made.add(RemarkGroup.LEFT_OUT, rule, key)
        if pictures.seen(definition, key):
            made.add(RemarkGroup.LEFT_OUT, _PICTURES, key)
        if "arm_of" in question:
            made.add(RemarkGroup.LEFT_OUT, _VERSION, f"{question['arm_of']} / {key}")
    around = ("title", "introduction", "consent", "thanks", "sections", "translations")
    for quoting in (name for name in around if sheets.QUOTED in json.dumps(definition.get(name, ""))):
        made.add(RemarkGroup.LEFT_OUT, _QUOTED, quoting)
    if "consent" in definition:
        made.add(RemarkGroup.LEFT_OUT, _CONSENT)
    if "forms" in definition:
        made.add(RemarkGroup.LEFT_OUT, _FORMS)
    for place, form in enumerate(definition.get("forms", ()), 1):
        made.add(RemarkGroup.LEFT_OUT, _WEIGHTS, f"form_{place}: {form['weight']}")
    for where, draws in _draws(definition):
        for draw in draws:
            if len(draw["questions"]) > 1:
                made.add(RemarkGroup.LEFT_OUT, _JOINT, f"{where}alpha {draw['alpha']}")
    for key, homes in _homes(definition).items():
        if len(homes) > 1:
            made.add(RemarkGroup.LEFT_OUT, _SEVERAL, f"{key}: {', '.join(f'form_{place}' for place in homes)}")
    if "wave_of" in definition:
        made.add(RemarkGroup.LEFT_OUT, _WAVE)
    if "invitations" in definition:
        made.add(RemarkGroup.LEFT_OUT, _INVITATIONS)
    if groups(definition):
        made.add(RemarkGroup.LEFT_OUT, _GROUPS)
    if "relay" in definition:
        made.add(RemarkGroup.LEFT_OUT, _RELAY)
    if completion.PATTERNS.keys() & definition.keys():
        made.add(RemarkGroup.LEFT_OUT, _COMPLETION)
    if frame_hosts.FIELD in definition:
        made.add(RemarkGroup.LEFT_OUT, _FRAME_HOSTS)
    if accent.FIELD in definition:
        made.add(RemarkGroup.LEFT_OUT, _ACCENT)
    if pictures.logo(definition):
        made.add(RemarkGroup.LEFT_OUT, _LOGO)
    for tag in languages_of(definition)[1:]:
        made.add(RemarkGroup.LEFT_OUT, _TITLE, name_with_tag(tag))
    return list(made)


def _settings(definition: Definition, name: str) -> SheetRow:
    first, *others = languages_of(definition)
    is_named = "language" in definition or "translations" in definition
    titles = {tag: in_language(definition, tag)["title"] for tag in others}
    return {
        deniable_column.OWN: deniable_column.settings(titles, definition),
        "form_title": definition["title"],
        "form_id": name,
        "default_language": name_with_tag(first) if is_named else "",
    }


# Rows -----------------------------------------------------------------------------------------------------------------


def _rows(definition: Definition, named: dict[str, str]) -> list[SheetRow]:
    names = _Names(definition)
    rows: list[SheetRow] = []
    if definition["introduction"]:
        rows.append(_row("note", names.free("introduction"), definition["introduction"]))
    if "consent" in definition:
        rows.append(_row("acknowledge", names.free("consent"), definition["consent"], required="yes"))
    by_key = {question["key"]: question for question in definition["questions"]}
    homes = {key: places[0] for key, places in _homes(definition).items()}
    everything: Section = {"title": "", "text": "", "questions": list(by_key)}
    for section in definition.get("sections", [everything]):
        body: list[SheetRow] = []
        for form, keys in groupby(section["questions"], key=lambda key: homes.get(key, 0)):
            own = [
                row
                for key in keys
                for row in _with_condition(by_key[key], by_key, _question(by_key[key], names, named))
            ]
            if form:  # consecutive questions of a form are a group
                own = [_row("begin_group", names.free(f"form_{form}"), f"Form {form}"), *own, {"type": "end_group"}]
            body += own
        rows += _grouped(section, body, names) if "sections" in definition else body
    if "thanks" in definition:
        rows.append(_row("note", names.free("thanks"), definition["thanks"]))
    return rows


def _draws(definition: Definition) -> Iterator[tuple[str, list[Draw]]]:
    """Yield everyone's draws, then each form's, with their places."""
    yield "", definition["draws"]
    for place, form in enumerate(definition.get("forms", []), 1):
        yield f"form_{place}: ", form["draws"]


def _homes(definition: Definition) -> dict[str, list[int]]:
    """Return the numbers, from 1, of the forms that ask a question, by key."""
    homes: dict[str, list[int]] = {}
    for place, form in enumerate(definition.get("forms", []), 1):
        for key in keys_of(form["draws"]):
            homes.setdefault(key, []).append(place)
    return homes


def _row(kind: str, name: str, label: str, **more: str) -> SheetRow:
    return {"type": kind, "name": name, "label": label, **more}


def _grouped(section: Section, rows: list[SheetRow], names: "_Names") -> list[SheetRow]:
    text = [_row("note", names.free("about"), section["text"])] if section["text"] else []
    return [_row("begin_group", names.free("section"), section["title"]), *text, *rows, {"type": "end_group"}]


def _with_condition(question: Question, by_key: dict[str, Question], rows: list[SheetRow]) -> list[SheetRow]:
    """Return the rows of a question. The first row has its condition, which holds for a whole group, and our column."""
    relevant, first = (
        lists.condition_of(question, by_key),
        rows[0] | {deniable_column.OWN: deniable_column.written(question)},
    )
    return [first | ({"relevant": relevant} if 0 < len(relevant) <= CELL_MAX else {}), *rows[1:]]


def _question(question: Question, names: "_Names", named: dict[str, str]) -> list[SheetRow]:
    key, label, hint = lists.row_name(question), question["text"], _hint(question)
    if typed(question):
        low, high = numbers.ends(question)
        within = f". >= {low} and . <= {high}" if "limits" in question or question["kind"] == "mean" else ""
        number = "integer" if question.get("limits") == WHOLE else "decimal"
        required = "" if question["prefer_not_to_say"] else "yes"
        return [_row(number, key, label, hint=hint, required=required, constraint=within)]
    if "dates" in question:
        required, exact = "" if question["prefer_not_to_say"] else "yes", len(question["dates"][0])
        return [_row("date", key, label, hint=hint, required=required, appearance=dates.LOOKS[exact])]
    chosen = named[question["key"]]
    if question["kind"] == "grid":
        items = [
            _row(f"select_one {chosen}", names.free(f"{key}_{i}"), item, required="yes")
            for i, item in enumerate(question["items"], 1)
        ]
        begin = _row("begin_group", key, label, hint=hint, appearance="table-list")
        return [begin, *items, {"type": "end_group"}]
    if "ranked" in question:
        return [_row(f"rank {chosen}", key, label, hint=hint, required="yes")]
    command = "select_multiple" if question["kind"] == "multiple_choice" else "select_one"
    # All of several options may be unselected.
    required = "" if command == "select_multiple" else "yes"
    scale = "likert" if question["kind"] == "ordered" or "steps" in question else ""
    alone = exclusive.constraint(lists.codes(question)[question["exclusive"]]) if "exclusive" in question else ""
    return [_row(f"{command} {chosen}", key, label, hint=hint, required=required, appearance=scale, constraint=alone)]


def _hint(question: Question) -> str:
    unit = question.get("unit", "")
    return "\n".join(filter(None, (question["note"], f"({unit})" if unit else "")))


class _Names:
    """Unique names for rows that are no questions. Questions' keys stay reserved."""

    def __init__(self, definition: Definition) -> None:
        self._names = {question["key"] for question in definition["questions"]}

    def free(self, wished: str) -> str:
        name, number = wished, 2
        while name in self._names:
            name, number = f"{wished}_{number}", number + 1
        self._names.add(name)
        return name
