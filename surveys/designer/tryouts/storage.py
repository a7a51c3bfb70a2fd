"""The testers' link, and stored test answers. No count includes test answers.

A test answer's digest carries a mark. So no intake accepts it as a report: a report's digest has exactly 64 hexadecimal
digits (intake/envelope.py). A report in turn is no test answer, because this module refuses bytes without the mark.
"""

import json
import re
import secrets
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from ldp.forms import report
from surveys.audit import record
from surveys.designer.studio.preview import preview
from surveys.drafts import NotDraft
from surveys.models import AuditEntry, Survey, TryoutLink, TryoutReport
from surveys.respondent.intake import refusals, replies
from surveys.respondent.intake.replies import Opened, Reply
from surveys.survey import definition as definitions
from surveys.survey import mechanisms
from surveys.survey.definition.layout import body_limit, layouts
from surveys.survey.mechanisms.report_words import ReportWords

MARK = "test-"
MOST = 20  # test answers of a draft, the newest
NO_MARK = f"must begin with “{MARK}”: a test answer is no report"
_MARKED = re.compile(rb'("digest"\s*:\s*")' + MARK.encode())


class TryoutAnswer(NamedTuple):
    """The value of a question in a test answer."""

    key: str
    question: str
    reading: ReportWords


def opened(survey: Survey) -> tuple[Opened, str] | None:
    """Return the draft as the intake would know it once open, and its canonical text; None if nothing can be asked
    yet."""
    definition = preview(survey.draft).definition
    if definition is None:
        return None
    each = layouts(definition)
    limit = max(map(body_limit, each)) + len(MARK)
    says = "form" if "forms" in definition else None
    text = definitions.canonical(definition).decode()
    return Opened(survey.pk, definitions.digest(definition), each, says, limit, False, []), text


def receive(survey: Survey, body: bytes) -> TryoutReport | Reply:
    """Store a test answer and return it, or the refusal. Raise NotDraft if the survey is no draft any more. A repeated
    answer is stored once."""
    current = opened(survey)
    if current is None:
        return replies.refuse(refusals.OTHER_DEFINITION, field="digest")
    known, text = current
    if len(body) > known.limit:
        return replies.refuse(refusals.TOO_LARGE, limit=known.limit)
    unmarked, marks = _MARKED.subn(rb"\1", body)
    if marks != 1:
        return replies.refuse(refusals.MALFORMED, field="digest", rule=NO_MARK)
    row = replies.read(known, unmarked)
    return row if isinstance(row, Reply) else _store(survey, body.decode(), text)


def _store(survey: Survey, body: str, definition: str) -> TryoutReport:
    """Store a test answer under the lock of the survey's row, so that none is stored after opening."""
    with transaction.atomic():
        if not Survey.objects.select_for_update().filter(pk=survey.pk, state=Survey.State.DRAFT).exists():
            raise NotDraft
        of_survey = TryoutReport.objects.filter(survey=survey)
        stored = of_survey.filter(body=body).first()
        if stored is None:
            now = timezone.now().replace(second=0, microsecond=0)
            stored = of_survey.create(survey=survey, body=body, definition=definition, at=now)
            newest = of_survey.order_by("-pk").values_list("pk", flat=True)[:MOST]
            of_survey.exclude(pk__in=list(newest)).delete()
    return stored


def link_of(survey: Survey) -> str:
    """Return the token of the testers' link; "" if there is none."""
    return TryoutLink.objects.filter(survey=survey).values_list("token", flat=True).first() or ""


def renew_link(survey: Survey, user: User) -> None:
    """Make a link for testers; an earlier one stops working. Raise NotDraft if the survey is no draft."""
    with transaction.atomic():
        if not Survey.objects.select_for_update().filter(pk=survey.pk, state=Survey.State.DRAFT).exists():
            raise NotDraft
        TryoutLink.objects.update_or_create(survey=survey, defaults={"token": secrets.token_urlsafe(24)})
        record(user, AuditEntry.Action.EDITED, survey, "made a link for testers")


def end_link(survey: Survey, user: User) -> None:
    if TryoutLink.objects.filter(survey=survey).delete()[0]:
        record(user, AuditEntry.Action.EDITED, survey, "ended the link for testers")


def newest_first(survey: Survey) -> list[TryoutReport]:
    return list(TryoutReport.objects.filter(survey=survey).order_by("-pk"))


def forget(survey: Survey) -> None:
    TryoutReport.objects.filter(survey=survey).delete()


def lines(row: TryoutReport) -> list[TryoutAnswer]:
    """Return a test answer's values in words, one for each question."""
    sent, definition = json.loads(row.body), json.loads(row.definition)
    answers = sent["answers"]
    return [
        TryoutAnswer(
            question["key"], question["text"], mechanisms.of(question).report.read(question, answers[question["key"]])
        )
        for question in report.alone(definition, [sent.get("form", 0)])
    ]
