"""The randomization of a draft's question: alpha, the mechanism and its table."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_noop as _

from ldp.exact import OutOfRange, parse_alpha, parse_delta
from ldp.kinds import best
from ldp.mechanisms import FITTING, MECHANISMS, SIZED, WITH_DELTA
from ldp.subsets import CELLS_MAX
from surveys.rules.refusals import DraftRefused, Refusals, as_text, broken, refuse
from surveys.rules.texts import decimal
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey import kinds, mechanisms
from surveys.survey.kinds.protocol import Sampling

# The fields of a question's randomization if no draw names it.
OWN = ("alpha", "mechanism", "delta", "sample", "size")


def build(draft: Unchecked, own: Built | None, where: str, refusals: Refusals) -> Built:
    """Return the fields of the question's randomization. `own` are the kind's fields of the definition. If they are
    None (refused), the checks that do not need them are still made."""
    name = draft["kind"]
    given = as_text(draft.get("alpha"))
    alpha = refusals.attempt(parsed_alpha, given, f"{where}.alpha") if "alpha" in draft else None
    if draft.get("mechanism", FITTING[name][0]) not in FITTING[name]:
        rule, known = _("must be one of %(known)s for this kind"), ", ".join(FITTING[name])
        refusals.refused.append(broken(f"{where}.mechanism", "unknown_mechanism", rule, known=known))
    if refusals.refused or own is None or alpha is None:
        return {}
    d = len(own.get("options", ()))
    mechanism = draft.get("mechanism") or _sized(draft) or best(name, alpha, d)
    delta = refusals.attempt(_delta, draft, mechanism, where)
    arguments: dict[str, Any] = {"delta": Fraction(delta)} if delta else {}
    if sampling := kinds.of(draft).sampling:
        arguments["sample"] = refusals.attempt(_sample, draft, sampling, own, where)
    if "size" in draft:
        arguments["size"] = refusals.attempt(_size, draft, mechanism, d, where)
    refusals.check()
    table = _table(mechanism, alpha, d, arguments, where)
    stated = {"alpha": decimal(Decimal(str(given))), "mechanism": mechanism, "table": table}
    return stated | ({"delta": delta} if delta else {})


def _sized(draft: Unchecked) -> str:
    """Return the mechanism that a size implies; "" without a size, or for a kind without sized mechanisms."""
    return next((name for name in FITTING[draft["kind"]] if name in SIZED), "") if "size" in draft else ""


def _table(mechanism: str, alpha: Fraction, d: int, arguments: dict[str, Any], where: str) -> Any:
    try:
        return MECHANISMS[mechanism].table(alpha, d, **arguments)
    except ValueError:
        raise _unfit(mechanism, f"{where}.mechanism") from None


def _unfit(mechanism: str, where: str) -> DraftRefused:
    limit = mechanisms.MECHANISMS[mechanism].limit
    assert limit, f"{mechanism} has a table for every question"
    return refuse(where, limit.code, limit.rule, mechanism=mechanism, most=limit.most)


def parsed_alpha(value: Any, where: str) -> Fraction:
    try:
        return parse_alpha(value)
    except OutOfRange:
        raise refuse(where, "alpha_range", _("must be from 0.01 to 16")) from None
    except ValueError:
        rule = _('must be a decimal string with at most six digits after the point, such as "0.5"')
        raise refuse(where, "alpha_format", rule) from None


def _delta(draft: Unchecked, mechanism: str, where: str) -> str:
    """Return the definition's delta; "" if the mechanism has none. Raise DraftRefused if the draft's is invalid."""
    if mechanism not in WITH_DELTA:
        if "delta" in draft:
            rule, names = _("belongs to the mechanisms %(names)s only"), ", ".join(WITH_DELTA)
            raise refuse(f"{where}.delta", "delta_surplus", rule, names=names)
        return ""
    if "delta" not in draft:
        rule = _('is missing; %(mechanism)s needs one, such as "0.000001"')
        raise refuse(f"{where}.delta", "delta_missing", rule, mechanism=mechanism)
    given = as_text(draft["delta"])
    _check_delta(given, f"{where}.delta")
    return decimal(Decimal(str(given)))


def _check_delta(value: Any, where: str) -> None:
    try:
        parse_delta(value)
    except OutOfRange:
        raise refuse(where, "delta_range", _("must be from 0.000000000001 to 0.001")) from None
    except ValueError:
        rule = _('must be a decimal string with at most twelve digits after the point, such as "0.000001"')
        raise refuse(where, "delta_format", rule) from None


def _size(draft: Unchecked, mechanism: str, d: int, where: str) -> int:
    """Return how many of d options a report lists."""
    size = draft["size"]
    if mechanism not in SIZED:
        names = ", ".join(name for name in FITTING[draft["kind"]] if name in SIZED)
        raise refuse(f"{where}.size", "size_surplus", _("belongs to the mechanisms %(names)s only"), names=names)
    if type(size) is not int or not 1 <= size < d:
        rule = _("must be a whole number from 1 to %(most)s, one less than there are options")
        raise refuse(f"{where}.size", "size_range", rule, most=d - 1)
    return size


def _sample(draft: Unchecked, sampling: Sampling, own: Built, where: str) -> int:
    """Return how many items a report is about."""
    (least, most), answers = sampling.bounds(own), sampling.answers(own)
    sample = draft.get("sample", least)
    if type(sample) is not int or not least <= sample <= most:
        rule = _("must be a whole number from %(least)s to %(most)s: so many can be drawn")
        raise refuse(f"{where}.sample", "sample_range", rule, least=least, most=most)
    if sample > 1 and answers**sample > CELLS_MAX:
        rule = _("must be lower: answers to so many items, drawn together, have more than %(most)s combinations")
        raise refuse(f"{where}.sample", "sample_cells", rule, most=CELLS_MAX)
    return sample
