"""The bins of a histogram: edges from a range and a number of bins, and how many bins are advised."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from ldp.exact import parse_alpha
from ldp.kinds import KINDS
from surveys.definition.forms import is_joint
from surveys.drafts import forms
from surveys.drafts.forms import Form
from surveys.drafts.normalize import Draft, Question
from surveys.drafts.proposals import FIRST_ALPHA
from surveys.rules.limits import CATEGORIES_MAX
from surveys.rules.refusals import as_text
from surveys.rules.texts import decimal, is_number

PLACES = Decimal("0.000001")
BINS_MIN = 2


def advised(question: Question, expected_n: int | None) -> int | None:
    """The best number of bins for so many people at the question's alpha (M22); None where either is unknown."""
    try:
        alpha: Fraction = parse_alpha(str(as_text(question.get("alpha"))))
    except ValueError:
        return None
    best = KINDS["histogram"].bins(expected_n, alpha) if expected_n else None
    return best["advised"] if best else None


def alpha(draft: Draft, question: Question) -> str:
    """That of the question, or of its form where one draw is for all of it; one to begin with where there is none."""
    form = forms.form_of(draft, question["key"])
    own = form if form and is_joint(form) else question
    return str(as_text(own.get("alpha")) or FIRST_ALPHA)


def people(draft: Draft, key: str, expected_n: int | None) -> int | None:
    """How many of those who are expected are asked a question: those who draw its form."""
    form = forms.form_of(draft, key)
    if form is None or expected_n is None:
        return expected_n
    return max(1, expected_n * _weight(form) // sum(map(_weight, forms.forms_of(draft))))


def _weight(form: Form) -> int:
    return form["weight"] if type(form["weight"]) is int and form["weight"] > 0 else 1


def edges(low: str, high: str, count: str) -> list[str]:
    """Edges of `count` equal bins from low to high, to six digits after the point. ValueError names the field that is
    wrong, in the order of the arguments."""
    ends = low.strip(), high.strip()
    for name, end in zip(("low_end", "high_end"), ends, strict=True):
        if not is_number(end):
            raise ValueError(name)
    bottom, top = map(Decimal, ends)
    if bottom >= top:
        raise ValueError("high_end")
    number = int(count) if count.strip().isascii() and count.strip().isdecimal() and len(count) < 6 else 0
    if not BINS_MIN <= number <= CATEGORIES_MAX:
        raise ValueError("bin_count")
    exact = [bottom + (top - bottom) * i / number for i in range(number)]
    found = [edge.quantize(PLACES) for edge in exact] + [top]
    if any(left >= right for left, right in pairwise(found)):
        raise ValueError("bin_count")
    return [decimal(edge) for edge in found]


def evenly_spaced(question: Question) -> dict[str, str]:
    """The ends and the number of a question's bins, as they are filled in again; of a range alone its ends, empty where
    there is neither."""
    given = question.get("edges")
    found = [as_text(edge) for edge in given] if isinstance(given, list) else []
    if len(found) < 2 or not all(map(is_number, found)):
        return {}
    ends = {"low_end": str(found[0]), "high_end": str(found[-1])}
    return ends | ({"bin_count": str(len(found) - 1)} if len(found) > BINS_MIN else {})
