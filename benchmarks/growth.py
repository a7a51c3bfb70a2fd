"""The cost of every page, file and job as surveys grow: from 10,000 reports to ten million, from 5 questions to 200.

    python -m benchmarks.growth [--reports 10000 100000 1000000] [--questions 5 50 200] [--largest 10000000]
                                [--surveys 10 100 1000]

Prints seconds of a processor, on SQLite, one size after the other. The first visitor after a release asks for each
page, so the process first forgets what it keeps of the release. The first row of a streamed answer is timed apart from
the whole. A job is a worker's task. `--largest` has the fewest questions alone; 0 leaves it out. Files of many reports
take minutes and are left out. Blocks repeat 300 different reports. The last rows name costs that grow faster than
reports times questions, and pages that take a visitor over two seconds. A last table has the cost of each second and
page to a site with many open surveys. Status 0 only if nothing is named.
"""

import argparse
import functools
import gc
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

from benchmarks import tables
from tests.services.redis import Redis

DISTINCT, BLOCK = 300, 1 << 16
PATIENCE = 2.0  # seconds of a visitor
FILES_MOST = 1_000_000  # files are made for at most this many reports times questions
FREE = 0.2  # seconds: growth of smaller costs is not judged
CURVED = 1.3  # a larger power of reports times questions is more than the machine's noise

WHOLE = ", whole"

KINDS: list[dict[str, Any]] = [
    {"kind": "yes_no"},
    {"kind": "single_choice", "options": list("abcd")},
    {"kind": "ordered", "options": list("abcde")},
]
MODEL = {"model": "logistic", "outcome": "q0", "covariates": [{"key": "q1"}]}
Size = tuple[int, int]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--reports", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    options.add_argument("--questions", type=int, nargs="+", default=[5, 50, 200])
    options.add_argument("--largest", type=int, default=10_000_000)
    options.add_argument("--surveys", type=int, nargs="+", default=[10, 100, 1_000])
    chosen = options.parse_args()
    sizes = [(n, k) for k in chosen.questions for n in chosen.reports]
    sizes += [(chosen.largest, chosen.questions[0])] if chosen.largest else []
    redis = Redis()
    try:
        with tempfile.TemporaryDirectory() as data:
            os.environ |= {"OMP_NUM_THREADS": "1", "DATA_DIR": data, "DATABASE_URL": "", "REDIS_URL": redis.url}
            os.environ |= {"DJANGO_SETTINGS_MODULE": "surveys.settings", "SITE_URL": "http://testserver"}
            found = _measure(sizes)
            crowded = _crowded(chosen.surveys)
    finally:
        redis.stop()
    sys.exit(_report(found, crowded))


def _report(found: dict[Size, dict[str, float]], crowded: dict[int, dict[str, float]]) -> int:
    names = list(max(found.values(), key=len))
    header = ["seconds of a processor", *(f"{n:.0e} x {k}".replace("e+0", "e") for n, k in found), "power"]
    rows, wrongs = [], []
    for name in names:
        power = _power({size: costs[name] for size, costs in found.items() if name in costs})
        cells = (f"{costs[name]:.3f}" if name in costs else "-" for costs in found.values())
        rows.append([name, *cells, f"{power:.2f}" if power else ""])
        if power and power > CURVED:
            wrongs.append(f"{name} grows with the power {power:.2f} of reports times questions.")
        if not name.startswith("job:") and not name.endswith(WHOLE):
            wrongs += [
                f"{name} takes a visitor {costs[name]:.1f} s at {n:,} reports of {k} questions."
                for (n, k), costs in found.items()
                if costs.get(name, 0) > PATIENCE
            ]
    lines = tables.table(header, rows)
    sites = [[name, *(f"{costs[name]:.3f}" for costs in crowded.values())] for name in SITE]
    lines += ["", *tables.table(["open surveys", *(f"{count:,}" for count in crowded)], sites)]
    wrongs += [f"{name} grows with the number of surveys." for name in SITE if _climbs(crowded, name)]
    notes = [
        f"The last column is the largest power with which a cost above {FREE} s grows from one size to a next.",
        "",
    ]
    wrongs = wrongs or ["Nothing grows faster than reports times questions, and no page takes two seconds."]
    tables.write("growth", "What pages, files and jobs cost as surveys grow", [*notes, *lines, "", *wrongs])
    return int(not wrongs[0].startswith("Nothing"))


def _power(costs: dict[Size, float]) -> float | None:
    """Return the largest power of growth between sizes that differ in one way, of costs above FREE."""
    powers = [
        math.log(costs[large] / max(costs[small], FREE)) / math.log(large[0] * large[1] / small[0] / small[1])
        for small in costs
        for large in costs
        if (large[0] > small[0]) != (large[1] > small[1]) and large[0] >= small[0] and large[1] >= small[1]
        if costs[large] > FREE
    ]
    return max(powers, default=None)


def _climbs(crowded: dict[int, dict[str, float]], name: str) -> bool:
    """Return whether a cost above FREE grows faster than the number of surveys."""
    first, last = min(crowded), max(crowded)
    return crowded[last][name] > FREE and crowded[last][name] > CURVED * crowded[first][name] * last / first


# Many surveys ---------------------------------------------------------------------------------------------------------


SITE = ("job: sweep, each second", "/surveys/", "/status")


def _crowded(counts: list[int]) -> dict[int, dict[str, float]]:
    """Return the costs to a site where one owner has this many open surveys."""
    from django.contrib.auth.models import User
    from django.test import Client

    from surveys.life.lifecycle import create_draft, open_survey
    from surveys.models import Survey
    from worker import tasks

    owner, staff, found = User.objects.get(username="staff"), Client(raise_request_exception=True), {}
    staff.force_login(owner)
    draft = {"title": "Many", "questions": [KINDS[0] | {"key": "q0", "text": "Question?", "alpha": "1"}]}
    for count in sorted(counts):
        while Survey.objects.filter(state=Survey.State.OPEN).count() < count:
            open_survey(create_draft(draft, owner=owner))
        acts: list[Callable[[], object]] = [tasks.sweep, *(functools.partial(_ask, staff, path) for path in SITE[1:])]
        found[count] = {name: min(_timed(act) for _ in range(3)) for name, act in zip(SITE, acts, strict=True)}
    return found


# One size ------------------------------------------------------------------------------------------------------------


def _measure(sizes: list[Size]) -> dict[Size, dict[str, float]]:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    _costs(1000, 5)  # loads whatever is loaded at first use
    found = {}
    for n, k in sizes:
        print(f"{n:,} reports of {k} questions", file=sys.stderr, flush=True)
        found[n, k] = _costs(n, k)
    return found


def _costs(n: int, k: int) -> dict[str, float]:
    release, draft = _stored(n, k)
    acts = _jobs(release)
    if n * k > FILES_MOST:
        del acts["files"]
    jobs = {f"job: {name}": _timed(act) for name, act in acts.items()}
    return jobs | dict(_pages(release, draft))


def _timed(act: Callable[[], object]) -> float:
    started = time.process_time()
    act()
    return time.process_time() - started


def _stored(n: int, k: int) -> tuple[Any, Any]:
    """Return an ended survey's release of n reports in blocks, and a draft of the same questions."""
    import random

    import numpy as np
    from django.utils import timezone

    from ldp import kinds
    from ldp.privatize import randomize
    from surveys.life import summing
    from surveys.life.lifecycle import close_survey, create_draft, open_survey
    from surveys.models import Block, Release
    from surveys.models.tally import nothing
    from surveys.survey.definition.layout import Layout
    from worker import batches, blocks

    own = [KINDS[i % len(KINDS)] | {"key": f"q{i}", "text": f"Question {i}?", "alpha": "1"} for i in range(k)]
    draft = {"title": f"{k} questions", "questions": own}
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    chance, layout = random.Random(n), Layout(survey.definition)

    def sent(question: Any) -> Any:
        answer = kinds.of(question).random_answer(question, chance)
        return randomize(question, answer, lambda: chance.getrandbits(53))

    values = ({question["key"]: sent(question) for question in survey.questions} for _ in range(DISTINCT))
    distinct = batches.as_rows(survey, 0, [layout.pack(value) for value in values])
    counted = nothing(1)
    for times, length in ((n // BLOCK, BLOCK), (1, n % BLOCK)):
        if not times or not length:
            continue
        rows = distinct[np.random.default_rng(n).integers(0, len(distinct), length)]
        columns, own_counts = blocks.encode(rows), summing.counted(survey, 0, rows)
        for _ in range(times):
            Block.objects.create(survey=survey, stage="released", n=len(rows), columns=columns)
            summing.add(counted[0], own_counts)
    close_survey(survey)
    facts = {"number": 1, "day": timezone.now().date(), "final": True, "digest": summing.totals_digest(counted)}
    return Release.objects.create(survey=survey, **facts, n=n, tallies=counted), create_draft(draft)


def _jobs(release: Any) -> dict[str, Callable[[], object]]:
    """Return the worker's jobs for the release; each asserts that it was done."""
    from django.contrib.auth.models import AnonymousUser

    from surveys.models import Export
    from surveys.models.jobs import Job
    from surveys.researcher.analyses.frame import requests
    from surveys.researcher.analyses.registry import ANALYSES
    from surveys.researcher.workbook import requests as workbook
    from worker import analyses, estimation, exports, recount, workbooks

    def made(row: Job, make: Callable[[int], None]) -> None:
        make(row.pk)
        row.refresh_from_db()
        assert row.state == Job.State.READY, (row, row.state, getattr(row, "reason", ""))

    def computed(name: str, data: dict[str, Any]) -> None:
        analysis = ANALYSES[name]
        made(requests.ask(analysis, None, release, analysis.from_json(data)), analyses.make)

    def exported() -> None:
        Export.ask(release=release)
        made(Export.objects.get(release=release), exports.make)

    def recounted() -> None:
        request = recount.request(release.survey)
        assert request is not None
        for part in recount.missing(request):
            recount.count_part(part.pk)
        assert recount.equal(request)

    waves = ((str(release.survey.slug), 1),)
    known = {"question": "q2", "margins": [
        {"key": "q0", "shares": [0.5, 0.5]}, {"key": "q1", "shares": [0.25] * 4},
    ]}  # fmt: skip
    return {
        "estimates": lambda: estimation.estimate(release),
        "recount": recounted,
        "cross-table": lambda: computed("crossing", {"first": "q0", "second": "q2"}),
        "model": lambda: computed("regression", MODEL),
        "weights": lambda: computed("raking", known),
        "subgroups": lambda: computed("subgroups", {"stratum": "q0"}),
        "files": exported,
        "workbook": lambda: made(workbook.ask(release, waves, AnonymousUser()), workbooks.make),
    }


def _pages(release: Any, draft: Any) -> Iterator[tuple[str, float]]:
    """Yield the cost of each page and file to the first visitor."""
    from django.contrib.auth.models import User
    from django.test import Client

    staff = Client(raise_request_exception=True)
    staff.force_login(User.objects.get_or_create(username="staff", is_superuser=True)[0])
    survey = f"/api/v1/surveys/{release.survey.slug}"
    places = {
        "MODEL": quote(json.dumps(MODEL)),
        "SLUG": str(release.survey.slug),
        "SURVEY": str(release.survey.pk),
        "DRAFT": str(draft.pk),
    }
    for path in PATHS:
        address = functools.reduce(lambda text, name: text.replace(name, places[name]), places, path)
        address = address.replace("API", f"{survey}/releases/1")
        _forget()
        started = time.process_time()
        rest = _ask(staff, address)
        yield path, time.process_time() - started
        if rest is not None:
            for _ in rest:
                pass
            yield f"{path}{WHOLE}", time.process_time() - started


def _ask(client: Any, address: str) -> Iterator[bytes] | None:
    """Return the rows after the first of an answer sent row by row, or None for another answer."""
    answer = client.get(address, headers={"survey-link": address.partition("?link=")[2]})
    assert answer.status_code == 200, (address, answer.status_code)
    if not answer.streaming:
        return None
    rows: Iterator[bytes] = iter(answer.streaming_content)
    next(rows)
    return rows


def _forget() -> None:
    """Forget what the process keeps of a release, so that the next visitor is the first."""
    kept = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    for each in kept:
        if str(getattr(each, "__module__", "")).partition(".")[0] in ("surveys", "ldp"):
            each.cache_clear()


PATHS = (
    "/s/",
    "/respond/definition?link=SLUG",
    "/r/SLUG/1/",
    "/r/SLUG/1/plots/q2-light-wide.svg",
    "/r/SLUG/1/questions/q2/",
    "/r/SLUG/1/downloads/",
    "/r/SLUG/1/cross/",
    "/r/SLUG/1/cross/q0/q2/",
    "/r/SLUG/1/honesty/",
    "/r/SLUG/1/models/",
    "/r/SLUG/1/model/?model=MODEL",
    "/r/SLUG/1/weights/",
    "/r/SLUG/1/subgroups/",
    "/r/SLUG/1/subgroups/q0/",
    "/r/SLUG/1/comparisons/",
    "/r/SLUG/1/codebook/",
    "/r/SLUG/1/dataset.json",
    "/r/SLUG/1/downloads/estimates.csv",
    "/r/SLUG/1/downloads/estimates.sav",
    "/r/SLUG/1/downloads/covariances.csv",
    "/r/SLUG/1/downloads/tables.xlsx",
    "API/estimates",
    "API/covariances",
    "API/readings",
    "API/pairs",
    "API/trend",
    "API/forged",
    "API/codebook",
    "API/crossings/q0/q2",
    "/surveys/",
    "/surveys/SURVEY/",
    "/surveys/SURVEY/progress/",
    "/surveys/SURVEY/files/",
    "/surveys/DRAFT/questions/",
    "/surveys/DRAFT/preview/definition",
    "/surveys/DRAFT/alpha/",
    "/surveys/DRAFT/open/",
    "/surveys/DRAFT/export.xlsx",
)


if __name__ == "__main__":
    main()
