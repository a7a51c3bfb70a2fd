"""The number of surveys that the lab's experiments simulate, and their shared tools."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from surveys.public.lab.curves.charts import Chart, Role, Series

Panels = list[tuple[str, Chart]]
ROLES: tuple[Role, ...] = ("local", "curator", "fourth", "fifth", "none")


@dataclass(frozen=True)
class Scale:
    """Sizes of an experiment: `surveys` for each point, at most `people` in a survey, `moves` smoothings of the
    answers."""

    surveys: int
    people: int
    moves: int


FULL = Scale(surveys=2000, people=100_000, moves=20)
SHORT = Scale(surveys=200, people=1000, moves=2)
SEED = 15


def line(label: str, role: Role, xs: Iterable[float], ys: Iterable[float], dashed: bool = False) -> Series:
    return Series(label, role, _floats(xs), _floats(ys), dashed=dashed)


def dots(label: str, role: Role, xs: Iterable[float], ys: Iterable[float]) -> Series:
    """Return the dots of a simulation."""
    return Series(label, role, _floats(xs), _floats(ys), "dots")


def _floats(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(map(float, values))


def upto(values: Sequence[int], most: int) -> list[int]:
    return [value for value in values if value <= most]
