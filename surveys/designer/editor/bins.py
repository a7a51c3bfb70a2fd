"""The bins of a histogram: their edges from a range and a number of bins, the advised number, and the form."""

import math
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext_lazy

from ldp.exact import parse_alpha
from ldp.kinds import KINDS
from surveys.designer.editor.problems import FieldProblem
from surveys.drafts import forms
from surveys.drafts.proposals import FIRST_ALPHA
from surveys.figures.typed import Unread, read, written
from surveys.rules.draft import Draft, Form, Question
from surveys.rules.limits import CATEGORIES_MAX, PEOPLE_MAX
from surveys.rules.refusals import as_text
from surveys.rules.texts import decimal, is_number
from surveys.rules.unchecked import as_list
from surveys.survey.kinds.fields import WHOLE
from surveys.survey.kinds.numbers import is_integer

# Familiar widths, times any power of ten.
ROUND = tuple(map(Decimal, ("1", "2", "2.5", "5")))
PLACES = Decimal("0.000001")
BINS_MIN = 2
FILLING = {
    "low_end": gettext_lazy("Give a number, such as 0; a whole one where people enter whole numbers."),
    "high_end": gettext_lazy("Give a number above the lowest; a whole one where people enter whole numbers."),
    "bin_count": gettext_lazy("Give a whole number from 2 to 256; every bin must have some width."),
}


class Advice(NamedTuple):
    """The advised number of bins for these people at an alpha (M22), None if it is unknown."""

    bins: int | None
    people: int | None
    alpha: str


def advice(draft: Draft, question: Question, expected_n: int | None, alpha: str = "") -> Advice:
    """Return advice for the people expected to draw a form with the question. The default alpha is the alpha of the
    question's first draw, or the first proposed alpha."""
    places, own = forms.homes(draft, question["key"]), [*forms.draws_with(draft, question["key"]), question][0]
    alpha = alpha or str(as_text(own.get("alpha")) or FIRST_ALPHA)
    people = expected_n if not places or expected_n is None else _part(draft, places, expected_n)
    return Advice(_best(people, alpha), people, alpha)


def _best(people: int | None, alpha: str) -> int | None:
    try:
        best = KINDS["histogram"].bins(people, parse_alpha(alpha)) if people else None
    except ValueError:
        return None
    return best["advised"] if best else None


def _part(draft: Draft, chosen: Sequence[Form], expected_n: int) -> int:
    return max(1, round(expected_n * sum(map(_weight, chosen)) / sum(map(_weight, forms.forms_of(draft)))))


def _weight(form: Form) -> int:
    return form["weight"] if type(form["weight"]) is int and form["weight"] > 0 else 1


def edges(low: str, high: str, count: str, whole: bool = False) -> list[str]:
    """Return the edges of `count` equal bins between two decimal strings, to six decimals. Whole numbers get whole
    edges, the last one beyond the highest number. ValueError names the wrong argument, checked in order."""
    for name, end in zip(("low_end", "high_end"), (low, high), strict=True):
        if not is_number(end) or (whole and not is_integer(end)):
            raise ValueError(name)
    bottom, top = Decimal(low), Decimal(high) + whole
    if bottom >= top:
        raise ValueError("high_end")
    number = _integer(count)
    if not BINS_MIN <= number <= CATEGORIES_MAX:
        raise ValueError("bin_count")
    exact = [bottom + (top - bottom) * i / number for i in range(number)]
    values = [edge.quantize(Decimal(1) if whole else PLACES) for edge in exact] + [top]
    if any(left >= right for left, right in pairwise(values)):
        raise ValueError("bin_count")
    return [decimal(edge) for edge in values]


def round_edges(low: str, high: str, count: str, whole: bool = False) -> list[str]:
    """Return the edges of about `count` bins from low to high. Inner edges are multiples of a round width. Whole
    numbers get at most one bin for each number. ValueError as in `edges`."""
    if whole and is_number(low) and is_number(high) and 1 <= Decimal(high) - Decimal(low) < _integer(count) - 1:
        count = str(int(Decimal(high) - Decimal(low)) + 1)
    equal = edges(low, high, count, whole)
    bottom, top = Decimal(equal[0]), Decimal(equal[-1])
    rough = (top - bottom) / _integer(count)
    widths = [factor.scaleb(rough.adjusted() + shift) for shift in (0, 1) for factor in ROUND]
    rows = [_multiples(bottom, top, width) for width in widths if not whole or is_integer(decimal(width))]
    fitting = [row for row in rows if BINS_MIN <= len(row) - 1 <= CATEGORIES_MAX]
    nearest = min(fitting, key=lambda row: abs(math.log((len(row) - 1) / _integer(count))), default=None)
    return equal if nearest is None else [decimal(edge) for edge in nearest]


def _multiples(bottom: Decimal, top: Decimal, width: Decimal) -> list[Decimal]:
    """Return multiples of the width from bottom to top. The outer bins are at least half as wide as others."""
    first, last = math.ceil((bottom + width / 2) / width), math.floor((top - width / 2) / width)
    return [bottom, *(width * place for place in range(first, last + 1)), top]


def evenly_spaced(question: Question) -> dict[str, str]:
    """Return the ends and the number of a question's bins, for the fields that generate edges. A range without bins
    gives only its ends. Return {} without either."""
    values = [as_text(edge) for edge in as_list(question.get("edges"))]
    if len(values) < 2 or not all(map(is_number, values)):
        return {}
    high = (
        str(int(Decimal(str(values[-1]))) - 1)
        if question.get("limits") == WHOLE and len(values) > 2
        else str(values[-1])
    )
    ends = {"low_end": written(str(values[0])), "high_end": written(high)}
    return ends | ({"bin_count": str(len(values) - 1)} if len(values) > BINS_MIN else {})


# The form -------------------------------------------------------------------------------------------------------------


def filled(form: QueryDict, draft: Draft, key: str) -> tuple[QueryDict, list[FieldProblem]]:
    """Return the form, with generated edges on request. The edges are round unless the designer wants another number of
    bins than advised."""
    if "fill" not in form:
        return _with_range(form), []
    ends = list[str]()
    for name in ("low_end", "high_end"):
        try:
            ends.append(read(form.get(name, "")))
        except Unread as unread:
            return form, [FieldProblem(name, str(unread) or str(FILLING[name]))]
    (low, high), count = ends, form.get("bin_count", "")
    try:
        advised = _advised(form, draft, key)
        count = count.strip() or advised
        made = (round_edges if count == advised else edges)(low, high, count, form.get("limits") == WHOLE)
    except ValueError as wrong:
        return form, [FieldProblem(str(wrong), str(FILLING[str(wrong)]))]
    form = form.copy()
    form["edges"] = "\n".join(map(written, made))
    return form, []


def _with_range(form: QueryDict) -> QueryDict:
    """Return the form. Without bins the typed range becomes the only two edges, so that the next visit shows it."""
    low, high = (form.get(name, "").strip() for name in ("low_end", "high_end"))
    typed = [line for line in form.get("edges", "").splitlines() if line.strip()]
    if not (low and high) or len(typed) not in (0, 2):
        return form
    form = form.copy()
    form["edges"] = f"{low}\n{high}"
    return form


def _advised(form: QueryDict, draft: Draft, key: str) -> str:
    # Another user may have removed it.
    question = next((each for each in draft["questions"] if each["key"] == key), Question(key=key))
    return str(advice(draft, question, people(form), form.get("alpha", "")).bins or "")


def people(form: QueryDict) -> int | None:
    number = _integer(form.get("expected_n", ""))
    return number if 1 <= number <= PEOPLE_MAX else None


def _integer(text: str) -> int:
    """Return the whole number in the text, or 0 if there is none."""
    try:
        number = read(text, whole=True)
    except Unread:
        return 0
    return int(number) if len(number) < 12 else 0
