"""Changes of an opened survey. Each action is a conditional update with its audit entry in one transaction."""

from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from surveys.audit import record
from surveys.models import AuditEntry, Export, Release, Survey
from surveys.rules import spelling

Action = AuditEntry.Action


def publish(survey: Survey, user: User, public: bool) -> bool:
    """Show the results to everyone with the link, or only to people with a role. Return False if nothing changed."""
    now_not = Survey.objects.filter(pk=survey.pk, results_public=not public)
    action = Action.PUBLISHED if public else Action.UNPUBLISHED
    return _do(survey, user, action, lambda: now_not.update(results_public=public))


def publish_microdata(survey: Survey, user: User, public: bool) -> bool:
    """Give the randomized reports to everyone with the link, or only to researchers. Return False if nothing changed.
    Public reports have files of the newest release and of each new one."""
    now_not = Survey.objects.filter(pk=survey.pk, microdata_public=not public)
    action = Action.MICRODATA_PUBLISHED if public else Action.MICRODATA_UNPUBLISHED
    changed = _do(survey, user, action, lambda: now_not.update(microdata_public=public))
    if changed and public and (release := Release.objects.readable(survey).last()):
        Export.ask(release=release)
    return changed


def keep_files(survey: Survey, user: User, keep: bool) -> bool:
    """Make and keep the files of reports from the newest release on, or stop that. Return False if nothing changed.
    Files that are already kept stay."""
    now_not = Survey.objects.filter(pk=survey.pk, keeps_files=not keep)
    detail = "keeps the files of each release" if keep else "keeps no files of new releases"
    changed = _do(survey, user, Action.EDITED, lambda: now_not.update(keeps_files=keep), detail)
    if changed and keep and (release := Release.objects.readable(survey).last()):
        Export.ask(release=release)
        Export.objects.filter(release=release).update(kept=True)
    return changed


def let_type(survey: Survey, user: User, wanted: bool) -> bool:
    """Give an opened survey a short code, for people without its link, or remove the code. Return False if nothing
    changed. A guessed code leads to the survey, so only surveys whose designers want a code have one."""
    now_not = Survey.objects.filter(pk=survey.pk, code__isnull=wanted).exclude(state=Survey.State.DRAFT)
    detail = "has a code to type" if wanted else "has no code to type"
    return _do(survey, user, Action.EDITED, lambda: now_not.update(code=_new_code() if wanted else None), detail)


def _new_code() -> str:
    while Survey.objects.filter(code=(code := spelling.short())).exists():
        pass
    return code


def archive(survey: Survey, user: User, archived: bool) -> bool:
    """Put a survey into the archive, or take it out. Return False if nothing changed or the survey is open."""
    candidates = Survey.objects.filter(pk=survey.pk, archived_at__isnull=archived).exclude(state=Survey.State.OPEN)
    action = Action.ARCHIVED if archived else Action.UNARCHIVED
    return _do(survey, user, action, lambda: candidates.update(archived_at=timezone.now() if archived else None))


def set_end(survey: Survey, user: User, closes_at: datetime | None) -> bool:
    """Change or remove the closing time of a survey. Return False if it has ended. A change after a release may depend
    on results, so the survey stores the day of the change (M29)."""
    now = timezone.now()
    running = Survey.objects.filter(Q(closes_at=None) | Q(closes_at__gt=now), pk=survey.pk, state=Survey.State.OPEN)
    detail = f"ends {_moment(closes_at)}" if closes_at else "ends by hand"

    def move() -> int:
        if Release.objects.filter(survey=survey).exists():
            running.exclude(closes_at=closes_at).update(end_moved_on=now.date())
        return running.update(closes_at=closes_at)

    return _do(survey, user, Action.EDITED, move, detail)


def set_opening_time(survey: Survey, user: User, opens_at: datetime | None) -> bool:
    """Change the time from which a survey takes reports; None means now. Return False if it already takes them."""
    waiting = Survey.objects.filter(pk=survey.pk, state=Survey.State.OPEN, opens_at__gt=timezone.now())
    detail = f"begins {_moment(opens_at)}" if opens_at else "begins at once"
    return _do(survey, user, Action.EDITED, lambda: waiting.update(opens_at=opens_at), detail)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _do(survey: Survey, user: User, action: AuditEntry.Action, update: Callable[[], int], detail: str = "") -> bool:
    """Make the update and its audit entry in one transaction. Return whether a row changed."""
    with transaction.atomic():
        changed = update() == 1
        if changed:
            record(user, action, survey, detail)
    if changed:
        survey.refresh_from_db()
    return changed
