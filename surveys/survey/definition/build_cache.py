"""Questions as they were built, kept by their content: integer tables are costly, and a draft of two hundred questions
is built again after each change of one.

What is kept is text, so that nobody changes what another is given. It is bounded by its size, and the least recently
used goes first.
"""

import json
from collections import OrderedDict
from threading import Lock
from typing import cast

from django.utils.translation import gettext_noop as _

from ldp.question import Drawn, Question
from surveys.rules.codes import Code
from surveys.rules.languages import DEFAULT, implied_words
from surveys.rules.lookalikes import looks_like_any
from surveys.rules.refusals import DraftRefused, RuleBreach, broken, refuse
from surveys.survey.definition import languages, pictures, questions

CHARACTERS_MAX = 32_000_000
WHERE = "question"


class TextCache:
    """Texts by texts, of a bounded size in all; threads may share it."""

    def __init__(self, most: int) -> None:
        self._most, self._size, self._lock = most, 0, Lock()
        self._texts: OrderedDict[str, str] = OrderedDict()

    def get(self, key: str) -> str | None:
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
            return self._texts.get(key)

    def put(self, key: str, value: str) -> None:
        with self._lock:
            self._size += len(key) + len(value) - self._drop(key)
            self._texts[key] = value
            while self._size > self._most:
                self._size -= self._drop(next(iter(self._texts)))

    def _drop(self, key: str) -> int:
        value = self._texts.pop(key, None)
        return 0 if value is None else len(key) + len(value)


KEPT = TextCache(CHARACTERS_MAX)


def build(draft: object, where: str, language: str = DEFAULT) -> Drawn:
    """What questions.build returns or raises, computed once for each content, with its own words in a language. Its
    pictures stand elsewhere in a definition."""
    return cast(Drawn, _built_once(draft, where, language, drawn=False))


def build_content(draft: object, where: str, language: str = DEFAULT) -> Question:
    """The same of questions.build_content."""
    return _built_once(draft, where, language, drawn=True)


def _built_once(draft: object, where: str, language: str, drawn: bool) -> Question:
    draft = pictures.without(draft)
    content = json.dumps([draft, drawn], sort_keys=True)
    text = KEPT.get(content)
    if text is None:
        text = _built(draft, drawn)
        KEPT.put(content, text)
    built, refused = json.loads(text)
    if refused:
        raise DraftRefused(*(broken(where + field, code, rule, **values) for field, code, rule, values in refused))
    return _in_words(built, where, language)


def _in_words(question: Question, where: str, language: str) -> Question:
    answers, words = languages.answers_of(question), implied_words(language)
    if question["prefer_not_to_say"] and answers and looks_like_any(words.prefer_not_to_say, answers):
        rule = _("must differ from “%(option)s”, which prefer_not_to_say adds")
        raise refuse(f"{where}.options", "refusing_option", rule, option=words.prefer_not_to_say)
    return languages.worded(question, answers, language)


def _built(draft: object, drawn: bool) -> str:
    """The question, or its refusals with what follows on its place."""
    try:
        return json.dumps([(questions.build_content if drawn else questions.build)(draft, WHERE), []])
    except DraftRefused as refused:
        return json.dumps([None, [_refusal(one) for one in refused.refusals]])


def _refusal(refusal: RuleBreach) -> tuple[str, Code, str, dict[str, object]]:
    """With its rule as it is marked for translation: whoever reads it next may speak another language."""
    rule = refusal.rule
    return refusal.field.removeprefix(WHERE), refusal.code, rule.text, dict(rule.values)
