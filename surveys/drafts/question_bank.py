"""Questions of somebody's earlier surveys, which another draft can take over."""

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import NamedTuple

from surveys.drafts.errors import Changed
from surveys.drafts.kinds import kind_of
from surveys.drafts.normalize import normalized
from surveys.models import Survey
from surveys.rules.unchecked import Draft, Question
from surveys.survey.definition.arms import FIELD
from surveys.survey.definition.languages import language_of
from surveys.survey.definition.pictures import PICTURE
from surveys.survey.definition.translation_texts import text_at
from surveys.survey.kinds import LISTS, lines

TEXTS = ("text", "note", *sorted(LISTS), "unit")
# Whether a question is asked, and as another's version, depends on questions that the other draft need not have.
LEFT = frozenset({"asked_if", "filler", FIELD})


class Entry(NamedTuple):
    """A question, and the newest of the surveys that have it."""

    survey: Survey
    question: Question

    @property
    def name(self) -> str:
        """What `take` finds it by."""
        return f"{self.survey.pk}:{self.question['key']}"

    @property
    def options(self) -> list[object]:
        given = lines(self.question)
        return given if isinstance(given, list) else []


def entries(surveys: Iterable[Survey], words: str) -> Iterator[Entry]:
    """Every different question once, of those whose texts have the words; the surveys come newest first."""
    known: set[str] = set()
    for survey in surveys:
        for question in normalized(survey.draft)["questions"]:
            texts = json.dumps([question.get(name) for name in ("kind", *TEXTS)], ensure_ascii=False)
            if (
                question.get("text")
                and kind_of(question)
                and texts not in known
                and words.casefold() in texts.casefold()
            ):
                known.add(texts)
                yield Entry(survey, question)


def copy_of(source: Draft, key: str, language: str) -> Question:
    """The question for a draft in this language, with its texts in it where they were translated. Changed where there
    is none of this key."""
    draft = normalized(source)
    place = next((i for i, question in enumerate(draft["questions"]) if question["key"] == key), None)
    if place is None:
        raise Changed
    copy = {name: value for name, value in deepcopy(draft["questions"][place]).items() if name not in LEFT}
    if isinstance(copy.get(PICTURE), dict) and language != language_of(draft):
        copy[PICTURE] |= _alt_in(draft, place, language)
    return copy | (_texts_in(draft, place, language) if language != language_of(draft) else {})


def _alt_in(draft: Draft, place: int, language: str) -> Question:
    """What the picture shows, in the words of a translation."""
    words = text_at(draft.get("translations"), (language, "questions", place, PICTURE))
    return {"alt": words} if words else {}


def _texts_in(draft: Draft, place: int, language: str) -> Question:
    try:
        texts = draft["translations"][language]["questions"][place]
        return {name: texts[name] for name in TEXTS if texts.get(name)}
    except (KeyError, IndexError, TypeError, AttributeError):  # none, or none of that shape
        return {}
