"""Ready-made questions, with their texts in each language of the site. In a draft they are ordinary questions."""

from copy import deepcopy
from typing import Any, NamedTuple, cast

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override, pgettext_lazy

from surveys.drafts import outline
from surveys.rules.draft import Draft, Question
from surveys.rules.languages import DEFAULT, site_language
from surveys.rules.unchecked import Unchecked, as_object
from surveys.survey.definition.translation_texts import follow


class Ready(NamedTuple):
    """A ready-made question. `fields` may have texts to translate."""

    name: Promise
    purpose: Promise
    fields: Question


READY: dict[str, Ready] = {
    "attention": Ready(
        _("Attention check"),
        _("Everyone should give one answer: results can be corrected for people who do not."),
        {
            "kind": "ordered",
            "text": _("To show that you read the questions, please choose “Often”."),
            "options": [
                pgettext_lazy("step of a scale", "Never"),
                _("Rarely"),
                _("Sometimes"),
                _("Often"),
                _("Always"),
            ],
            "right": 3,
        },
    ),
    "understood": Ready(
        _("Was it understood?"),
        _("Whether people understood how their answers are protected, randomized like any answer."),
        {"kind": "yes_no", "text": _("Did you understand how your answers are protected?")},
    ),
}


def insert(draft: Draft, name: str, at: int | None) -> str:
    """Insert the question at this row, also into the draft's translations. Return its key."""
    before, fields = deepcopy(draft), READY[name].fields
    key = outline.insert(draft, in_language(fields, draft.get("language")), at)
    translate(before, draft, key, fields)
    return key


def translate(before: Draft, draft: Draft, key: str, fields: Unchecked) -> None:
    """Put the question's texts into every translation. In a language that the site lacks they become empty, because the
    former texts translate something else."""
    follow(before, draft)
    place = next(place for place, each in enumerate(draft["questions"]) if each["key"] == key)
    for tag, texts in as_object(draft.get("translations")).items():
        if isinstance(texts, dict):
            own = texts["questions"][place]
            fitting = {name: value for name, value in in_language(fields, tag).items() if name in own}
            own |= (
                fitting
                if speaks(tag)
                else {name: [""] * len(value) if isinstance(value, list) else "" for name, value in fitting.items()}
            )


def speaks(tag: str) -> bool:
    """Return whether the site has its texts in this language."""
    return site_language(tag) == tag.split("-")[0]


def in_language(fields: Unchecked, tag: object) -> Question:
    """Return the question in the language of a tag, or in English if the site lacks that language."""
    with override(site_language(tag) if isinstance(tag, str) and tag else DEFAULT):
        return cast(Question, {name: _text(value) for name, value in fields.items()})


def _text(value: Any) -> Any:
    if isinstance(value, list):
        return [str(each) for each in value]
    return str(value) if isinstance(value, Promise) else value
