"""An observer of everything that a running site shows, while single reports come: how many of them can be read?

    python -m benchmarks.observer [--reports 20] [--pause 3] [--batch 20] [--pair embedded] [--forms]

Visitors and staff of every role ask for everything four times a second, while reports come one by one. A report is
isolated if the estimates grew by exactly one report before the next, and the difference equals its content. With twenty
overlapping forms, each form's numbers may not grow by fewer reports than a batch (`--forms --before 1600`, so that each
has results). Status 1 if a report was isolated, anything changed between releases, or two looks differ by fewer reports
than a batch. Needs requirements-dev.txt.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import benchmarks.site  # noqa: F401
from tests.services.postgres import Postgres
from tests.services.system import EmbeddedSystem, ProductionSystem, System
from tests.support import observation, observer
from tests.support.journeys import published


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--reports", type=int, default=20, help="reports sent one by one (default: 20)")
    options.add_argument("--pause", type=float, default=3.0, help="seconds between two (default: 3)")
    options.add_argument("--batch", type=int, default=20)
    options.add_argument("--before", type=int, default=0, help="reports that came before (default: 0)")
    options.add_argument("--pair", choices=["embedded", "production"], default="embedded")
    options.add_argument(
        "--forms", action="store_true", help="a survey of twenty overlapping forms, each judged by itself"
    )
    chosen = options.parse_args()
    if chosen.before + chosen.reports < observer.LEAST:
        options.error(f"of fewer than {observer.LEAST} reports in all nothing is ever published")
    settings = observer.settings(chosen.batch)
    if chosen.pair == "embedded":
        sys.exit(_watch(EmbeddedSystem(**settings), chosen))
    postgres = Postgres()
    try:
        status = _watch(ProductionSystem(postgres, **settings), chosen)
    finally:
        postgres.stop()
    sys.exit(status)


def _watch(system: System, chosen: argparse.Namespace) -> int:
    try:
        with tempfile.TemporaryDirectory() as directory:
            draft = observation.IN_FORMS if chosen.forms else observation.DRAFT
            survey = observation.Single(system, Path(directory), draft=draft)
            if chosen.before:
                survey.send_many(chosen.before)
            time.sleep(5)
            with observer.Observer(system, survey.slug, observation.keys(draft)) as eyes:
                sent = [_send(survey, k, chosen) for k in range(chosen.reports)]
                system.manage("survey", "close", "--", survey.slug)
                published(system, survey.slug, lambda document: document["n"] == chosen.before + chosen.reports)
                time.sleep(2)
    finally:
        system.stop()
    return _tell(eyes, survey, sent, chosen)


def _send(survey: observation.Single, k: int, chosen: argparse.Namespace) -> tuple[float, float, observer.Signs]:
    """Return the times of sending and acknowledgement, and the signs of the report. Signs are empty for a form, since a
    form is judged by how many reports its numbers grew by."""
    started = time.monotonic()
    report, _, _ = survey.send(k)
    acknowledged = time.monotonic()
    time.sleep(chosen.pause)
    says = () if chosen.forms else observer.alone(survey.definition, report["answers"])
    return started, acknowledged, says


def _tell(
    eyes: observer.Observer,
    survey: observation.Single,
    sent: list[tuple[float, float, observer.Signs]],
    chosen: argparse.Namespace,
) -> int:
    looks = eyes.seen["visitor", "GET", f"/api/v1/surveys/{survey.slug}/estimates"]
    seen = observer.documents(looks)
    isolated, steps = observer.isolated(seen, sent), observer.steps(seen)
    if chosen.forms:  # for each form and for questions to everyone, if anything came
        steps = [step for own in observer.steps_by_question(seen).values() for step in own if step]
    changed = observer.changed_between_releases(eyes.seen)
    print(
        f"{eyes.looks} looks of {len(observer.ROLES)} roles at {len(eyes.seen)} places, {len(looks)} at the estimates."
    )
    print(f"{isolated} of {len(sent)} single reports isolated by an anonymous visitor.")
    print(f"Estimates seen: {len(seen)}, each of so many reports more than the one before: {steps}.")
    print(f"{len(changed)} places changed although nothing had been released, opened or closed.")
    for line in [*changed, *eyes.failures]:
        print(f"WRONG: {line[:400]}")
    small = chosen.before + chosen.reports >= chosen.batch and min(steps, default=chosen.batch) < chosen.batch
    return 1 if isolated or changed or small or eyes.failures else 0


if __name__ == "__main__":
    main()
