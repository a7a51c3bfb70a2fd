"""A cache of built questions by their content. Integer tables take time, and a draft of 200 questions is built again
after each change.

The cache stores texts, so that no caller changes another's question. Its size is bounded; the least recently used text
goes first.
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
    """A thread-safe map from texts to texts with a bounded total size."""

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
    """Return the cached result of questions.build, or raise its refusal. Words like "Yes" are in `language`. Pictures
    are left out, because a definition has them elsewhere."""
    return cast(Drawn, _built_once(draft, where, language, drawn=False))


def build_content(draft: object, where: str, language: str = DEFAULT) -> Question:
    """Return the result of questions.build_content, cached."""
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
    """Return the text of a question, or of its refusals with fields relative to its place."""
    try:
        return json.dumps([(questions.build_content if drawn else questions.build)(draft, WHERE), []])
    except DraftRefused as refused:
        return json.dumps([None, [_refusal(one) for one in refused.refusals]])


def _refusal(refusal: RuleBreach) -> tuple[str, Code, str, dict[str, object]]:
    # Untranslated, because the next reader may use another language.
    rule = refusal.rule
    return refusal.field.removeprefix(WHERE), refusal.code, rule.text, dict(rule.values)
