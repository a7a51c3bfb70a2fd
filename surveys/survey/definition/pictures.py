"""The pictures of a survey's questions and options, and its logo.

The definition freezes all that respondents see, including the bytes of pictures. Pages never request a picture: a
request for one that only some respondents see would reveal an answer. Pictures are in a field of their own, which
surveys without pictures lack:

    {"logo": picture, "questions": {key: picture}, "options": {key: [picture or null, one for each option]}}

A picture is WebP (surveys/rules/webp.py) in base64, with width and height in pixels and a description in each language.
Options' pictures have no description, because the option's text is beside the picture, and alone in results. The page
has the same rules (pictures.js).
"""

import base64
import binascii
import io
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_noop as _
from PIL import Image

from surveys.rules import webp
from surveys.rules.codes import Code
from surveys.rules.limits import ALT_MAX, PICTURE_BYTES_MAX, PICTURES_BYTES_MAX, PICTURES_PIXELS_MAX
from surveys.rules.refusals import DraftRefused, Refusals, known_fields, refuse, text
from surveys.rules.shapes import exactly, must
from surveys.rules.texts import is_text
from surveys.rules.unchecked import Built, Unchecked, as_list
from surveys.survey.definition.languages import languages_of
from surveys.survey.definition.translation_texts import text_at
from surveys.survey.kinds import KINDS

FIELD = "pictures"
# Fields of a draft, for a question, its options and the survey.
PICTURE: Final = "picture"
PICTURES: Final = "pictures"
LOGO: Final = "logo"
PICTURED = tuple(name for name, kind in KINDS.items() if kind.pictured)  # kinds whose options may have pictures
PARTS = {"logo", "options", "questions"}
SHOWN = {"data", "height", "width"}
DATA = "(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
# The largest width and height, in pixels.
LARGEST = {LOGO: webp.Size(320, 96), PICTURE: webp.Size(640, 640), PICTURES: webp.Size(320, 320)}

FORMAT = _(
    "must be WebP in base64: one still picture, without metadata or a colour profile. The builder makes one of any file"
)
_SIDES = _("must be at most %(width)s by %(height)s pixels, as its fields width and height say")
_BYTES = _("must have at most %(most)s bytes")
_ALT = _("must say in words what it shows, for people who do not see it")
_COUNT = _("must be a list of %(n)s pictures, one for each option, null where an option has none")
_KIND = _("must be left out: only options of %(kinds)s can have pictures")
_ALL_BYTES = _("makes all pictures together exceed %(most)s bytes; remove some, or use smaller ones")
_ALL_PIXELS = _("makes all pictures together exceed %(most)s pixels; remove some, or use smaller ones")


Frozen = Mapping[str, Any]  # a picture of a definition


class _Place(NamedTuple):
    """A picture's place: its name in LARGEST, its path in refusals, and the path of its description in a translation,
    () for an option's picture."""

    what: str
    where: str
    path: Sequence[str | int] = ()


# Drafts ---------------------------------------------------------------------------------------------------------------


def without(question: Any) -> Any:
    """Return a draft's question without its pictures, which do not affect its answers."""
    if not isinstance(question, dict):
        return question
    return {name: value for name, value in question.items() if name not in (PICTURE, PICTURES)}


def build(draft: Unchecked, tags: Sequence[str], refusals: Refusals) -> Built:
    """Return the field of the definition, with descriptions in the languages `tags`, the survey's own first. Refused
    pictures are left out and added to the refusals."""
    made = _Pictures(draft, tags, refusals)
    built: Built = {"logo": made.of(draft, LOGO, _Place(LOGO, LOGO, (LOGO,)))}
    listed = enumerate(as_list(draft.get("questions")))
    given = [(i, each) for i, each in listed if isinstance(each, dict) and isinstance(each.get("key"), str)]
    places = [(each["key"], each, f"questions[{i}]", i) for i, each in given]
    built["questions"] = {
        key: picture
        for key, each, where, i in places
        if (picture := made.of(each, PICTURE, _Place(PICTURE, f"{where}.picture", ("questions", i, PICTURE))))
    }
    built["options"] = {
        key: pictures for key, each, where, _i in places if (pictures := made.options(each, f"{where}.pictures"))
    }
    parts = {name: value for name, value in built.items() if value}
    return {FIELD: parts} if parts else {}


class _Pictures:
    """The pictures of a draft, with the remaining budget of bytes and pixels."""

    def __init__(self, draft: Unchecked, tags: Sequence[str], refusals: Refusals) -> None:
        self._draft, self._tags, self._refusals = draft, tags, refusals
        self._bytes, self._pixels = PICTURES_BYTES_MAX, PICTURES_PIXELS_MAX

    def of(self, part: Unchecked, name: str, place: _Place) -> Built | None:
        """Return the picture in this field; None if it is missing or refused."""
        return self._refusals.attempt(self._picture, part[name], place) if name in part else None

    def options(self, question: Unchecked, where: str) -> list[Built | None] | None:
        """Return the options' pictures, None for an option without one. Return None if no option has a picture."""
        if PICTURES not in question or not self._refusals.attempt(_as_many_as_options, question, where):
            return None
        made = [
            None if each is None else self._refusals.attempt(self._picture, each, _Place(PICTURES, f"{where}[{i}]"))
            for i, each in enumerate(question[PICTURES])
        ]
        return made if any(made) else None

    def _picture(self, given: object, place: _Place) -> Built:
        if not isinstance(given, dict):
            raise refuse(place.where, "not_an_object", _("must be an object"))
        needed = SHOWN | ({"alt"} if place.path else set())
        known_fields(given, place.where, needed - {"alt"}, needed)
        data = _checked_data(given, place)
        self._spend(len(data), given["width"] * given["height"], place.where)
        _check_decodes(data, place)  # after the bounds, because decoding 20,000 pictures would take seconds
        shown = {name: given[name] for name in sorted(SHOWN)}
        return shown | ({"alt": self._alts(given.get("alt", ""), place)} if place.path else {})

    def _spend(self, count: int, pixels: int, where: str) -> None:
        self._bytes -= count
        self._pixels -= pixels
        if self._bytes < 0:
            raise refuse(where, "pictures_size", _ALL_BYTES, most=PICTURES_BYTES_MAX)
        if self._pixels < 0:
            raise refuse(where, "pictures_size", _ALL_PIXELS, most=PICTURES_PIXELS_MAX)

    def _alts(self, given: object, place: _Place) -> dict[str, str]:
        """Return its description by language, in the survey's own language if a translation is missing."""
        own = self._refusals.attempt(text, given, f"{place.where}.alt", ALT_MAX, empty=True)
        if own == "":
            self._refusals.attempt(_lack, f"{place.where}.alt", "picture_alt", _ALT)
        alts = {self._tags[0]: own or ""}
        for tag in self._tags[1:]:
            translated = text_at(self._draft["translations"][tag], place.path)
            where = f"translations.{tag}.{place.where}"
            alts[tag] = self._refusals.attempt(text, translated, where, ALT_MAX, empty=True) or ""
            if own and not alts[tag]:
                alts[tag] = own
                if not translated.strip():
                    self._refusals.attempt(_lack, where, "missing", _("is missing"))
        return alts


def _lack(where: str, code: Code, rule: str) -> None:
    raise refuse(where, code, rule)


def _as_many_as_options(question: Unchecked, where: str) -> bool:
    if question.get("kind") not in PICTURED:
        raise refuse(where, "pictures_kind", _KIND, kinds=", ".join(PICTURED))
    options = question.get("options")
    count = len(options) if isinstance(options, list) else 0
    if not isinstance(question[PICTURES], list) or len(question[PICTURES]) != count:
        raise refuse(where, "pictures_count", _COUNT, n=count)
    return True


def _checked_data(given: Unchecked, place: _Place) -> bytes:
    """Return the bytes of a picture after checking its format and sizes, without decoding it."""
    data, largest = decoded(given["data"]), LARGEST[place.what]
    if data is None:
        raise refuse(f"{place.where}.data", "picture_format", FORMAT)
    if len(data) > PICTURE_BYTES_MAX:
        raise refuse(f"{place.where}.data", "picture_bytes", _BYTES, most=PICTURE_BYTES_MAX)
    size = webp.size(data)
    if size is None:
        raise refuse(f"{place.where}.data", "picture_format", FORMAT)
    if not _fits(size, given, largest):
        raise refuse(place.where, "picture_sides", _SIDES, width=largest.width, height=largest.height)
    return data


def _check_decodes(data: bytes, place: _Place) -> None:
    if not _is_picture(data):
        raise refuse(f"{place.where}.data", "picture_format", FORMAT)


def decoded(data: object) -> bytes | None:
    """Return the bytes of a base64 text in its only notation; None for anything else."""
    if not isinstance(data, str) or len(data) > 2 * PICTURES_BYTES_MAX or not re.fullmatch(DATA, data):
        return None
    try:
        content = base64.b64decode(data, validate=True)
    except binascii.Error:
        return None
    return content if base64.b64encode(content).decode() == data else None


def _fits(size: webp.Size, given: Unchecked, largest: webp.Size) -> bool:
    sides = [given["width"], given["height"]]
    is_true = all(type(each) is int for each in sides) and tuple(sides) == size
    return is_true and 1 <= size.width <= largest.width and 1 <= size.height <= largest.height


@lru_cache(maxsize=256)
def _is_picture(data: bytes) -> bool:
    """Return whether the picture can be decoded completely."""
    try:
        with Image.open(io.BytesIO(data), formats=["WEBP"]) as image:
            image.load()
    except (OSError, SyntaxError, ValueError):
        return False
    return True


# Definitions ----------------------------------------------------------------------------------------------------------


def check(data: Unchecked) -> None:
    """Raise Misshapen, or a Python error, unless a page may show the pictures. The rest of the definition must be
    well-formed."""
    if FIELD not in data:
        return
    parts, tags = data[FIELD], set(languages_of(data))
    must(isinstance(parts, dict) and parts and parts.keys() <= PARTS and all(parts.values()))
    by_key = {question["key"]: question for question in data["questions"]}
    described = [(LOGO, parts["logo"])] if "logo" in parts else []
    for name in ("questions", "options"):
        must(isinstance(parts.get(name, {}), dict) and parts.get(name, {}).keys() <= by_key.keys())
    described += [(PICTURE, each) for each in parts.get("questions", {}).values()]
    plain = []
    for key, each in parts.get("options", {}).items():
        question = by_key[key]
        must(question["kind"] in PICTURED and isinstance(each, list) and any(each))
        must(len(each) == len(question["options"]) - question["prefer_not_to_say"])
        plain += [(PICTURES, one) for one in each if one is not None]
    for _what, one in described:
        exactly(one, SHOWN | {"alt"})
        exactly(one["alt"], tags)
        must(all(is_text(alt, ALT_MAX, empty=True) for alt in one["alt"].values()))
    for _what, one in plain:
        exactly(one, SHOWN)
    _check_all([*described, *plain])


def _check_all(pictures: Sequence[tuple[str, Unchecked]]) -> None:
    must(sum(one["width"] * one["height"] for _what, one in pictures) <= PICTURES_PIXELS_MAX)
    places = [_Place(what, what) for what, _one in pictures]
    try:
        contents = [_checked_data(one, place) for (_what, one), place in zip(pictures, places, strict=True)]
        must(sum(map(len, contents)) <= PICTURES_BYTES_MAX)
        for data, place in zip(contents, places, strict=True):
            _check_decodes(data, place)
    except DraftRefused:
        must(False)


def alt(picture: Frozen, tag: str) -> str:
    """Return the description of a definition's picture in one of its languages."""
    return str(picture["alt"][tag])


def of_question(definition: Mapping[str, Any], key: str) -> Frozen | None:
    picture: Frozen | None = definition.get(FIELD, {}).get("questions", {}).get(key)
    return picture


def of_options(definition: Mapping[str, Any], key: str) -> Sequence[Frozen | None]:
    """Return the options' pictures, None for an option without one; () if no option has any."""
    pictures: Sequence[Frozen | None] = definition.get(FIELD, {}).get("options", {}).get(key, ())
    return pictures


def logo(definition: Mapping[str, Any]) -> Frozen | None:
    picture: Frozen | None = definition.get(FIELD, {}).get("logo")
    return picture


def seen(definition: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the data of all pictures of a question and its options, for comparison with another survey; () if it has
    none."""
    shown = [of_question(definition, key), *of_options(definition, key)]
    return tuple(each["data"] if each else "" for each in shown) if any(shown) else ()
