"""The pages of the lab, in order: their figures, and the numbers that readers can change."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from surveys.public.lab import facts
from surveys.public.lab.curves.numbers import Numbers
from surveys.rules.context import Context

Step = tuple[str, Promise, tuple[str, ...]]


class Room(NamedTuple):
    """`name` is part of its URL. `steps` are values of one number, each with a link."""

    name: str
    label: Promise
    template: str
    fields: tuple[str, ...]
    figures: tuple[str, ...]
    facts: Callable[[Numbers], Context]
    steps: tuple[Step, ...]


PEOPLE: Step = ("n", _("People"), ("100", "1000", "10000", "100000"))
ALPHA: Step = ("alpha", _("Alpha"), ("0.1", "0.5", "1", "2", "4"))
SMALL_ALPHA: Step = ("alpha", _("Alpha"), ("0.01", "0.1", "1", "4"))
DELTA: Step = ("delta", _("Delta"), ("0.001", "0.000001", "0.000000001"))
ATOM: Step = ("atom", _("Equal answers, %"), ("0", "30", "60", "90"))
OPTIONS: Step = ("d", _("Options"), ("2", "5", "20", "100"))
QUESTIONS: Step = ("questions", _("Questions"), ("2", "5", "10", "20", "50"))
TIMES: Step = ("times", _("Releases"), ("1", "10", "100", "1000"))

ROOMS = {
    room.name: room
    for room in (
        Room(
            "lab", _("Three ways"), "public/lab/three_ways.html", ("n", "alpha", "d", "shares", "confidence"),
            ("intervals", "people", "alphas"), facts.of_three_ways, (PEOPLE, ALPHA),
        ),
        Room(
            "lab-mean", _("A mean"), "public/lab/mean.html", ("n", "alpha"), ("mean-people", "mean-alphas"),
            facts.of_mean, (PEOPLE, ALPHA),
        ),
        Room(
            "lab-tests", _("Tests"), "public/lab/tests.html", ("n", "alpha", "d", "shares", "null", "confidence"),
            ("power", "size", "coverage"), facts.of_tests, (PEOPLE, ALPHA),
        ),
        Room(
            "lab-quantiles", _("Quantiles"), "public/lab/quantiles.html", ("n", "alpha", "atom", "confidence"),
            ("quartiles", "atoms"), facts.of_quantiles, (ATOM, ALPHA),
        ),
        Room(
            "lab-noise", _("Noise"), "public/lab/noise.html", ("n", "alpha", "delta", "confidence"),
            ("densities", "deviations", "deltas", "part", "missing"), facts.of_noise, (ALPHA, DELTA),
        ),
        Room(
            "lab-together", _("Adding up"), "public/lab/together.html", ("n", "alpha", "delta", "times"),
            ("releases", "readers"), facts.of_together, (ALPHA, TIMES),
        ),
        Room(
            "lab-forms", _("Many questions"), "public/lab/forms.html", ("n", "alpha", "questions"),
            ("forms-alphas", "forms-questions"), facts.of_forms, (ALPHA, QUESTIONS),
        ),
        Room(
            "lab-limits", _("Limits"), "public/lab/limits.html", ("n", "alpha", "d", "shares"),
            ("one-share", "two-points", "majority", "histogram"), facts.of_limits, (PEOPLE, SMALL_ALPHA, OPTIONS),
        ),
    )
}  # fmt: skip
