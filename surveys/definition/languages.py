"""A definition in one of its languages.

What follows from a question's kind (yes and no, bins, "Prefer not to say") is never translated by a designer: the page
has these words itself, in each language that it speaks. Answers and reports are positions, so they are the same in
every language. The page has the same function (languages.js).
"""

from collections.abc import Mapping
from typing import Any, cast

from ldp.question import Question
from surveys import kinds
from surveys.rules.languages import DEFAULT, direction, own_words

Definition = dict[str, Any]
TRANSLATED = ("title", "introduction", "consent", "thanks")


def language_of(definition: Definition) -> str:
    """The tag of the language in which the definition's own texts are."""
    tag: str = definition.get("language", DEFAULT)
    return tag


def languages_of(definition: Definition) -> list[str]:
    """Its tags, its own first."""
    return [language_of(definition), *sorted(definition.get("translations", {}))]


def attributes(definition: Definition) -> dict[str, str]:
    """`lang` and `dir` of its own texts, as HTML has them."""
    return {"lang": language_of(definition), "dir": direction(language_of(definition))}


def in_language(definition: Definition, tag: str) -> Definition:
    """The certified definition with the texts of one of its languages, and no others. KeyError where it has none."""
    alone = {name: value for name, value in definition.items() if name != "translations"}
    if tag == language_of(definition):
        return alone
    texts = definition["translations"][tag]
    said = {name: texts[name] for name in TRANSLATED if name in texts}
    questions = [_question(*pair, tag) for pair in zip(definition["questions"], texts["questions"], strict=True)]
    if "sections" in definition:
        said["sections"] = [a | b for a, b in zip(definition["sections"], texts["sections"], strict=True)]
    return alone | said | {"language": tag, "questions": questions}


def _question(question: Question, texts: dict[str, Any], tag: str) -> Question:
    return worded(cast(Question, question | texts), texts.get("options"), tag)


def worded(question: Question, answers: list[str] | None, tag: str) -> Question:
    """The question with its options in a language: `answers`, or what its kind gives it, and "Prefer not to say"."""
    words = own_words(tag)
    answers = kinds.of(question).own_options(question, words) or answers
    if answers is None:
        return question
    refusing = [words.prefer_not_to_say] if question["prefer_not_to_say"] else []
    return question | {"options": [*answers, *refusing]}


def answers_of(question: Mapping[str, Any]) -> list[str] | None:
    """The options beside "Prefer not to say"; None where there are none."""
    options: list[str] = question.get("options", [])
    return options[: len(options) - question["prefer_not_to_say"]] or None
