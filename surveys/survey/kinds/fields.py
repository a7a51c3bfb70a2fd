"""A field of a draft, and the fields that several kinds of question share."""

from dataclasses import dataclass, field, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.rules.draft_schema import Schema, different, number, position, says, text
from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX, UNIT_MAX
from surveys.rules.texts import PREFER_NOT_TO_SAY

Words = Promise | str


@dataclass(frozen=True, eq=False)
class Field:
    """The texts of a field for designers, and the JSON Schema of a value with which a survey can open.

    `widget` is one of: line; colour (#rrggbb); area; lines (one list element each); flag (True or absent); choice;
    condition (a key and positions of options for each rule, after "all" or "any" if there are several); right (a
    position); picture, pictures (with a form of their own, surveys/designer/editor/pictures.py); "" if another page has
    the field. `needed`: the field is stored even if it is empty. `whole`: digits are stored as a number. `expert`:
    folded away. `entered`: "number", "alpha" or "date" if the text, or each line, is one, shown in the page's notation.
    `marked`: it may have markup (surveys/rules/markup.py). `missing` is shown while it is empty, or a list has fewer
    than `least` elements. `choices`: the values of a choice that does not depend on the kind, with their words."""

    name: str
    label: Words
    schema: Schema = field(default_factory=dict)
    help: Words = ""
    widget: str = "line"
    needed: bool = False
    whole: bool = False
    expert: bool = False
    rows: int = 2
    entered: str = ""
    marked: bool = False
    missing: Words = ""
    least: int = 2
    choices: tuple[tuple[str, Words], ...] = ()

    @property
    def numeric(self) -> bool:
        return self.entered in ("number", "alpha")

    @property
    def longest(self) -> int:
        """Return the most characters of a text."""
        most: int = self.schema["maxLength"]
        return most


OPTIONS = Field(
    "options",
    _("Options"),
    different(text(OPTION_MAX) | {"not": {"const": PREFER_NOT_TO_SAY}}, CATEGORIES_MAX),
    _("One on each line. A list can be pasted, also with a column for each language."),
    widget="lines",
    needed=True,
    rows=5,
    missing=_("Write at least two options, one on each line."),
)
SCALE = replace(OPTIONS, help=_("One on each line, from one end of the scale to the other."))
EXCLUSIVE = Field(
    "exclusive",
    _("This option means: none of these"),
    position() | says("The position of the option that means none of these. The page adds no “None of these” then."),
    _("Ticking it clears the others, and the page adds no “None of these”."),
    "right",
)
SAMPLE = Field(
    "sample",
    _("Reported on"),
    {"type": "integer", "minimum": 1, "maximum": CATEGORIES_MAX} | says("How many a report is about."),
    _("How many a browser draws at random and reports on. Empty: 1."),
    whole=True,
    expert=True,
)
SIZE = Field(
    "size",
    _("Options that are sent"),
    {"type": "integer", "minimum": 1, "maximum": CATEGORIES_MAX - 1}
    | says("For randomized response: how many options a report lists."),
    _("For randomized response: how many options a report lists. Empty: the most precise number."),
    whole=True,
    expert=True,
)
WHOLE, DECIMAL = "whole", "decimal"
LIMITS = Field(
    "limits",
    _("Numbers that people may enter"),
    {"type": "string", "enum": [WHOLE, DECIMAL]}
    | says("Only whole or decimal numbers within the ends; without it, any number, which counts as an end beyond it."),
    widget="choice",
    choices=(
        (WHOLE, _("Whole numbers within the range")),
        (DECIMAL, _("Any number within the range")),
        ("", _("Any number; outside the range it counts as the nearest end")),
    ),
)
UNIT = Field("unit", _("Unit"), text(UNIT_MAX, empty=True), _("Such as years or hours. May stay empty."))


def end(name: str, label: Promise, description: str, help: Words, missing: Promise) -> Field:
    """Return the field of one end of a number's range."""
    schema = number() | says(description)
    return Field(name, label, schema, help, needed=True, entered="number", missing=missing)
