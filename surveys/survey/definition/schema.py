"""The JSON Schema of drafts, made from the limits and names that `build` reads.

Every draft that `build` accepts is valid. The reverse does not hold, because a schema cannot express these rules:

- A condition (asked_if) names different earlier questions that can decide, and only some options of each. Some answers
  fulfil it.
- A right answer is an option of a question that all respondents are asked.
- Keys are unique. The sections together name every key once, in order.
- A histogram's edges increase. A date's dates increase, exist and are equally exact.
- A mean's low is below its high. Ends are whole if only whole numbers can be entered.
- An alpha or delta written as text is in its range.
- There are at most 256 options with "Prefer not to say". A sample is at most the number of items.
- Texts of a list differ, apart from spaces at their ends. They look different, also in a ranking's pairs.
- A translation has a text exactly where the original has one. Its language is not the survey's own.
- A text has no code point above U+FFFF that is no character, no invisible character that turns its direction, no pile
  of marks and no run of empty lines.
- Links lead to https or a mail address. They are only in texts that everyone is shown, with the same hosts in every
  language.
- An accent colour is readable on the light page's backgrounds.
- A picture is WebP without metadata and of the stated size. Each option has one. All pictures together are bounded.
- Draws name questions of the survey, each once per person. Several forms share a question only if estimates can pool
  them.
- A draw has a size for each question, below the number of its options.
- arm_of names a question of the same shape in another form, which is itself no version.
- A question that no draw names has an alpha. A question in a draw has no field of randomization.
- The cost of all tables and estimates is bounded. Mechanisms accept only some numbers of options.
"""

from ldp.mechanisms import FITTING, WITH_DELTA
from surveys.rules.draft_schema import Schema, fields, listed, says, text
from surveys.rules.limits import ALT_MAX, OPTION_MAX, QUESTIONS_MAX, TITLE_MAX
from surveys.survey.definition import pictures
from surveys.survey.definition.fields import OF_ANY_KIND, QUESTION, SURVEY
from surveys.survey.definition.questions import REQUIRED
from surveys.survey.definition.translations import LIMITS, OF_QUESTION, OF_SECTION
from surveys.survey.kinds import KINDS, LISTS


def schema(address: str) -> Schema:
    """Return the schema, whose `$id` is this URL."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": address,
        "title": "A draft of a survey",
        "description": "What a survey asks and how each answer is randomized. A number may also be a decimal string.",
        "type": "object",
        "additionalProperties": False,
        "required": ["title", "questions"],
        "properties": {name: field.schema for name, field in SURVEY.items()},
        "$defs": {
            "question": {"oneOf": [_question(kind) for kind in KINDS]},
            "translation": translation(),
        },
    }


def translation() -> Schema:
    """Return the schema of a translation, which has as many sections, questions, options and items as the draft."""
    section = fields({name: text(most, empty=True) for name, most in OF_SECTION.items()})
    words = {name: text(most, empty=True) for name, most in (OF_QUESTION | {pictures.PICTURE: ALT_MAX}).items()}
    lists = {name: listed(text(OPTION_MAX), 0, most) for name, most in LISTS.items()}
    texts = {name: text(most, empty=True) for name, most in (LIMITS | {pictures.LOGO: ALT_MAX}).items()}
    texts |= {"title": text(TITLE_MAX), "sections": listed(section, 0, QUESTIONS_MAX)}
    texts["questions"] = listed(fields(words | lists), 1, QUESTIONS_MAX)
    return fields(texts) | {"required": ["questions", "title"]}


def _question(name: str) -> Schema:
    kind = KINDS[name]
    known = _fields(name)
    pictured = {pictures.PICTURE} | ({pictures.PICTURES} if name in pictures.PICTURED else set())
    made: Schema = {
        "title": name,
        "type": "object",
        "additionalProperties": False,
        "required": sorted(REQUIRED - {"alpha"} | kind.required),
        "properties": {
            field: known[field] for field in sorted({*OF_ANY_KIND} | kind.required | kind.optional | pictured)
        },
    }
    made |= _delta_with(set(FITTING[name]) & set(WITH_DELTA)) if "delta" in kind.optional else {}
    return made | kind.schema


def _delta_with(mechanisms: set[str]) -> Schema:
    """Return the rule that a question has a delta exactly if it names one of these mechanisms."""
    named = {"properties": {"mechanism": {"enum": sorted(mechanisms)}}, "required": ["mechanism"]}
    return {"if": named, "then": {"required": ["delta"]}, "else": {"not": {"required": ["delta"]}}}


def _fields(name: str) -> dict[str, Schema]:
    """Return the fields that a question of this kind may have."""
    kind = KINDS[name]
    known = QUESTION | {field.name: field for field in (*kind.typed_fields, *kind.special_fields)}
    return {field: each.schema for field, each in known.items()} | {
        "kind": {"const": name},
        "mechanism": {"enum": list(FITTING[name])} | says("Without one, the most precise."),
        "prefer_not_to_say": {"const": False} if kind.no_refusing else {"type": "boolean"},
    }
