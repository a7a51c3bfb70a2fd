"""`manage.py demo`: real answers through the whole system on this machine, and then a site to try."""

import json
import signal
import threading
import time
from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from tqdm import tqdm

from ldp.privatize import report
from ldp.question import Answers
from ldp.words import system_words
from surveys.figures.targets import usual_target
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import AnalysisRun, Release, ReportId, Survey
from surveys.operation.embedded.parent import Embedded
from surveys.operation.embedded.parts import EmbeddedError
from surveys.public.demo import client, drafts, previous_run, respondents, truth
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.crossings.pairs import CrossedQuestions
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.views import page_address
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.results import response_cache
from surveys.respondent.page.links import link
from surveys.survey import definition

THREADS = 8
RELEASE_SECONDS = 120

# All intervals of a question hold in 95 of 100 runs, so now and then one misses its share. More than a third miss by
# chance in less than one of a million runs, so that is an error.
MISSED_MAX = 1 / 3


class Command(BaseCommand):
    help = "Runs the demo survey: real answers, randomized, sent, counted, estimated and compared to the truth."

    people = "fair"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--stay", action=BooleanOptionalAction, default=True, help="leave the site running")
        parser.add_argument("--people", choices=respondents.PEOPLE, default="fair", help="whose answers")
        parser.add_argument("--fresh", action="store_true", help="send new reports even if an earlier run has")
        parser.add_argument("--host", default="127.0.0.1")

    def handle(self, *args: Any, stay: bool, people: str, fresh: bool, host: str, **options: Any) -> None:
        ended, self.people, port = threading.Event(), people, settings.LOCAL_SITE.port
        self.stdout.write(f"Starting the demo on port {port}: database, pages and workers …")
        self.stdout.flush()
        try:
            with Embedded(host, port) as system:
                given = list(respondents.answers(definition.build(drafts.draft(people)), people))
                release = None if fresh else previous_run.released(people, len(given))
                survey = self._again(release, given) if release else self._journey(given, system.url)
                if stay:
                    for request in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                        signal.signal(request, lambda *_: ended.set())
                    self._links(survey, system.url)
                    ended.wait()
        except (EmbeddedError, client.ReportRejected, TimeoutError) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped before the end.") from None

    def _journey(self, people: list[Answers], url: str) -> Survey:
        survey = self._survey(closes_after=len(people))
        forms: list[int] = []
        acknowledged = self._send(survey, people, url, forms)
        close_survey(survey)  # if reports were lost
        release = self._released(survey)
        self._compare(survey, release, people, forms, acknowledged)
        if pair := respondents.CROSSED.get(self.people):
            requests.ask(CROSSINGS, None, release, CrossedQuestions(*pair))
        if model := respondents.EXPLAINED.get(self.people):
            requests.ask(REGRESSIONS, None, release, model)
        return survey

    def _again(self, release: Release, people: list[Answers]) -> Survey:
        self.stdout.write(f"An earlier run has sent {len(people)} reports; --fresh (make demo FRESH=1) sends new ones.")
        self.stdout.write(previous_run.table(release.survey))
        return release.survey

    def _survey(self, closes_after: int | None = None) -> Survey:
        survey = create_draft(drafts.draft(self.people), results_public=True, closes_after=closes_after)
        open_survey(survey)
        self.stdout.write(f"Opened “{survey}”: alpha {survey.alpha_total} in total, digest {survey.digest[:16]}…")
        return survey

    def _send(self, survey: Survey, people: list[Answers], url: str, forms: list[int]) -> int:
        """Send each person's report to the site's intake, and append its form to `forms`. The Python mechanisms make
        the reports. Return how many were acknowledged."""

        def body(answers: Answers) -> str:
            made = report(survey.definition, survey.digest, answers, system_words)
            forms.append(json.loads(made).get("form", 0))
            return made

        bodies = map(body, people)
        with tqdm(total=len(people), desc="Randomizing and sending", unit=" reports") as bar:
            return client.send_all(
                url + reverse("reports", args=[survey.slug]), bodies, THREADS, lambda sent: bar.update()
            )

    def _released(self, survey: Survey) -> Release:
        """Wait for the final release of the closed survey and return it."""
        self.stdout.write("The survey is closed. Waiting for the worker to release its results …")
        deadline = time.monotonic() + RELEASE_SECONDS
        while time.monotonic() < deadline:
            release = Release.objects.latest_of(survey)
            if release is not None and release.final:
                return release
            time.sleep(0.2)
        raise CommandError(f"The worker did not release the results within {RELEASE_SECONDS} s.")

    def _compare(
        self, survey: Survey, release: Release, people: list[Answers], forms: list[int], acknowledged: int
    ) -> None:
        target = usual_target(survey.definition)
        rows = truth.compare(response_cache.document(release), survey.questions, people, forms, target)
        table = f"\n{truth.as_text(rows, target)}"
        previous_run.keep_table(survey, table)
        self.stdout.write(table)
        stored = ReportId.objects.filter(survey=survey).count()
        self.stdout.write(f"{acknowledged} reports acknowledged, {stored} stored, {release.n} counted.")
        if not acknowledged == stored == release.n == len(people):
            raise CommandError("Reports were lost or counted twice.")
        if sum(not row.contained for row in rows) > MISSED_MAX * len(rows):
            raise CommandError("The intervals miss more true shares than chance allows.")

    def _links(self, survey: Survey, url: str) -> None:
        password, open_now = previous_run.new_password(), previous_run.open_survey(self.people) or self._survey()
        previous_run.give([survey, open_now])
        change = f"{settings.LOCAL_SITE.command} changepassword {previous_run.DESIGNER}"
        first = f"its password of the first run; {change} sets another"
        self.stdout.write(
            f"\nThe site stays up until Ctrl-C. Commands beside it: {settings.LOCAL_SITE.command} …\n"
            f"  Respondent  {url}{link(str(open_now.slug))} (the same questions, for you)\n"
            f"  Designer    {url}{reverse('survey', args=[survey.pk])}\n"
            f"              sign in as {previous_run.DESIGNER} "
            f"with {f'the password {password}' if password else first}\n"
            f"  Researcher  {url}{reverse('results', args=[survey.slug])}"
        )
        for analysis, name in ((CROSSINGS, "a cross-table"), (REGRESSIONS, "a linear model")):
            for run in AnalysisRun.objects.filter(release__survey=survey, kind=analysis.name).select_related("release"):
                place = page_address(analysis, run.release, analysis.from_json(run.specification))
                self.stdout.write(f"              {url}{place} ({name})")
        self.stdout.flush()
