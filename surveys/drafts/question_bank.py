"""Questions of a user's earlier surveys, for copying into another draft."""

import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import NamedTuple, cast

from surveys.drafts.errors import Changed
from surveys.drafts.kinds import kind_of
from surveys.drafts.normalize import normalized
from surveys.models import Survey
from surveys.rules.draft import Draft, Question, without
from surveys.rules.unchecked import Unchecked, as_list
from surveys.survey.definition.arms import FIELD
from surveys.survey.definition.languages import language_of
from surveys.survey.definition.pictures import PICTURE
from surveys.survey.definition.translation_texts import text_at
from surveys.survey.kinds import LISTS, lines

TEXTS = ("text", "note", *sorted(LISTS), "unit")
# Whether a question is asked, and whose version it is, depends on questions that the other draft may lack.
LEFT = frozenset({"asked_if", FIELD})


class BankQuestion(NamedTuple):
    """A question, and the newest survey that has it."""

    survey: Survey
    question: Question

    @property
    def name(self) -> str:
        """Return the name by which `take` finds it."""
        return f"{self.survey.pk}:{self.question['key']}"

    @property
    def options(self) -> list[object]:
        return as_list(lines(self.question))


def entries(surveys: Iterable[Survey], words: str) -> Iterator[BankQuestion]:
    """Yield each different question whose texts contain the words, once. The surveys come newest first."""
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
                yield BankQuestion(survey, question)


def copy_of(source: Draft, key: str, language: str) -> Question:
    """Return a copy of the question for a draft in this language, with its translations into that language. Raise
    Changed if the key does not exist."""
    draft = normalized(source)
    place = next((i for i, question in enumerate(draft["questions"]) if question["key"] == key), None)
    if place is None:
        raise Changed
    copy = without(deepcopy(draft["questions"][place]), LEFT)
    if language == language_of(draft):
        return copy
    if isinstance(picture := copy.get("picture"), dict):
        words = text_at(draft.get("translations"), (language, "questions", place, PICTURE))
        copy["picture"] = picture | ({"alt": words} if words else {})
    return copy | _texts_in(draft, place, language)


def _texts_in(draft: Unchecked, place: int, language: str) -> Question:
    try:
        texts = draft["translations"][language]["questions"][place]
        return cast(Question, {name: texts[name] for name in TEXTS if texts.get(name)})
    except (KeyError, IndexError, TypeError, AttributeError):  # missing, or of another shape
        return {}
