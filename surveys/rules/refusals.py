"""Refusals of drafts, and the readers of draft fields that refuse."""

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from heapq import nsmallest
from typing import Any, NamedTuple, ParamSpec, TypeVar

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from surveys.rules.codes import Code
from surveys.rules.limits import UNIT_MAX
from surveys.rules.lookalikes import alike
from surveys.rules.texts import decimal, has_control_characters, has_noncharacters, is_number, is_visible
from surveys.rules.typography import BLANK_LINES_MAX, MARKS_MAX, has_blank_run, stacks_marks, turns_direction
from surveys.rules.unchecked import Unchecked, as_list, as_object

_STEP = re.compile(r"([^.\[\]]+)(?:\[([0-9]+)\])?", re.ASCII)
_NUMBERED = {"sections": _("section %(n)s"), "forms": _("form %(n)s"), "draws": _("draw %(n)s")}
TOLD_MAX = 50  # refusals; no one reads more
_NAME_MAX = 40  # characters of an unknown field's name
_LONGEST = 20  # digits of a number in a draft; no field takes longer ones

Args = ParamSpec("Args")
Value = TypeVar("Value")


class Rule(str):
    """A rule in English, for comparison by programs. `message` translates it into the page's language. `text` is marked
    for translation, and `values` are its values."""

    text: str
    values: Mapping[str, object]

    def __new__(cls, text: str, values: Mapping[str, object]) -> "Rule":
        made = super().__new__(cls, text % values if values else text)
        made.text, made.values = text, values
        return made

    def message(self) -> str:
        return gettext(self.text) % self.values if self.values else gettext(self.text)


class RuleBreach(NamedTuple):
    """A rule that a draft breaks. `field` is the path in its JSON, counted from 0; `place` is the path for people."""

    field: str
    code: Code
    rule: Rule
    place: str = ""

    @property
    def message(self) -> str:
        """Return the rule in the page's language."""
        return self.rule.message()

    def __str__(self) -> str:
        path = f" [{self.field}]" if self.place and self.place != self.field else ""
        return f"{self.place or self.field}: {self.message}{path}"


class DraftRefused(ValueError):
    """The draft breaks rules. `refusals` has all of them."""

    def __init__(self, *refusals: RuleBreach) -> None:
        super().__init__("\n".join(map(str, refusals)))
        self.refusals = refusals


class Refusals:
    """Collect refusals, so that a designer sees all at once. Readers of untrusted data stop once it is `full`."""

    def __init__(self) -> None:
        self.refused: list[RuleBreach] = []

    def attempt(self, reader: Callable[Args, Value], *args: Args.args, **options: Args.kwargs) -> Value | None:
        """Return the reader's result, or None if it refused."""
        try:
            return reader(*args, **options)
        except DraftRefused as refused:
            self.refused += refused.refusals
            return None

    @property
    def full(self) -> bool:
        return len(self.refused) >= TOLD_MAX

    def check(self) -> None:
        """Raise DraftRefused if anything was refused."""
        if self.refused:
            raise DraftRefused(*self.refused)


def broken(field: str, code: Code, rule: str, **values: object) -> RuleBreach:
    """Return a breach. `rule` is a text marked for translation, with placeholders for `values`."""
    return RuleBreach(field, code, Rule(rule, values))


def refuse(field: str, code: Code, rule: str, **values: object) -> DraftRefused:
    return DraftRefused(broken(field, code, rule, **values))


def place(field: str, draft: Any = None, label: Callable[[str], str] = str) -> str:
    """Return a path for people, counted from 1. A draft's question is also named by its key: question 3 (key "age"),
    options, number 2. `label` returns a field's name."""
    words: list[str] = []
    steps = _STEP.findall(field)
    for name, index in steps:
        if name == "questions" and index and (not words or steps[0][0] == "translations"):
            words.append(gettext("question %(n)s") % {"n": int(index) + 1} + _key(draft, int(index)))
        elif name in _NUMBERED and index:
            words.append(gettext(_NUMBERED[name]) % {"n": int(index) + 1})
        else:
            words.append(label(name) + (gettext(", number %(n)s") % {"n": int(index) + 1} if index else ""))
    return gettext(", ").join(words)


def _key(draft: Any, index: int) -> str:
    questions = as_list(as_object(draft).get("questions"))
    key = as_object(questions[index]).get("key") if index < len(questions) else None
    if not isinstance(key, str) or not key.isprintable() or len(key) > 40:
        return ""
    return gettext(" (key %(key)s)") % {"key": json.dumps(key)}


# Readers --------------------------------------------------------------------------------------------------------------


def known_fields(value: Unchecked, where: str, required: set[str], allowed: set[str]) -> None:
    """Raise DraftRefused unless all required fields, and only allowed fields, are there."""
    at = f"{where}." if where else ""
    refusals = [broken(at + field, "missing", _("is missing")) for field in sorted(required - value.keys())]
    known, names = _("is not known here; known are %(names)s"), ", ".join(sorted(allowed))
    unknown = nsmallest(TOLD_MAX, value.keys() - allowed)
    refusals += [broken(at + printable_name(field), "unknown_field", known, names=names) for field in unknown]
    if refusals:
        raise DraftRefused(*refusals)


# Characters that no text may have, of any length.
_UNFIT: list[tuple[Callable[[str], bool], Code, str, Mapping[str, object]]] = [
    (has_control_characters, "control_characters", _("must not hold control characters"), {}),
    (
        has_noncharacters,
        "noncharacters",
        _("must not hold code points that are no characters, such as U+FFFE"),
        {},
    ),
    (
        turns_direction,
        "turned_direction",
        _("must not hold invisible characters that change the order in which it is read"),
        {},
    ),
    (stacks_marks, "stacked_marks", _("must not have more than %(most)s marks on one letter"), {"most": MARKS_MAX}),
    (
        has_blank_run,
        "blank_lines",
        _("must not have more than %(most)s empty lines in a row"),
        {"most": BLANK_LINES_MAX},
    ),
]


def printable_name(name: str) -> str:
    """Return the printable beginning of an unknown field's name."""
    return "".join(c for c in name[:_NAME_MAX] if c.isprintable())


def text(value: object, where: str, limit: int, empty: bool = False) -> str:
    least = 0 if empty else 1
    if not isinstance(value, str) or len(value) > limit or not (empty or value.strip()):
        raise refuse(
            where, "text_length", _("must be a text of %(least)s to %(most)s characters"), least=least, most=limit
        )
    fit(value, where)
    if not empty and not is_visible(value):
        raise refuse(where, "invisible_text", _("must hold characters that can be seen"))
    return value.strip() if is_visible(value) else ""


def flag(value: object, where: str) -> bool:
    if type(value) is not bool:
        raise refuse(where, "not_a_flag", _("must be true or false"))
    return value


def fit(value: str, where: str) -> None:
    """Raise DraftRefused for a text that deceives its readers or pushes other texts out of sight."""
    for is_broken, code, rule, values in _UNFIT:
        if is_broken(value):
            raise refuse(where, code, rule, **values)


def different_texts(value: object, where: str, limit: int, most: int) -> list[str]:
    """Return a list of 2 to `most` different texts. Raise DraftRefused for any other value."""
    if not isinstance(value, list) or not 2 <= len(value) <= most:
        raise refuse(where, "list_length", _("must be a list of 2 to %(most)s texts"), least=2, most=most)
    refusals = Refusals()
    texts = [refusals.attempt(text, one, f"{where}[{i}]", limit) for i, one in enumerate(value)]
    given = [one for one in texts if one is not None]
    if len(set(given)) != len(given):
        refusals.refused.append(broken(where, "repeated", _("must differ from each other")))
    elif len(given) == len(value) and (pair := alike(given)):
        refusals.refused.append(look_alike(where, *pair))
    refusals.check()
    return given


def look_alike(where: str, first: int, second: int) -> RuleBreach:
    """Return the refusal of two texts of a list that look alike, by their positions."""
    rule = _("must look different from each other; numbers %(first)s and %(second)s look the same")
    return broken(where, "lookalikes", rule, first=first + 1, second=second + 1)


def number(value: object, where: str) -> str:
    """Return a number of a draft as a decimal string."""
    given = as_text(value)
    if not isinstance(given, str) or not is_number(given):
        rule = _(
            'must be a number, or a decimal string such as "17.5", '
            "with at most 12 digits before the point and 6 after it"
        )
        raise refuse(where, "number_format", rule)
    return given


def unit(draft: Unchecked, where: str) -> str:
    return text(draft.get("unit", ""), f"{where}.unit", UNIT_MAX, empty=True)


def as_text(value: object) -> object:
    """Return a JSON number exactly as a decimal string, a float as its shortest one. Other values stay."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return value
    exact = Decimal(repr(value) if isinstance(value, float) else value)
    if not exact.is_finite() or abs(exact.adjusted()) > _LONGEST:
        return str(value)
    return decimal(exact)


class _Twice(Exception):
    """A name occurs twice in an object. The argument is the name."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read: dict[str, object] = {}
    for name, value in pairs:
        if name in read:
            raise _Twice(printable_name(name))
        read[name] = value
    return read


class DraftDecoder(json.JSONDecoder):
    """Read a draft's JSON with exact numbers: 0.1 is a tenth, not the nearest float. A repeated name in an object is
    refused, because one value would be lost."""

    def __init__(self, **options: Any) -> None:
        whole = {"parse_int": lambda text: int(text) if len(text) <= _LONGEST else text}
        once = {"object_pairs_hook": _once}
        super().__init__(**whole | {"parse_float": lambda text: as_text(Decimal(text))} | once | options)

    def decode(self, text: str, *args: Any) -> Any:
        try:
            return super().decode(text, *args)
        except RecursionError:
            raise json.JSONDecodeError("Too deep", text, 0) from None
        except _Twice as twice:
            raise json.JSONDecodeError(f"The name {twice} is twice in one object", text, 0) from None
        except InvalidOperation:  # an exponent of more digits than Decimal knows
            raise json.JSONDecodeError("An exponent is too long", text, 0) from None
