"""The demo's survey from one recorded run: opened and ended, with its releases and their totals. Its evidence can be
written again without its 6,366 people."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from surveys.models import Release, Survey
from surveys.public.demo.drafts import draft
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition
from tests.services.system import ROOT
from worker import tasks

FOLDER = ROOT / "docs" / "evidence"
RUN: dict[str, Any] = json.loads(
    Path(__file__).parents[1].joinpath("designer/evidence/demo.json").read_text(encoding="utf-8")
)


def demonstration(definition: Definition | None = None, slug: str = RUN["slug"]) -> Survey:
    """Return the ended survey with all its estimates, by default with the demo's definition."""
    built, people = definition or definitions.build(draft()), RUN["releases"][-1]["n"]
    survey = Survey.objects.create(
        title=built["title"],
        draft=draft(),
        state=Survey.State.CLOSED,
        slug=slug,
        canonical=definitions.canonical(built).decode(),
        digest=definitions.digest(built),
        results_public=True,
        batch=100,
        closes_after=people,
        stored=people,
        opened_at=noon(RUN["opened"]),
        closed_at=noon(RUN["closed"]),
    )
    for one in RUN["releases"]:
        release = Release.objects.create(survey=survey, **one | {"day": date.fromisoformat(one["day"])})
        tasks.estimate(release.pk)
    return survey


def noon(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
