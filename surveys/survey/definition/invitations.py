"""Surveys by invitation. Their definition names the key whose signature every report carries (P13).

A draft states only that the survey is by invitation. The key is made at opening, so until then a definition has a
modulus that belongs to no key. The page has the same rules (invitation.js). The digest covers the key, so no respondent
can be recognized by a special key.

If a draft names groups of people with separate results, each group has a key that signs its invitations. So the
signature of a report shows its group, and no person can be put into a group that the definition does not name. A
group's reports wait for a batch of their own, like a form's. A survey in groups is counted as one in forms that all ask
every question (ldp/forms/definition.py), and has no other forms.
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
from surveys.rules.refusals import Refusals, different_texts, flag, known_fields, refuse, text
from surveys.rules.shapes import exactly, must
from surveys.rules.unchecked import as_list, as_object, words_of

FIELD: Final = "invitations"
GROUPS: Final = "groups"  # field of a draft; a definition has it within FIELD, and this:
SAMPLE: Final = "sample"
GROUPS_MOST = 20
NAME_MAX = 80
TOGETHER = " + "  # between the names of groups whose results are joined
# In canonical bytes only quotes, backslashes and control characters are escaped, so a page can read other names
# directly.
_NAME = re.compile(rf'[^"\\\x00-\x1f\ud800-\udfff]{{1,{NAME_MAX}}}')
BYTES = 256  # of the modulus, of a blinded message and of a signature


def text_of(number: int) -> str:
    """Return a number as `BYTES` bytes, big-endian, in base64url without padding."""
    return base64.urlsafe_b64encode(number.to_bytes(BYTES)).decode().rstrip("=")


def bytes_of(text: object) -> bytes:
    """Return the `BYTES` bytes that `text_of` wrote; raise ValueError for any other text."""
    if not isinstance(text, str) or not text.isascii() or len(text) != (BYTES * 4 + 2) // 3:
        raise ValueError("not as long as it must be")
    try:
        data = base64.b64decode(text + "==", altchars=b"-_", validate=True)
    except binascii.Error:
        raise ValueError("not base64url") from None
    if base64.urlsafe_b64encode(data).decode().rstrip("=") != text:
        raise ValueError("not the shortest notation")
    return data


# A modulus without a private key, because nothing is signed before a survey opens.
NO_KEY = text_of(2 ** (8 * BYTES) - 1)


def build(draft: Mapping[str, object], refusals: Refusals) -> dict[str, Invitations]:
    """Return the field of a definition before it opens; {} if the draft is not by invitation."""
    refusals.attempt(flag, draft.get(FIELD, False), FIELD)
    sample, names = refusals.attempt(_sample, draft) or False, refusals.attempt(_groups, draft) or []
    return {FIELD: keyed(names, [NO_KEY] * (len(names) or 1), sample)} if draft.get(FIELD) is True else {}


def _sample(draft: Mapping[str, object]) -> bool:
    """Return whether the invited people are a sample of a larger population. Raise DraftRefused."""
    sample = flag(draft.get(SAMPLE, False), SAMPLE)
    if sample and draft.get(FIELD) is not True:
        raise refuse(SAMPLE, "sample_invited", _("must be left out: only the people who are invited can be a sample"))
    return sample


def _groups(draft: Mapping[str, object]) -> list[str]:
    """Return the names of the groups in order; [] with one key for all. Raise DraftRefused if invalid."""
    groups = draft.get(GROUPS, [])
    if groups == []:
        return []
    if draft.get(FIELD) is not True:
        raise refuse(GROUPS, "groups_invited", _("must be left out: only a survey by invitation has groups"))
    if draft.get("forms", []) != []:
        rule = _("must be left out where there are forms: too few people of a group would get each form")
        raise refuse(GROUPS, "groups_forms", rule)
    refusals = Refusals()
    for place, group in enumerate(as_list(groups)):
        refusals.attempt(_group, group, f"{GROUPS}[{place}]")
    refusals.check()
    return check_names([group["name"] for group in as_list(groups)])


def check_names(names: Sequence[object]) -> list[str]:
    """Return the names of groups in order. Raise DraftRefused if they are invalid."""
    texts = different_texts(names, GROUPS, NAME_MAX, GROUPS_MOST)
    for name in texts:
        check_name(name)
    parts = [part for name in texts for part in parts_of(name)]
    if len(set(parts)) < len(parts):
        raise refuse(GROUPS, "repeated", _("must differ from each other"))
    return texts


def check_name(name: str) -> None:
    """Raise DraftRefused if no group can have this name."""
    if not _NAME.fullmatch(text(name, GROUPS, NAME_MAX)):
        raise refuse(GROUPS, "groups_names", _("must hold no quotes, backslashes or ends of lines"))


def parts_of(name: str) -> list[str]:
    """Return the names of the groups that this name joins, case-folded."""
    return name.casefold().split(TOGETHER)


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
    """Return the names of a draft's groups with their numbers of people, None for an unknown number. Malformed groups
    are left out."""
    every = [as_object(group) for group in as_list(draft.get(GROUPS))]
    return [(words_of(group.get("name")), _people(group.get("people"))) for group in every if group.get("name")]


def people_of_groups(draft: Mapping[str, object], expected: int) -> list[int]:
    """Return the number of people in each group of a draft. Groups of unknown size share the remaining expected people
    evenly."""
    numbers = [people for _name, people in groups_of(draft)]
    known = [people for people in numbers if people is not None]
    unknown = max(1, len(numbers) - len(known))
    left = max(0, expected - sum(known)) // unknown
    return [left if people is None else people for people in numbers]


def _people(count: object) -> int | None:
    return count if type(count) is int and count > 0 else None


def group_with(names: Sequence[str], part: str) -> str | None:
    """Return the group with this name, or with a joined name that contains it (TOGETHER), in any case; None if there is
    none."""
    wanted = part.strip().casefold()
    for name in names:
        if wanted in [name.casefold(), *parts_of(name)]:
            return name
    return None


def count(draft: Mapping[str, object]) -> int:
    """Return the number of groups in a draft, including malformed ones."""
    return len(as_list(draft.get(GROUPS)))


def keyed(groups: Sequence[str], moduli: Sequence[str], sample: bool) -> Invitations:
    """Return the field with a key for each group, or with one key if there are no groups."""
    field: Invitations = {"sample": True} if sample else {}
    if not groups:
        return {**field, "modulus": moduli[0]}
    return {**field, "groups": [{"modulus": each, "name": name} for each, name in zip(moduli, groups, strict=True)]}


def moduli_of(definition: Any) -> list[int]:
    """Return the moduli of an open survey by invitation, one for each group if there are groups; [] for a survey by
    open link."""
    if FIELD not in definition:
        return []
    field: Invitations = definition[FIELD]
    texts = [group["modulus"] for group in field["groups"]] if "groups" in field else [field["modulus"]]
    return [int.from_bytes(bytes_of(text)) for text in texts]


def check(data: Mapping[str, Any]) -> None:
    """Raise Misshapen, or a Python error, unless a page may show the field."""
    if FIELD not in data:
        return
    must(isinstance(data[FIELD], dict) and data[FIELD].get(SAMPLE, True) is True)
    sample = {SAMPLE} & data[FIELD].keys()
    if "groups" not in data[FIELD]:
        _check_key(data[FIELD], {"modulus"} | sample)
        return
    exactly(data[FIELD], {"groups"} | sample)
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
