"""Entries of the log: each is appended once, in the transaction of its event or by the worker.

An entry is canonical JSON with "kind" and "day" (UTC) and

    key       "key": the verifier key that signs the log from here on; "before" and "signature" if the previous key
              agreed, "lost" if it could not
    software  "version", "commit" ("" if unknown) and "manifest", SHA-384 of what respondents' browsers run
    survey    "link": SHA-256 of an opened survey's slug, "definition": the digest of its definition, "manifest"
    release   "link", "number" and "commitment": SHA-256 of the release's nonce, a colon and its digest

A release is entered when its day is over, with all others of that day in the order of their commitments: the log
reveals no more of its time than its date.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable
from datetime import date
from typing import NotRequired, TypedDict

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from surveys.models import Commitment, LogEntry, Release, Survey
from surveys.transparency.log import merkle, tree


class EntryContent(TypedDict):
    kind: str
    day: str
    key: NotRequired[str]
    before: NotRequired[str]
    signature: NotRequired[str]
    lost: NotRequired[str]
    version: NotRequired[str]
    commit: NotRequired[str]
    manifest: NotRequired[str]
    link: NotRequired[str]
    definition: NotRequired[str]
    number: NotRequired[int]
    commitment: NotRequired[str]


class Numbered(TypedDict):
    number: int
    entry: EntryContent


def text_of(content: EntryContent) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def append(content: EntryContent, survey: int | None = None, release: int | None = None) -> LogEntry | None:
    """Append an entry and return it; None if this release, or this survey's opening, already has one. Of two
    simultaneous entries one waits and follows the other, so no two entries have the same number."""
    text = text_of(content)
    leaf = merkle.leaf_hash(text.encode())
    while True:
        before = tree.size()
        root = tree.Tree(before, leaf).root.hex()
        entry = LogEntry(
            number=before,
            kind=content["kind"],
            content=text,
            leaf=leaf.hex(),
            root=root,
            survey=survey,
            release=release,
        )
        try:
            with transaction.atomic():
                entry.save(force_insert=True)
            return entry
        except IntegrityError:
            if survey is not None and LogEntry.objects.filter(survey=survey, release=release).exists():
                return None


def newest(kind: str) -> EntryContent | None:
    """Return the last entry of this kind."""
    row = LogEntry.objects.filter(kind=kind).last()
    return json.loads(row.content) if row else None


def numbered(rows: Iterable[LogEntry]) -> list[Numbered]:
    return [{"number": row.number, "entry": json.loads(row.content)} for row in rows]


def today() -> str:
    return timezone.now().date().isoformat()


def hash_of_link(slug: str) -> str:
    return hashlib.sha256(slug.encode()).hexdigest()


# Kinds of entries -----------------------------------------------------------------------------------------------------


def enter_survey(survey: Survey, manifest: str) -> None:
    """Enter the definition of a survey; call it in the transaction that opens the survey."""
    link = hash_of_link(survey.slug or "")
    content: EntryContent = {
        "kind": "survey", "day": today(), "link": link, "definition": survey.digest, "manifest": manifest
    }  # fmt: skip
    append(content, survey.pk, 0)


def enter_software(version: str, commit: str, manifest: str) -> None:
    """Enter this program's version and manifest, unless the newest such entry has them."""
    content: EntryContent = {
        "kind": "software", "day": today(), "version": version, "commit": commit, "manifest": manifest
    }  # fmt: skip
    last = newest("software")
    if last is None or any(last.get(name) != content[name] for name in ("version", "commit", "manifest")):
        append(content)


def sweep(manifest: str, day: date) -> None:
    """Enter surveys and releases without an entry: surveys opened by another version of the program, and releases
    before `day`."""
    entry = LogEntry.objects.filter(survey=OuterRef("pk"), release=0)
    for survey in Survey.objects.filter(~Exists(entry), slug__isnull=False).order_by("digest"):
        enter_survey(survey, manifest)
    entry = LogEntry.objects.filter(survey=OuterRef("survey"), release=OuterRef("number"))
    ended = Release.objects.filter(~Exists(entry), day__lt=day).select_related("survey")
    for content, release in sorted(((_release(each), each) for each in ended), key=lambda pair: text_of(pair[0])):
        append(content, release.survey_id, release.number)


def commitment(nonce: str, digest: str) -> str:
    return hashlib.sha256(f"{nonce}:{digest}".encode()).hexdigest()


def commit_to(release: Release) -> Commitment:
    """Return the nonce of a release. Create one if it is missing."""
    return Commitment.objects.get_or_create(release=release, defaults={"nonce": secrets.token_hex(32)})[0]


def _release(release: Release) -> EntryContent:
    return {
        "kind": "release",
        "day": release.day.isoformat(),
        "link": hash_of_link(release.survey.slug or ""),
        "number": release.number,
        "commitment": commitment(commit_to(release).nonce, release.digest),
    }
