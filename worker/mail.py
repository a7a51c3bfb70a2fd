"""Letters to people who are invited, handed to the mail server one by one (surveys/invitations/letters.py).

One process of the machine does it at a time, which holds a lock on a file while it does: it is free again as soon as
that process ends, however it ends. Between two letters it waits for as long as the limit for a minute asks, and keeps
the lock meanwhile; no clock is written down for it.
"""

import fcntl
import os
import random
import smtplib
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

from surveys.invitations import addresses, letters
from surveys.invitations.file import exists
from surveys.invitations.letters import Letter
from surveys.models import Survey
from surveys.operation import counts
from surveys.operation.faults import FAULTS
from surveys.respond.links import link

TURN_SECONDS = 5.0
AT_ONCE = 50  # of which a turn chooses
HALVINGS_MAX = 9  # as worker/tasks.py: what fails is tried at every second turn, every fourth and so on
PERMANENT = 500


def turn() -> None:
    """Send letters for a few seconds, unless another process is at it."""
    if not settings.EMAIL_HOST or not (chosen := _due()):
        return
    with _alone() as alone:
        if alone:
            _send(chosen)


def tell() -> None:
    """Levels for whoever watches the site, of the machine with the book. What waits follows what designers ask for and
    how fast it is sent: a report that comes meanwhile takes no letter away (surveys/invitations/counts.py)."""
    if settings.EMAIL_HOST and exists():
        counts.tell("mail_waiting", counts.magnitude(letters.number_waiting()))
        counts.tell("mail_failing", float(letters.failures() >= letters.FAILING))


def _due() -> list[tuple[str, bytes]]:
    """Letters whose turn it is. While no server takes any, most turns are left out."""
    if not _sometimes(letters.failures()):
        return []
    return [(digest, place) for digest, place, tries in letters.waiting(AT_ONCE) if _sometimes(tries)]


def _sometimes(attempts: int) -> bool:
    return random.random() < 2.0 ** -min(attempts, HALVINGS_MAX)


def _send(chosen: list[tuple[str, bytes]]) -> None:
    started, slugs = time.monotonic(), _slugs({digest for digest, _ in chosen})
    try:
        with _connected() as server:
            for digest, place in chosen:
                if digest in slugs:
                    if letter := _begin(digest, place):
                        _deliver(server, letter, slugs[digest])
                    # Also where no reminder is due: how long the others wait reveals nothing of who has answered.
                    time.sleep(60 / settings.MAIL_PER_MINUTE)
                if time.monotonic() - started >= TURN_SECONDS:
                    break
    except (OSError, smtplib.SMTPException) as error:  # SMTPException is an OSError; so is a failed connection
        FAULTS.add("Mail could not be sent", (type(error), error, error.__traceback__))
        letters.failures(letters.failures() + 1)
    else:
        if letters.failures():
            letters.failures(0)


def _begin(digest: str, place: bytes) -> Letter | None:
    try:
        return letters.begin(digest, place)
    except addresses.Lost:  # its survey ended this moment
        return None


def _deliver(server: EmailBackend, letter: Letter, slug: str) -> None:
    """Hand over a letter. What is wrong with the letter is noted there, and what is wrong with the server is raised."""
    try:
        server.send_messages([_message(letter, slug)])
    except smtplib.SMTPRecipientsRefused as refusal:
        _refused(letter, next(iter(refusal.recipients.values()))[0])
    except smtplib.SMTPDataError as refusal:
        _refused(letter, refusal.smtp_code)
    except UnicodeError:  # of an address whose host cannot be said to any server
        letters.failed(letter)
    else:
        letters.sent(letter)


def _refused(letter: Letter, code: int) -> None:
    """5.. is for ever; after 4.. it is tried again, later and later."""
    if code >= PERMANENT:
        letters.failed(letter)


def _message(letter: Letter, slug: str) -> EmailMessage:
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    return EmailMessage(
        subject=letter.words.subject,
        body=letter.words.letter(settings.SITE_URL + link(slug, letter.words.language, letter.token)),
        to=[letter.address],
        headers={"Message-ID": f"<{letter.message_id}@{domain}>", "Auto-Submitted": "auto-generated"},
    )


def _slugs(digests: set[str]) -> dict[str, str]:
    """The slugs of surveys that are open: nobody is invited to one that ended."""
    opened = Survey.objects.filter(state=Survey.State.OPEN, digest__in=digests)
    return {survey.digest: str(survey.slug) for survey in opened.only("digest", "slug")}


@contextmanager
def _connected() -> Iterator[EmailBackend]:
    server = EmailBackend()
    server.open()
    try:
        yield server
    finally:
        server.close()


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether no other process of this machine sends letters."""
    lock = os.open(settings.INVITATIONS_FILE.with_name("mail.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(lock)
