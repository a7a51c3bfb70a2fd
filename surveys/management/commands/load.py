"""`manage.py load SLUG`: a load test with many simultaneous respondents. It also checks that no report is lost.

Answers are random, and Python makes the reports. A failed request is repeated with the same bytes. Some reports are
sent twice on purpose, as by an impatient person with two tabs.
"""

import random
import statistics
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from tqdm import tqdm

from ldp import kinds
from ldp.privatize import report
from ldp.question import Answers
from ldp.words import system_words
from surveys.models import Survey
from surveys.public.demo.client import ReportRejected, Sent, send_all
from surveys.survey.definition.document import Definition

_CHANCE = random.Random()


class Command(BaseCommand):
    help = "Sends random respondents' reports to an open survey and prints the rate, the latency and the retries."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--reports", type=int, default=10_000, help="how many respondents (default: 10000)")
        parser.add_argument("--threads", type=int, default=16, help="how many send at the same time (default: 16)")
        parser.add_argument("--twice", type=float, default=0.02, help="share that is sent twice (default: 0.02)")
        parser.add_argument("--url", help="URL of the site (default: SITE_URL)")

    def handle(self, *args: Any, slug: str, reports: int, threads: int, twice: float, **options: Any) -> None:
        survey = Survey.objects.filter(slug=slug, state=Survey.State.OPEN).first()
        if survey is None:
            raise CommandError("No open survey has this slug.")
        if reports < 1 or threads < 1 or not 0 <= twice <= 1:
            raise CommandError("--reports and --threads must be at least 1, --twice from 0 to 1.")
        url = (options["url"] or settings.SITE_URL) + reverse("reports", args=[slug])
        sent: list[Sent] = []
        started = time.monotonic()
        with tqdm(total=reports, unit=" reports") as bar:

            def done(one: Sent) -> None:
                sent.append(one)
                bar.update()

            try:
                send_all(url, _bodies(survey, reports, twice), threads, done)
            except (ReportRejected, TimeoutError) as error:
                where = "" if options["url"] else f" (sent to {settings.SITE_URL}; --url names another URL)"
                raise CommandError(f"After {len(sent)} acknowledged reports{where}: {error}.") from None
        self._print(sent, reports, time.monotonic() - started)

    def _print(self, sent: list[Sent], reports: int, seconds: float) -> None:
        latencies = [1000 * one.seconds for one in sent]
        percentiles = statistics.quantiles(latencies, n=100) if len(latencies) > 1 else latencies * 99
        self.stdout.write(f"{reports} reports acknowledged, {len(sent) - reports} of them twice, in {seconds:.1f} s")
        self.stdout.write(f"{len(sent) / seconds:.0f} requests a second, {sum(one.tries - 1 for one in sent)} retries")
        self.stdout.write(f"latency: median {percentiles[49]:.1f} ms, 99 of 100 below {percentiles[98]:.1f} ms")


def _bodies(survey: Survey, reports: int, twice: float) -> Iterator[str]:
    for _ in range(reports):
        body = report(survey.definition, survey.digest, random_answers(survey.definition), system_words)
        yield body
        if random.random() < twice:
            yield body


def random_answers(definition: Definition) -> Answers:
    return {
        question["key"]: kinds.of(question).random_answer(question, _CHANCE) for question in definition["questions"]
    }
