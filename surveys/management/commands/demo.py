"""`manage.py demo`: the whole journey of 6,366 real people's answers on this machine, and then the open site."""

import secrets
import signal
import threading
import time
from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from tqdm import tqdm

from ldp.privatize import make_report
from ldp.words import system_words
from surveys import sending
from surveys.demo import respondents, truth
from surveys.models import Release, Survey, Taken
from surveys.running.embedded import Embedded, EmbeddedError

THREADS = 8
RELEASE_SECONDS = 120

# The intervals of a question hold together in 95 of 100 runs, so one of 24 shares is missed now and then. More than
# a third missed happens by chance less than once in a million runs: then something is wrong.
MISSED_MAX = 1 / 3


class Command(BaseCommand):
    help = "Runs the demo survey: 6,366 real answers, randomized, sent, counted, estimated and compared to the truth."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--stay", action=BooleanOptionalAction, default=True, help="leave the site running")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, stay: bool, host: str, port: int, **options: Any) -> None:
        asked_to_end = threading.Event()
        try:
            with Embedded(host, port) as system:
                system.wait_ready()
                survey = self._survey()
                people = list(respondents.answers(survey.frozen))
                acknowledged = self._send(survey, people, system.url)
                survey.close()
                self._compare(survey, self._released(survey), people, acknowledged)
                if stay:
                    for request in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                        signal.signal(request, lambda *_: asked_to_end.set())
                    self._links(survey, system.url)
                    asked_to_end.wait()
        except (EmbeddedError, sending.ReportRejected, TimeoutError) as trouble:
            raise CommandError(str(trouble)) from trouble
        except KeyboardInterrupt:
            raise CommandError("Stopped before the end.") from None

    def _survey(self) -> Survey:
        survey = Survey.objects.draft(respondents.draft(), results_public=True)
        survey.open()
        self.stdout.write(f"Opened “{survey}”: alpha {survey.alpha_total} in total, digest {survey.digest[:16]}…")
        return survey

    def _send(self, survey: Survey, people: list[respondents.Answers], url: str) -> int:
        """Each person's report through the mechanisms' Python twin and the site's own intake."""
        bodies = (make_report(survey.frozen, survey.digest, answers, system_words) for answers in people)
        with tqdm(total=len(people), desc="Randomizing and sending", unit=" reports") as bar:
            return sending.send_all(
                url + reverse("reports", args=[survey.slug]), bodies, THREADS, lambda sent: bar.update()
            )

    def _released(self, survey: Survey) -> Release:
        """The final release of the closed survey."""
        self.stdout.write("The survey is closed. Waiting for the worker to release its results …")
        deadline = time.monotonic() + RELEASE_SECONDS
        while time.monotonic() < deadline:
            release = Release.objects.latest_of(survey)
            if release is not None and release.final:
                return release
            time.sleep(0.2)
        raise CommandError(f"The worker did not release the results within {RELEASE_SECONDS} s.")

    def _compare(self, survey: Survey, release: Release, people: list[respondents.Answers], acknowledged: int) -> None:
        rows = truth.compare(release.document, people)
        contained = sum(row.contained for row in rows)
        stored = Taken.objects.filter(survey=survey).count()
        self.stdout.write(f"\n{truth.as_text(rows)}\n")
        self.stdout.write(f"{contained} of {len(rows)} true shares lie in their simultaneous intervals.")
        self.stdout.write(f"{acknowledged} reports acknowledged, {stored} stored, {release.n} counted.")
        if not acknowledged == stored == release.n == len(people):
            raise CommandError("Reports were lost or counted twice.")
        if len(rows) - contained > MISSED_MAX * len(rows):
            raise CommandError("The intervals miss more true shares than chance allows.")

    def _links(self, survey: Survey, url: str) -> None:
        password, open_now = _designer_password(), self._survey()
        self.stdout.write(
            f"\nThe site stays up until Ctrl-C.\n"
            f"  Respondent  {url}{reverse('respond', args=[open_now.slug])} (the same questions, for you)\n"
            f"  Designer    {url}{reverse('admin:surveys_survey_change', args=[survey.pk])}\n"
            f"              sign in as designer with the password {password}\n"
            f"  Researcher  {url}{reverse('results', args=[survey.slug])}"
        )
        self.stdout.flush()


def _designer_password() -> str:
    """A new password for the account `designer`, which is made where it is missing."""
    password = secrets.token_urlsafe(9)
    users = get_user_model().objects
    designer, _ = users.get_or_create(username="designer", defaults={"is_staff": True, "is_superuser": True})
    designer.set_password(password)
    designer.save()
    return password
