"""The pictures of the edited part, as its form shows them."""

from typing import Any, NamedTuple

from surveys.drafts.fields import Part
from surveys.rules import webp
from surveys.rules.context import Context
from surveys.rules.unchecked import as_list
from surveys.survey.definition.pictures import LOGO, PICTURE, PICTURES, decoded


class PictureView(NamedTuple):
    """A picture from a file or from the builder. `readable`: a browser can show it."""

    data: str
    width: int
    height: int
    alt: str
    readable: bool


class PicturedOption(NamedTuple):
    """An option's words, its place from 0, and its picture if it has one."""

    place: int
    words: str
    picture: PictureView | None


def context(part: Part) -> Context:
    """Return the part's picture and its options' pictures."""
    given, lines = as_list(part.get(PICTURES)), map(str, as_list(part.get("options")))
    return {
        "picture": view_of(part.get(PICTURE, part.get(LOGO))),
        "options": [
            PicturedOption(i, words, view_of(given[i]) if i < len(given) else None) for i, words in enumerate(lines)
        ],
    }


def view_of(given: Any) -> PictureView | None:
    """Return a draft's picture as its form shows it; None if there is no data for one."""
    if not isinstance(given, dict):
        return None
    alt, data = given.get("alt", ""), decoded(given.get("data"))
    size = webp.size(data) if data else None
    words = alt if isinstance(alt, str) else ""
    if data is None or size is None:
        return PictureView("", 0, 0, words, False)
    return PictureView(given["data"], size.width, size.height, words, True)
