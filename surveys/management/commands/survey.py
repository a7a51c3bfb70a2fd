"""A survey's life: `manage.py survey draft | open | invite | restored | close | evidence | list`."""

import json
from argparse import ArgumentParser
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.dateparse import parse_date, parse_datetime

from surveys.designer.evidence import catalog, facts
from surveys.designer.files import shape
from surveys.designer.studio.terms import end_of
from surveys.drafts import proposals
from surveys.life.lifecycle import Terms, close_survey, create_draft, open_survey
from surveys.models import Survey
from surveys.respondent.invitations import book, refusals, restoration
from surveys.respondent.page.links import link
from surveys.survey.definition import DraftDecoder, DraftRefused, warnings
from surveys.survey.definition.invitations import FIELD
from surveys.survey.definition.languages import languages_of


class Command(BaseCommand):
    help = "Drafts, opens, closes and lists surveys, invites people to them, and writes their evidence."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        draft = actions.add_parser("draft", help="store a draft from a JSON file")
        draft.add_argument("file", type=Path)
        draft.add_argument("--owner", help="the account whose draft it is (default: the only owner of the site)")
        draft.add_argument("--publish-results", action="store_true", help="anyone with the link may see results")
        draft.add_argument("--publish-once", action="store_true", help="no results before the survey has ended")
        draft.add_argument("--closes-after", type=int, help="close by itself at this number of reports")
        draft.add_argument(
            "--closes-at",
            help="ISO date and time with offset, such as 2030-01-31T12:00:00+00:00, or a day, whose end it is (UTC)",
        )
        actions.add_parser("open", help="freeze a draft and take reports").add_argument("id", type=int)
        invite = actions.add_parser("invite", help="links for one report each, of a survey by invitation")
        invite.add_argument("slug")
        invite.add_argument("--count", type=int, default=1, help="how many people are invited (default: 1)")
        invite.add_argument("--language", default="", help="the language of the links (default: that of each browser)")
        invite.add_argument("--group", default="", help="their group, for response rates or for results by group")
        restored = actions.add_parser("restored", help="go on with an older book of invitations than the database")
        restored.add_argument("slug")
        actions.add_parser("close", help="take no more reports").add_argument("slug")
        evidence = actions.add_parser("evidence", help="write all evidence documents of a survey into a folder")
        evidence.add_argument("survey", help="its slug, or its number")
        evidence.add_argument("folder", type=Path, nargs="?", help="a new or empty one (default: evidence-<number>)")
        actions.add_parser("list", help="all surveys with their links")

    def handle(self, action: str, **options: Any) -> None:
        getattr(self, f"_{action}")(**options)

    def _draft(
        self,
        file: Path,
        owner: str | None,
        publish_results: bool,
        closes_at: str | None,
        closes_after: int | None,
        publish_once: bool,
        **options: Any,
    ) -> None:
        terms = {"closes_at": _moment(closes_at), "closes_after": _enough(closes_after), "publishes_once": publish_once}
        try:
            draft = _with_alphas(json.loads(file.read_text(encoding="utf-8"), cls=DraftDecoder))
            survey = create_draft(draft, owner=_owner(owner), results_public=publish_results, **terms)
        except (OSError, UnicodeError, json.JSONDecodeError) as error:
            raise CommandError(f"{file}: {error}") from None
        except DraftRefused as refusal:
            raise CommandError("\n".join(f"{file}: {one}" for one in refusal.refusals)) from None
        self.stdout.write(
            f"Draft {survey.pk}: {survey}. Open it with: {settings.LOCAL_SITE.command} survey open {survey.pk}"
        )

    def _open(self, id: int, **options: Any) -> None:
        try:
            survey = Survey.objects.get(pk=id)
            open_survey(survey)
        except (Survey.DoesNotExist, ValueError) as refusal:
            raise CommandError(str(refusal)) from None
        for warning in warnings(survey.definition):
            self.stderr.write(self.style.WARNING(f"Note: {warning}."))
        self._show(survey)

    def _invite(self, slug: str, count: int, language: str, group: str, **options: Any) -> None:
        survey = _by_invitation(slug)
        if language and language not in languages_of(survey.definition):
            raise CommandError(f"The survey has no texts in {language}.")
        try:
            tokens = book.invite(survey.digest, count, group, survey.unit_least)
        except (book.TooManyInvitations, book.SmallUnit, book.NoUnit) as error:
            raise CommandError(" ".join(refusals.reasons(error, survey.unit_least)[1])) from None
        for token in tokens:
            self.stdout.write(settings.SITE_URL + link(slug, language, token))

    def _restored(self, slug: str, **options: Any) -> None:
        again = restoration.forgive(_by_invitation(slug))
        self.stdout.write(f"At least {again} people who have answered can answer once more.")

    def _close(self, slug: str, **options: Any) -> None:
        survey = Survey.objects.filter(slug=slug).first()
        if survey is None or not close_survey(survey):
            raise CommandError("No open survey has this slug.")
        self.stdout.write(f"{survey} is closed.")

    def _evidence(self, survey: str, folder: Path | None, **options: Any) -> None:
        one = _survey(survey)
        target = folder or Path(f"evidence-{one.pk}")
        try:
            own = facts.of_survey(one)
            written = catalog.write(own, target)
        except DraftRefused as refusal:
            raise CommandError("\n".join(f"{survey}: {each}" for each in refusal.refusals)) from None
        except OSError as error:
            raise CommandError(str(error)) from None
        for path in written:
            self.stdout.write(str(path))

    def _list(self, **options: Any) -> None:
        for survey in Survey.objects.order_by("pk"):
            self._show(survey)

    def _show(self, survey: Survey) -> None:
        self.stdout.write(f"{survey.pk} {survey.state} {survey}")
        if survey.slug:
            self.stdout.write(f"  digest      {survey.digest}")
            self.stdout.write(f"  respondents {settings.SITE_URL}{link(survey.slug)}")
            site = settings.SITE_URL if survey.results_public else settings.STAFF_URL
            self.stdout.write(f"  results     {site}{reverse('results', args=[survey.slug])}")


def _by_invitation(slug: str) -> Survey:
    survey = Survey.objects.filter(slug=slug, state=Survey.State.OPEN).first()
    if survey is None or FIELD not in survey.definition:
        raise CommandError("No open survey by invitation has this slug.")
    return survey


def _survey(name: str) -> Survey:
    """Return the survey with this slug or number."""
    survey = Survey.objects.filter(slug=name).first()
    if survey is None and name.isascii() and name.isdigit():
        survey = Survey.objects.filter(pk=int(name)).first()
    if survey is None:
        raise CommandError(f"{name}: no survey has this slug or number.")
    return survey


def _with_alphas(draft: Any) -> Any:
    """Give a draft without alphas the studio's proposal. Return any other or refused draft unchanged."""
    try:
        proposed = shape.draft(deepcopy(draft))
    except DraftRefused:
        return draft
    return proposed if proposals.propose(proposed) else draft


def _owner(name: str | None) -> User:
    """Return the account of this name; without a name, the site's owner if there is exactly one."""
    if name is not None:
        named = User.objects.filter(username=name, is_active=True).first()
        if named is None:
            raise CommandError(f"--owner: there is no active account of the name {name}. Nothing was stored.")
        return named
    owners = list(User.objects.filter(is_superuser=True, is_active=True)[:2])
    if not owners:
        raise CommandError(
            f"Whose draft is it? The site has no owner yet: make one with {settings.LOCAL_SITE.command} owner NAME, or "
            "name an account with --owner."
        )
    if len(owners) > 1:
        raise CommandError("Whose draft is it? The site has several owners: name an account with --owner.")
    return owners[0]


def _enough(closes_after: int | None) -> int | None:
    try:
        Terms(closes_after=closes_after).check()
    except DraftRefused as refusal:
        raise CommandError(f"--closes-after: {refusal.refusals[0].rule}") from None
    return closes_after


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        day, moment = parse_date(text), parse_datetime(text)
    except ValueError:  # well-formed, but no such day or hour
        day = moment = None
    if day is not None:
        return end_of(day)
    if moment is None or moment.tzinfo is None:
        rule = (
            "must be an ISO date and time with an offset, such as 2030-01-31T12:00:00+00:00, or a day, whose end it is"
        )
        raise CommandError(f"--closes-at: {rule}")
    return moment
