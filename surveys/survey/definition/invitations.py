"""Surveys by invitation: their definition names the key whose signature every report carries (P13).

A draft says that a survey is by invitation; its own key is made when it opens, so what is built of a draft has a
modulus that is no key's. The page has the same rules (invitation.js). The digest is over the key too, so nobody can be
recognized by a key of their own.

Where a draft names groups of people, whose results are published apart, each has a key, and an invitation gets its
signature from that of its group. So a report shows its group by its signature, and nobody can be put into a group that
the definition does not name. Reports of a group wait for a batch of their own, as those of a form do: a survey in
groups is counted as one in forms that all ask everything (ldp/forms/definition.py), and has no forms beside.
"""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext_noop as _

from ldp.forms.schema import Invitations
from surveys.rules.limits import PEOPLE_MAX
from surveys.rules.refusals import Refusals, different_texts, flag, known_fields, refuse
from surveys.rules.shapes import exactly, must
from surveys.rules.unchecked import as_list, as_object, words_of

FIELD: Final = "invitations"
GROUPS: Final = "groups"  # a draft's; in a definition they stand in the field
GROUPS_MOST = 20
NAME_MAX = 80
TOGETHER = " + "  # between the names of groups that are shown together
# As a page can tell from the canonical bytes, where quotes and control characters stand behind a backslash.
_NAME = re.compile(rf'[^"\\\x00-\x1f\ud800-\udfff]{{1,{NAME_MAX}}}')
BYTES = 256  # of the modulus, of a blinded message and of a signature


def text_of(number: int) -> str:
    """A number of `BYTES` bytes, the first byte first, in base64url without padding."""
    return base64.urlsafe_b64encode(number.to_bytes(BYTES)).decode().rstrip("=")


def bytes_of(text: object) -> bytes:
    """The `BYTES` bytes of their only notation; ValueError of anything else."""
    if not isinstance(text, str) or not text.isascii() or len(text) != (BYTES * 4 + 2) // 3:
        raise ValueError("not as long as it must be")
    try:
        data = base64.b64decode(text + "==", altchars=b"-_", validate=True)
    except binascii.Error:
        raise ValueError("not base64url") from None
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != text:
        raise ValueError("not the shortest notation")
    return data


# Nobody has its factors, and before a survey opens nothing is signed.
NO_KEY = text_of(2 ** (8 * BYTES) - 1)


def build(draft: Mapping[str, object], refusals: Refusals) -> dict[str, Invitations]:
    """The field as a definition holds it before it opens, where the draft is by invitation."""
    refusals.attempt(flag, draft.get(FIELD, False), FIELD)
    names = refusals.attempt(_groups, draft) or []
    return {FIELD: keyed(names, [NO_KEY] * (len(names) or 1))} if draft.get(FIELD) is True else {}


def _groups(draft: Mapping[str, object]) -> list[str]:
    """The names of the groups, in their order; none where there is one key for all."""
    groups = draft.get(GROUPS, [])
    if groups == []:
        return []
    if draft.get(FIELD) is not True:
        raise refuse(GROUPS, "groups_invited", _("must be left out: only a survey by invitation has groups"))
    if draft.get("forms", []) != []:
        rule = _("must be left out where there are forms: of each group so few would be asked each that none is shown")
        raise refuse(GROUPS, "groups_forms", rule)
    refusals = Refusals()
    for place, group in enumerate(as_list(groups)):
        refusals.attempt(_group, group, f"{GROUPS}[{place}]")
    refusals.check()
    names = different_texts([group["name"] for group in as_list(groups)], GROUPS, NAME_MAX, GROUPS_MOST)
    if not all(map(_NAME.fullmatch, names)):
        raise refuse(GROUPS, "groups_names", _("must hold no quotes, backslashes or ends of lines"))
    parts = [part for name in names for part in name.split(TOGETHER)]
    if len(set(map(str.casefold, parts))) < len(parts):
        raise refuse(GROUPS, "repeated", _("must differ from each other"))
    return names


def _group(group: object, where: str) -> None:
    if not isinstance(group, dict):
        raise refuse(where, "not_an_object", _("must be an object"))
    known_fields(group, where, {"name"}, {"name", "people"})
    if "people" in group and not (type(group["people"]) is int and 1 <= group["people"] <= PEOPLE_MAX):
        rule = _("must be a whole number from 1 to %(most)s")
        raise refuse(f"{where}.people", "groups_people", rule, most=PEOPLE_MAX)
    if group.get("people", PEOPLE_MAX) < settings.RELEASE_LEAST:
        raise refuse(f"{where}.people", "groups_small", SMALL, least=settings.RELEASE_LEAST)


SMALL = _(
    "must be %(least)s or more, since nothing is shown of a group with fewer reports; show it together with another one"
)


def groups_of(draft: Mapping[str, object]) -> list[tuple[str, int | None]]:
    """A draft's groups, with how many people each has where that is known; malformed ones are left out."""
    every = [as_object(group) for group in as_list(draft.get(GROUPS))]
    return [(words_of(group.get("name")), _people(group.get("people"))) for group in every if group.get("name")]


def _people(count: object) -> int | None:
    return count if type(count) is int and count > 0 else None


def group_with(names: Sequence[str], part: str) -> str | None:
    """The group that a list calls by this name or by that of one of its parts; None where there is none."""
    wanted = part.strip().casefold()
    for name in names:
        if wanted in [name.casefold(), *name.casefold().split(TOGETHER)]:
            return name
    return None


def count(draft: Mapping[str, object]) -> int:
    """How many groups a draft names, whatever they are."""
    return len(as_list(draft.get(GROUPS)))


def keyed(groups: Sequence[str], moduli: Sequence[str]) -> Invitations:
    """The field with a key for each group, or one where there are none."""
    if not groups:
        return {"modulus": moduli[0]}
    return {"groups": [{"modulus": each, "name": name} for each, name in zip(moduli, groups, strict=True)]}


def moduli_of(definition: Any) -> list[int]:
    """The keys of an opened survey by invitation, one for each of its groups if it has any; none by open link."""
    if FIELD not in definition:
        return []
    field: Invitations = definition[FIELD]
    texts = [group["modulus"] for group in field["groups"]] if "groups" in field else [field["modulus"]]
    return [int.from_bytes(bytes_of(text)) for text in texts]


def check(data: Mapping[str, Any]) -> None:
    """Misshapen, or a Python error, where the field is none that a page may show."""
    if FIELD not in data:
        return
    if "groups" not in data[FIELD]:
        _check_key(data[FIELD], {"modulus"})
        return
    exactly(data[FIELD], {"groups"})
    groups = data[FIELD]["groups"]
    must(isinstance(groups, list) and 2 <= len(groups) <= GROUPS_MOST and "forms" not in data)
    for group in groups:
        _check_key(group, {"modulus", "name"})
        must(_NAME.fullmatch(group["name"]))
    must(len({group["name"] for group in groups}) == len(groups))


def _check_key(holder: Any, fields: set[str]) -> None:
    exactly(holder, fields)
    modulus = bytes_of(holder["modulus"])
    must(modulus[0] >= 128 and modulus[-1] % 2 == 1)
