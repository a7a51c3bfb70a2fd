"""The kinds of question by name, a module each, and each kind's best mechanism. ldp.mechanisms lists the names."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Any

from ldp.kinds.protocol import Kind
from ldp.mechanisms import FITTING, MECHANISMS, WITH_DELTA

KINDS: dict[str, Kind] = {name: import_module(f"ldp.kinds.{name}").KIND for name in FITTING}

# Errors that differ by less are equal, because thresholds and floating-point sums are rounded.
_EQUAL = 1e-6


def of(question: Mapping[str, Any]) -> Kind:
    return KINDS[question["kind"]]


@lru_cache(maxsize=1 << 14)
def best(kind: str, alpha: Fraction, d: int) -> str:
    """Return the alpha-private mechanism whose first method has the least error; among equals the first in FITTING."""
    names = [name for name in FITTING[kind] if name not in WITH_DELTA]
    if len(names) == 1:
        return names[0]
    # Once a mechanism reaches the bound, no later one can be better.
    possible, errors = KINDS[kind].least_error(float(alpha), d) * (1 + _EQUAL), {}
    for name in names:
        if (value := _error(kind, name, alpha, d)) is not None:
            errors[name] = value
            if value <= possible:
                break
    least = min(errors.values())
    return next(name for name, value in errors.items() if value <= least * (1 + _EQUAL))


def _error(kind: str, name: str, alpha: Fraction, d: int) -> float | None:
    """Return the mechanism's error; None if it does not take d categories."""
    mechanism = MECHANISMS[name]
    try:
        table = mechanism.table(alpha, d)
    except ValueError:
        return None
    return KINDS[kind].error(next(iter(mechanism.moments(table, d).values())), d)
