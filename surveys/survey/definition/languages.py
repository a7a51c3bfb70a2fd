"""A definition in one of its languages.

Words that follow from a question's kind (yes and no, bins, "Prefer not to say") are never translated by a designer; the
page has them in each of its languages. Answers and reports are positions, so they are the same in every language. The
page has the same function (languages.js).
"""

from collections.abc import Mapping
from typing import Any, cast

from ldp.question import Question
from surveys.rules.languages import DEFAULT, direction, implied_words
from surveys.survey import kinds
from surveys.survey.definition.document import Definition, QuestionTexts

TRANSLATED = ("title", "introduction", "consent", "thanks")


def language_of(definition: Mapping[str, object]) -> str:
    """Return the tag of the language of a definition's or a draft's own texts."""
    return str(definition.get("language", DEFAULT))


def languages_of(definition: Mapping[str, Any]) -> list[str]:
    """Return the tags of all languages of a definition, its own first."""
    return [language_of(definition), *sorted(definition.get("translations", {}))]


def attributes(definition: Definition) -> dict[str, str]:
    """Return the HTML attributes `lang` and `dir` of a definition's own texts."""
    return {"lang": language_of(definition), "dir": direction(language_of(definition))}


def title_in(definition: Definition, tag: str) -> str:
    """Return the title in this language, or in the survey's own language."""
    texts = definition.get("translations", {}).get(tag, definition)
    return str(texts["title"])


def in_language(definition: Definition, tag: str) -> Definition:
    """Return a certified definition with the texts of one language only. Raise KeyError for a language that it does not
    have."""
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
    """Return the question with its options in a language: its kind's options, else `answers`, and "Prefer not to say"
    if it has that."""
    words = implied_words(tag)
    answers = kinds.of(question).implied_options(question, words) or answers
    if answers is None:
        return question
    refusing = [words.prefer_not_to_say] if question["prefer_not_to_say"] else []
    return question | {"options": [*answers, *refusing]}


def answers_of(question: Mapping[str, Any]) -> list[str] | None:
    """Return the options without "Prefer not to say"; None if there are none."""
    options: list[str] = question.get("options", [])
    return options[: len(options) - question["prefer_not_to_say"]] or None
