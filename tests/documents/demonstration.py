"""Rewrites tests/designer/evidence/demo.json: the totals of one run of the demo's survey. The respondent's program
draws the reports, and the worker's tasks release them. `.venv/bin/python -m tests.documents.demonstration` runs it; run
tests.documents.evidence afterwards."""

import json
import os
import random
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PATH = Path(__file__).parents[1] / "designer" / "evidence" / "demo.json"
LOOKS = 12  # releases are tried this often while reports come


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"DATA_DIR": data, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        PATH.write_text(json.dumps(_run()) + "\n", encoding="utf-8")


def _run() -> dict[str, Any]:
    from surveys.life.lifecycle import close_survey, create_draft, open_survey
    from surveys.models import Release
    from surveys.public.demo import drafts, respondents
    from tests.support.estimates import work

    survey = create_draft(drafts.draft(), results_public=True)
    open_survey(survey)
    people = list(respondents.answers(survey.definition))
    chance = random.Random(6366)
    chance.shuffle(people)
    for look in range(LOOKS):
        _store(survey, people[look::LOOKS], chance)
        work(survey)
    close_survey(survey)
    releases = Release.objects.filter(survey=survey).order_by("number")
    while not releases.filter(final=True).exists():
        work(survey)
    day = str(datetime.now(UTC).date())
    return {
        "slug": survey.slug,
        "digest": survey.digest,
        "opened": day,
        "closed": day,
        "releases": [
            {"number": each.number, "day": str(each.day), "final": each.final}
            | {"n": each.n, "digest": each.digest, "tallies": each.tallies}
            for each in releases
        ],
    }


def _store(survey: Any, people: list[Any], chance: random.Random) -> None:
    """Store waiting reports of these people."""
    from surveys.api.programs.respondent import draw_form, make_report
    from surveys.models import Report
    from surveys.respondent.intake.envelope import parse
    from surveys.survey.definition.layout import layouts

    def words() -> int:
        return chance.getrandbits(32)

    each, definition = layouts(survey.definition), survey.definition
    for answers in people:
        sent = parse(make_report(definition, survey.digest, answers, words, draw_form(definition, words)).encode())
        packed = each[sent.form or 0].pack(sent.answers)
        Report.objects.create(id=sent.report_id, survey=survey, form=sent.form or 0, packed=packed)


if __name__ == "__main__":
    main()
