"""A survey's life: draft, open, closed. Each step is a conditional update, so only one of two attempts succeeds."""

import secrets
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from ldp.forms import report
from ldp.forms.definition import forms as forms_of
from ldp.forms.definition import groups as groups_of
from surveys import drafts
from surveys.audit import record
from surveys.life import chain
from surveys.life.versions import can_take_link
from surveys.models import AuditEntry, Revision, Snapshot, Survey, Tally, TryoutLink, TryoutReport
from surveys.models.tally import nothing
from surveys.respondent.invitations import blind, book
from surveys.respondent.invitations.file import exists as book_exists
from surveys.respondent.invitations.restoration import by_invitation
from surveys.respondent.relay import keys as gateway_keys
from surveys.rules import spelling
from surveys.rules.draft import Draft
from surveys.rules.refusals import refuse
from surveys.survey import definition as definitions
from surveys.survey.definition import invitations, relay
from surveys.survey.definition.document import Definition
from surveys.transparency.check import manifest
from surveys.transparency.log import entries


def create_draft(draft: Draft, **fields: Any) -> Survey:
    """Store and return a complete draft, perhaps with an `owner`. Raise DraftRefused with the missing parts."""
    definitions.build(draft)
    return drafts.begin(draft, **fields)


def begin_draft(
    owner: User,
    draft: Draft,
    action: AuditEntry.Action = AuditEntry.Action.CREATED,
    detail: str = "",
    expected_n: int | None = None,
) -> Survey:
    """Store and return a draft of `owner`, complete or not."""
    return drafts.begin(draft, owner, action, detail, expected_n=expected_n)


class DraftChanged(ValueError):
    """The draft is not the one that was shown."""


BOOK_ELSEWHERE = gettext_noop("must be opened on the machine of this site that has the book of invitations")
NO_RELAY = gettext_noop("must be one of the relays of this site: %(relays)s")
NO_RESULTS = gettext_noop("must not be chosen for a survey that ends by itself at a precision")
NO_ESTIMATES = gettext_noop(
    "must be empty: intervals of “%(question)s” may never get that narrow, because several answers decide who is asked "
    "it"
)
LINK_KEPT = gettext_noop(
    "must not be chosen: only a designer of the earlier version can take over its link, and both versions must be "
    "answered by an open link"
)
TOO_SOON = gettext_noop("must be at least %(least)s: with fewer reports nothing is published")


class Terms(NamedTuple):
    """The terms of an opened survey: its beginning and end, the smallest number of reports that a release adds, whether
    the only release is at the end, and whether earlier versions' links lead to it."""

    opens_at: datetime | None = None
    closes_at: datetime | None = None
    closes_after: int | None = None
    closes_at_half_width: float | None = None
    batch: int | None = None
    publishes_once: bool = False
    takes_link: bool = False

    @classmethod
    def of(cls, survey: Survey) -> "Terms":
        return cls(*(getattr(survey, name) for name in cls._fields))

    def check(self) -> None:
        """Raise DraftRefused if these terms allow no release."""
        if self.closes_after is not None and self.closes_after < settings.RELEASE_LEAST:
            raise refuse("closes_after", "batch_size", TOO_SOON, least=settings.RELEASE_LEAST)
        if self.publishes_once and self.closes_at_half_width is not None:
            raise refuse("publishes_once", "ends_by_results", NO_RESULTS)


def open_survey(survey: Survey, user: User | None = None, digest: str = "", terms: Terms | None = None) -> None:
    """Open a survey: freeze `survey.draft` into the definition, on these terms or the stored ones.

    Raise DraftRefused for missing parts, an unknown earlier wave, terms that allow no results, or a link that `user`
    may not take over. Raise DraftChanged if the definition would have another digest or the draft was changed since
    `survey` was read. Raise ValueError if the survey is no draft.
    """
    definition = definitions.build(survey.draft)
    if digest not in ("", definitions.digest(definition)):
        raise DraftChanged("the draft was changed since it was shown")
    terms = terms or Terms.of(survey)
    terms.check()
    check_precision(definition, terms)
    chain.check(definition)
    check_relay(definition)
    check_book(definition)
    with transaction.atomic():
        stored = Survey.objects.select_for_update().filter(pk=survey.pk, state=Survey.State.DRAFT).first()
        if stored is None:
            raise ValueError("only a draft can be opened")
        if stored.draft != survey.draft:
            raise DraftChanged("the draft was changed at this moment")
        if terms.takes_link:
            check_link(stored, user)
        _freeze(stored, _with_keys(_with_relay(definition)), terms)
        forms = len(forms_of(definition))
        Tally.objects.create(survey=survey, tallies=nothing(forms), held=nothing(forms))
        for kept in (Revision, Snapshot, TryoutLink, TryoutReport):  # frozen drafts have no undo and no test answers
            kept._default_manager.filter(survey=stored).delete()
        survey.refresh_from_db()
        entries.enter_survey(survey, manifest.digest())
        if user:
            record(user, AuditEntry.Action.OPENED, survey, f"digest {survey.digest}")


def check_precision(definition: Definition, terms: Terms) -> None:
    """Raise DraftRefused for an end at a precision that some question never reaches."""
    if terms.closes_at_half_width is not None and (question := never_narrow(definition)):
        raise refuse("closes_at_half_width", "ends_by_results", NO_ESTIMATES, question=question)


def never_narrow(definition: Definition) -> str:
    """Return the text of the first question of which reports only bound how many people are asked it, if results decide
    when the survey ends (M34e); empty if there is none."""
    from ldp.regression.condition_scores import bounded  # scipy takes a while to load

    return next((each["text"] for each in bounded(report.alone(definition), True)), "")


def check_link(draft: Survey, user: User | None) -> None:
    """Raise DraftRefused unless `user` may take over the earlier version's link."""
    if not can_take_link(draft, user):
        raise refuse("takes_link", "link_kept", LINK_KEPT)


def check_relay(definition: Definition) -> None:
    """Raise DraftRefused for a relay that the site does not have. Pages may not connect to other relays, and those do
    not know the site's gateway."""
    origin = relay.origin_of(definition)
    if origin is not None and origin not in settings.RELAYS:
        raise refuse(relay.FIELD, "relay_unknown", NO_RELAY, relays=", ".join(settings.RELAYS) or "-")


def check_book(definition: Definition) -> None:
    """Raise DraftRefused on a machine without the book of invitations if another machine has it. A second book would
    not know the first one's surveys."""
    if invitations.FIELD in definition and not book_exists() and by_invitation():
        raise refuse(invitations.FIELD, "book_elsewhere", BOOK_ELSEWHERE)


def _with_relay(definition: Definition) -> Definition:
    """Return the definition, with the gateway's present key if it has a relay."""
    origin = relay.origin_of(definition)
    if origin is None:
        return definition
    return {**definition, "relay": {"key": relay.text_of(*gateway_keys.current()), "origin": origin}}


def _with_keys(definition: Definition) -> Definition:
    """Add a new key for each group (or one) to a definition by invitation. The keys are in the book before the survey
    is open. So a crash in between leaves keys that sign nothing, not a survey that no one can answer."""
    if invitations.FIELD not in definition:
        return definition
    groups = groups_of(definition)
    keys = [blind.new_key() for _ in groups or [""]]
    moduli = [invitations.text_of(key.modulus) for key in keys]
    field = invitations.keyed(groups, moduli, invitations.SAMPLE in definition[invitations.FIELD])
    keyed: Definition = {**definition, "invitations": field}
    if not definitions.certified(definitions.canonical(keyed)):
        raise definitions.NotCertified("The definition with its key is not certified.")
    book.enter(definitions.digest(keyed), keys, groups)
    return keyed


def _freeze(survey: Survey, definition: Definition, terms: Terms) -> None:
    """Store the definition and the state. Raise ValueError if the survey is no draft any more. That can happen on
    SQLite, where reading a row does not lock it."""
    changed = Survey.objects.filter(pk=survey.pk, state=Survey.State.DRAFT).update(
        state=Survey.State.OPEN,
        title=definition["title"],
        slug=spelling.spelled(secrets.token_bytes(spelling.SECRET_BYTES), spelling.SURVEY),
        canonical=definitions.canonical(definition).decode(),
        digest=definitions.digest(definition),
        opened_at=timezone.now(),
        **terms._replace(batch=max(settings.BATCH, terms.batch or 0))._asdict(),
    )
    if changed != 1:
        raise ValueError("only a draft can be opened")


def close_survey(survey: Survey, user: User | None = None, by_its_reports: bool = False) -> bool:
    """Close a survey. Return False if it was not open. If reports end it, only the day is stored, because the time
    would be the last reports'."""
    now = timezone.now()
    ended = now.replace(hour=0, minute=0, second=0, microsecond=0) if by_its_reports else now
    with transaction.atomic():
        changed = Survey.objects.filter(pk=survey.pk, state=Survey.State.OPEN).update(
            state=Survey.State.CLOSED, closed_at=ended
        )
        if changed and user:
            record(user, AuditEntry.Action.CLOSED, survey)
    if changed:
        survey.refresh_from_db()
        if survey.digest in book.signing():
            book.end(survey.digest)
    return changed == 1
