"""`manage.py recount SLUG`: the newest release counted again from its blocks."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from surveys.models import Survey
from worker import recount, tasks


class Command(BaseCommand):
    help = "Recounts a survey from its blocks, on the running workers, and compares with its newest release."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--here", action="store_true", help="count in this process instead of on the workers")
        parser.add_argument("--seconds", type=float, default=3600, help="how long to wait for the workers")

    def handle(self, *args: Any, slug: str, here: bool, seconds: float, **options: Any) -> None:
        survey = Survey.objects.filter(slug=slug).first()
        if survey is None:
            raise CommandError("No survey has this slug.")
        request = recount.request(survey)
        if request is None:
            raise CommandError("The survey has no release yet: nothing can be counted again.")
        with tqdm(total=request.parts.count(), desc="Counting blocks", unit=" blocks") as bar:
            if here:
                for pk in recount.missing(request).values_list("pk", flat=True):
                    recount.count_part(pk)
                    bar.update()
            else:
                tasks.dispatch(request)
                self._wait(request, bar, time.monotonic() + seconds)
        n = sum(each["n"] for each in recount.result(request))
        same, release = recount.equal(request), request.release
        request.delete()
        if not same:
            raise CommandError(f"The recount differs from the release: {n} reports against {release.n}.")
        self.stdout.write(f"The recount equals release {release.number}: {n} reports.")

    def _wait(self, request: Any, bar: Any, deadline: float) -> None:
        while (missing := recount.missing(request).count()) > 0:
            bar.update(bar.total - missing - bar.n)
            if time.monotonic() > deadline:
                raise CommandError(f"{missing} blocks were not counted in time. Is a worker running?")
            time.sleep(0.1)
        bar.update(bar.total - bar.n)
