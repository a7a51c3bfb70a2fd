"""Letters to invited people, handed to the mail server one by one (surveys/respondent/invitations/letters.py).

One process of the machine sends at a time. It holds a lock on a file, which also a crash releases. Between two letters
it waits as long as the limit per minute requires, and keeps the lock, so no time needs to be stored. Accounts share the
limit equally, and so do surveys within an account. A faulty letter, or one that ends the connection, does not delay
other surveys' letters.
"""

import fcntl
import os
import random
import smtplib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.db.models import OuterRef, Subquery

from surveys.models import Membership, Role, Survey
from surveys.operation import counts
from surveys.operation.faults import FAULTS
from surveys.respondent.invitations import addresses, letters
from surveys.respondent.invitations.file import exists
from surveys.respondent.invitations.letters import Letter
from surveys.respondent.page.links import link
from worker.turns import in_turns

TURN_SECONDS = 5.0
AT_ONCE = 50  # a turn chooses among these
HALVINGS_MAX = 9  # as in worker/tasks.py: what fails is tried at every second turn, every fourth and so on
PERMANENT = 500
LEAVING = 421


def turn() -> None:
    """Send letters for TURN_SECONDS, unless another process does."""
    if not settings.EMAIL_HOST or not (chosen := _due()):
        return
    with _alone() as alone:
        if alone:
            _send(chosen)


def tell() -> None:
    """Report the state of letters for monitoring, on the machine with the book. The number of waiting letters depends
    on designers' requests and the speed of sending, never on arriving reports
    (surveys/respondent/invitations/counts.py)."""
    if settings.EMAIL_HOST and exists():
        counts.set_level("mail_waiting", counts.magnitude(letters.number_waiting()))
        counts.set_level("mail_failing", float(letters.failures() >= letters.FAILING))


class _Due(NamedTuple):
    """A letter to be sent. `owner` is the first owner of its survey."""

    owner: int
    digest: str
    slug: str
    place: bytes


def _due() -> list[_Due]:
    """Return the letters to send, in fair turns; mostly none while the server takes no letters."""
    if not _sometimes(letters.failures()):
        return []
    some = [(digest, place) for digest, place, tries in letters.waiting(AT_ONCE) if _sometimes(tries)]
    known = _open_surveys({digest for digest, _ in some})
    due = [_Due(known[digest][0], digest, known[digest][1], place) for digest, place in some if digest in known]
    return in_turns(due, lambda each: each.owner, lambda each: each.digest)[:AT_ONCE]


def _open_surveys(digests: set[str]) -> dict[str, tuple[int, str]]:
    """Return owner and slug by digest, only for open surveys: an ended survey sends no invitations."""
    owners = Membership.objects.filter(survey=OuterRef("pk"), role=Role.OWNER).order_by("pk").values("user")
    opened = Survey.objects.filter(state=Survey.State.OPEN, digest__in=digests)
    rows = opened.annotate(owner=Subquery(owners[:1])).values_list("digest", "owner", "slug")
    return {str(digest): (owner, str(slug)) for digest, owner, slug in rows}


def _sometimes(attempts: int) -> bool:
    return random.random() < 2.0 ** -min(attempts, HALVINGS_MAX)


def _send(chosen: list[_Due]) -> None:
    """Hand letters over. After a turn in which the server takes none, the next turns are rarer."""
    started, server, answered, failed = time.monotonic(), EmailBackend(), False, set[str]()
    try:
        for each in chosen:
            if each.digest not in failed:
                if letter := _begin(each):
                    server.open()
                    if _deliver(server, letter, each.slug):
                        answered = True
                    else:
                        failed.add(each.digest)
                # Wait even if no reminder is due, so that the wait of others does not reveal who has answered.
                time.sleep(60 / settings.MAIL_PER_MINUTE)
            if time.monotonic() - started >= TURN_SECONDS:
                break
    except OSError as error:  # smtplib's errors are OSErrors, and so is a failed connection
        _note("Mail could not be sent", error)
        failed.add(each.digest)
    finally:
        server.close()
    if failed and not answered:
        letters.failures(letters.failures() + 1)
    elif answered and letters.failures():
        letters.failures(0)


def _begin(due: _Due) -> Letter | None:
    try:
        return letters.begin(due.digest, due.place)
    except addresses.Lost:  # its survey ended this moment
        return None
    except sqlite3.Error:  # of the book
        raise
    except Exception as error:
        _note("A letter could not be read", error)
        return None


def _deliver(server: EmailBackend, letter: Letter, slug: str) -> bool:
    """Hand over a letter; return False if that ended the connection. A fault of the letter is stored with it. A fault
    of the server is raised."""
    try:
        server.send_messages([_message(letter, slug)])
    except smtplib.SMTPRecipientsRefused as refusal:
        _refused(server, letter, next(iter(refusal.recipients.values()))[0])
    except smtplib.SMTPDataError as refusal:
        _refused(server, letter, refusal.smtp_code)
    except smtplib.SMTPResponseException:
        raise
    except OSError as error:
        _note("A letter ended the connection", error)
        server.close()
        return False
    except Exception as error:  # it cannot be built, for any reason
        _note("A letter could not be built", error)
        letters.failed(letter)
    else:
        letters.sent(letter)
    return True


def _refused(server: EmailBackend, letter: Letter, code: int) -> None:
    """Store a refusal. Codes 500 and above are permanent; after 4xx the letter is tried again at growing intervals."""
    if code >= PERMANENT:
        letters.failed(letter)
    if code == LEAVING:
        server.close()


def _note(what: str, error: Exception) -> None:
    FAULTS.add(what, (type(error), error, error.__traceback__))


def _message(letter: Letter, slug: str) -> EmailMessage:
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    return EmailMessage(
        subject=letter.words.subject,
        body=letter.words.letter(settings.SITE_URL + link(slug, letter.words.language, letter.token)),
        to=[letter.address],
        headers={"Message-ID": f"<{letter.message_id}@{domain}>", "Auto-Submitted": "auto-generated"},
    )


@contextmanager
def _alone() -> Iterator[bool]:
    """Yield whether this process alone sends letters on this machine, and hold the lock meanwhile."""
    lock = os.open(settings.INVITATIONS_FILE.with_name("mail.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(lock)
