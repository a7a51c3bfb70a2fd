"""A definition in one of its languages.

What follows from a question's kind (yes and no, bins, "Prefer not to say") is never translated by a designer: the page
has these words itself, in each language that it speaks. Answers and reports are positions, so they are the same in
every language. The page has the same function (languages.js).
"""

from collections.abc import Mapping
from typing import Any, cast

from ldp.question import Question
from surveys.rules.languages import DEFAULT, direction, implied_words
from surveys.survey import kinds
from surveys.survey.definition.document import Definition, QuestionTexts

TRANSLATED = ("title", "introduction", "consent", "thanks")


def language_of(definition: Mapping[str, object]) -> str:
    """The tag of the language in which the own texts of a definition, or of a draft, are."""
    return str(definition.get("language", DEFAULT))


def languages_of(definition: Mapping[str, Any]) -> list[str]:
    """Its tags, its own first."""
    return [language_of(definition), *sorted(definition.get("translations", {}))]


def attributes(definition: Definition) -> dict[str, str]:
    """`lang` and `dir` of its own texts, as HTML has them."""
    return {"lang": language_of(definition), "dir": direction(language_of(definition))}


def title_in(definition: Definition, tag: str) -> str:
    """The title in one of its languages, or in its own."""
    texts = definition.get("translations", {}).get(tag, definition)
    return str(texts["title"])


def in_language(definition: Definition, tag: str) -> Definition:
    """The certified definition with the texts of one of its languages, and no others. KeyError where it has none."""
    alone = cast(Definition, {name: value for name, value in definition.items() if name != "translations"})
    if tag == language_of(definition):
        return alone
    texts = definition["translations"][tag]
    frame = {name: text for name, text in texts.items() if name in TRANSLATED}
    questions = [_question(*pair, tag) for pair in zip(definition["questions"], texts["questions"], strict=True)]
    translated = cast(Definition, {**alone, **frame, "language": tag, "questions": questions})
    if "sections" in definition:
        pairs = zip(definition["sections"], texts["sections"], strict=True)
        translated["sections"] = [{**section, **its} for section, its in pairs]
    return translated


def _question(question: Question, texts: QuestionTexts, tag: str) -> Question:
    return worded(cast(Question, {**question, **texts}), texts.get("options"), tag)


def worded(question: Question, answers: list[str] | None, tag: str) -> Question:
    """The question with its options in a language: `answers`, or what its kind gives it, and "Prefer not to say"."""
    words = implied_words(tag)
    answers = kinds.of(question).implied_options(question, words) or answers
    if answers is None:
        return question
    refusing = [words.prefer_not_to_say] if question["prefer_not_to_say"] else []
    return question | {"options": [*answers, *refusing]}


def answers_of(question: Mapping[str, Any]) -> list[str] | None:
    """The options beside "Prefer not to say"; None where there are none."""
    options: list[str] = question.get("options", [])
    return options[: len(options) - question["prefer_not_to_say"]] or None
