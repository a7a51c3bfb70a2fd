"""The JSON Schema of drafts, made from the limits and names that `build` reads.

Every draft that `build` accepts is valid by it. The reverse does not hold; a schema cannot express these rules:

- that asked_if names different earlier questions that can decide and only some options of each, and that some answers
  fulfil it;
- that a right answer is one of the options, in a question that all respondents are asked;
- that no two questions have one key, and that the sections together name every key once, in order;
- that the edges of a histogram and the dates of a date increase, and that these exist and are all as exact;
- that a mean's low is below its high, and that ends are whole where only whole numbers can be entered;
- that an alpha or delta that is written as a text lies in its range;
- that there are at most 256 options with "Prefer not to say", and that a sample is at most the number of items;
- that two texts differ not only at their ends, where spaces do not count;
- that a translation has a text exactly where the survey's own language has one, and in another language;
- that a text holds no code point above U+FFFF that is no character, no invisible character that turns its direction, no
  pile of marks and no run of empty lines;
- that a link in a text leads to https or a mail address, only in texts that all are shown, and to the same hosts in
  every language;
- that two texts of a list look different, or would where a ranking has them in pairs;
- that an accent colour can be read on the page's light grounds;
- that a picture is WebP without metadata and as large as it says, that there is one for each option, and how large all
  pictures together may be;
- that draws name questions of the survey, each at most once for one person, and in several forms only where estimates
  can pool these;
- that sizes are one for each question of a draw, and each less than the number of its options;
- that arm_of names a question of the same shape in another form, which is itself no version of another;
- that a question has an alpha where no draw names it, and says nothing of how it is randomized where one does;
- what the tables and estimates of all questions together may cost, and which numbers of options a
  mechanism takes.
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
    """Return the rule that a question has a delta if and only if it names one of these mechanisms."""
    named = {"properties": {"mechanism": {"enum": sorted(mechanisms)}}, "required": ["mechanism"]}
    return {"if": named, "then": {"required": ["delta"]}, "else": {"not": {"required": ["delta"]}}}


def _fields(name: str) -> dict[str, Schema]:
    """Return each field that a question of this kind may have."""
    kind = KINDS[name]
    known = QUESTION | {field.name: field for field in (*kind.typed_fields, *kind.special_fields)}
    return {field: each.schema for field, each in known.items()} | {
        "kind": {"const": name},
        "mechanism": {"enum": list(FITTING[name])} | says("Without one, the most precise."),
        "prefer_not_to_say": {"const": False} if kind.no_refusing else {"type": "boolean"},
    }
