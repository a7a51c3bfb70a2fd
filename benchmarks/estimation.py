"""The cost of a release to the worker: one question's estimation by mechanism and size, and the largest surveys.

    python -m benchmarks.estimation [--reports 100000] [--one-report]

The first table has the cost of one report with noisy bins, over one with randomized response. For the second, the
Python twin draws 300 reports of each question; their totals are multiplied to the number of reports, since exact
intervals cost with its root. The last has the largest surveys that are accepted (surveys/survey/definition/cost.py).
"""

import argparse
import json
import os
import random
import time
from bisect import bisect_left
from typing import Any

import numpy as np

from benchmarks.tables import table

DRAWN = 300
Definition = dict[str, Any]


def options(d: int) -> list[str]:
    return [f"option {i}" for i in range(d)]


def edges(d: int) -> list[str]:
    return [str(i) for i in range(d + 1)]


def asked(mechanism: str, alpha: str, d: int) -> Definition:
    """Return a question of a draft."""
    shared = {"text": "?", "alpha": alpha}
    named = shared | {"mechanism": mechanism}
    match mechanism:
        case _ if mechanism in MEANS:
            return named | {"kind": "mean", "low": "0", "high": "1"}
        case "multiple":
            return shared | {"kind": "multiple_choice", "options": options(d)}
        case "grid":
            return shared | {"kind": "grid", "options": options(d), "items": [f"item {i}" for i in range(ITEMS)]}
        case "laplace":
            return named | {"kind": "histogram", "edges": edges(d)}
        case "osgt" | "gaussian":
            return named | {"kind": "histogram", "edges": edges(d), "delta": "0.000001"}
        case _:
            return named | {"kind": "ordered", "options": options(d)}


ITEMS = 8
SIZES = (2, 16, 64, 256)
MECHANISMS = ("randomized_response", "bitwise", "exponential", "laplace", "osgt", "gaussian")
MEANS = ("one_bit", "laplace_mean")
ALPHAS = ("0.01", "1", "16")
# Intervals for every release, and for a final one only.
TIMES = ("while open (s)", "final (s)")
LARGEST = [("bitwise", "1", 2), ("bitwise", "1", 10), ("randomized_response", "1", 256), ("laplace", "0.01", 256)]
LARGEST += [
    ("laplace", "1", 256),
    ("laplace", "1", 5),
    ("grid", "1", 125),
    ("multiple", "1", 256),
    ("laplace_mean", "16", 1),
]
MECHANISMS = (*MECHANISMS, "multiple", "grid", *MEANS)


def frozen(questions: list[Definition]) -> Definition:
    from surveys.survey.definition import build

    return build({"title": "x", "questions": [{"key": f"q{i}"} | q for i, q in enumerate(questions)]})


def totals(question: Definition, seed: int) -> dict[str, list[int]]:
    """Return the totals of DRAWN reports of the question alone."""
    from ldp.mechanisms import of
    from ldp.privatize import make_report
    from ldp.tally import Batch
    from surveys.management.commands.load import random_answers
    from surveys.survey.definition.layout import Layout

    chance = random.Random(seed)
    definition = {"questions": [question]}
    layout, field = Layout(definition), Layout(definition).fields[0]
    bodies = (
        make_report(definition, "0" * 64, random_answers(definition), lambda: chance.getrandbits(32))
        for _ in range(DRAWN)
    )
    rows = b"".join(layout.pack(json.loads(body)["answers"]) for body in bodies)
    batch = Batch(np.frombuffer(rows, dtype=np.uint8).reshape(DRAWN, layout.bytes))
    return of(question).tally(batch.field(field.start, field.width))


def seconds(questions: list[Definition], n: int, every_look: bool) -> float:
    """Return the time to estimate questions of one sort with the same totals, at every published confidence."""
    from ldp.confidences import OTHERS, USUAL
    from ldp.results import results

    scaled = {name: [value * (n // DRAWN) for value in values] for name, values in totals(questions[0], 1).items()}
    started = time.process_time()
    for question in questions:
        results(question, scaled, n // DRAWN * DRAWN, USUAL, every_look, OTHERS)
    return time.process_time() - started


def one_report(alpha: str, d: int) -> float:
    """Return the cost of bin-wise Laplace over randomized response, at one report."""
    from ldp import kinds
    from ldp.confidences import OTHERS, USUAL
    from ldp.planning import trial

    took = []
    for mechanism in ("laplace", "randomized_response"):
        question = frozen([asked("laplace", alpha, d) | {"mechanism": mechanism}])["questions"][0]
        bins = len(question["options"])
        drawn = trial.totals(question, [1 / bins] * bins, 1, seed=1)
        started = time.process_time()
        kinds.of(question).results(question, drawn, 1, (USUAL, *OTHERS))
        took.append(time.process_time() - started)
    return took[0] / took[1]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--reports", type=int, default=100_000)
    arguments.add_argument("--mechanisms", nargs="*", default=MECHANISMS)
    arguments.add_argument("--one-report", action="store_true", help="only the first table")
    options = arguments.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    import django

    django.setup()
    ratios = [(alpha, d, f"{one_report(alpha, d):.2f}") for alpha in ALPHAS for d in (16, 256)]
    print("\n".join(table(("alpha", "d", "one report: laplace / randomized response"), ratios)) + "\n", flush=True)
    if options.one_report:
        return
    header = ("mechanism", "alpha", "d", "built (s)", *TIMES, "ms per category")
    cases = [(m, a, d) for m in options.mechanisms for a in ALPHAS for d in (SIZES if m not in MEANS else (1,))]
    print("\n".join(table(header, [row for case in cases if (row := row_of(case, options.reports))])), flush=True)
    header = ("the largest survey of", "questions", "numbers", "built (s)", *TIMES)
    print("\n" + "\n".join(table(header, [largest(*case, options.reports) for case in LARGEST])))


def row_of(case: tuple[str, str, int], reports: int) -> tuple[object, ...] | None:
    """Return a row of the table, or None if the mechanism does not allow the question."""
    started = time.process_time()
    try:
        question = frozen([asked(*case)])["questions"][0]
    except ValueError:
        return None
    built = time.process_time() - started
    took = [seconds([question], reports, every_look) for every_look in (True, False)]
    return (*case, f"{built:.3f}", *(f"{each:.3f}" for each in took), f"{1000 * max(took) / case[2]:.2f}")


def largest(mechanism: str, alpha: str, d: int, reports: int) -> tuple[object, ...]:
    """Return a row for the most questions of one sort that are accepted, with their cost."""
    one = asked(mechanism, alpha, d)
    number = bisect_left(range(1, 201), True, key=lambda k: not accepted([one] * k))
    started = time.process_time()
    definition = frozen([one] * number)
    built = time.process_time() - started
    took = [seconds(definition["questions"], reports, every_look) for every_look in (True, False)]
    from surveys.survey.definition import cost

    numbers = sum(map(cost.estimates, definition["questions"]))
    return f"{mechanism}, alpha {alpha}, d {d}", number, numbers, f"{built:.2f}", *(f"{each:.2f}" for each in took)


def accepted(questions: list[Definition]) -> bool:
    try:
        frozen(questions)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    main()
