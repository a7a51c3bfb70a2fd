"""The JSON Schema of drafts, made of the same limits and names that `build` reads.

Whatever `build` accepts is valid by it. The reverse does not hold; a schema cannot say these of the rules:

- that asked_if names different earlier questions that can decide and only some options of each, and lets somebody in,
  and that a filler is an answer;
- that a right answer is one of the options, and of a question that everybody is asked;
- that no two questions have one key, and that the sections together name every key once, in order;
- that the edges of a histogram and the dates of a date increase, and that these exist and are all as exact;
- that a mean's low is below its high;
- that an alpha or delta that is written as a text lies in its range;
- that there are at most 256 options with "Prefer not to say", and that a sample is at most the number of items;
- that two texts differ not only at their ends, where spaces do not count;
- that a translation has a text exactly where the survey's own language has one, and in another language;
- that a text holds no code point above U+FFFF that is no character, no invisible character that turns its direction, no
  pile of marks and no run of empty lines;
- that a link in a text leads to https or a mail, stands only where everybody is asked, and to the same hosts in every
  language;
- that two texts of a list look different, or would where a ranking has them in pairs;
- that an accent colour can be read on the page's light grounds;
- that a picture is WebP without anything beside what is seen, and as large as it says, that there is one for each
  option, and what all pictures together may hold;
- that a form names questions of the survey, which stand in no other, and two or more where they have one alpha;
- that arm_of names a question of the same shape in another form, which is itself no version of another;
- that a question has an alpha, unless its form has one;
- what the tables and estimates of all questions together may cost, and which numbers of options a
  mechanism takes.
"""

from typing import Any

from ldp.exact import ALPHA_MAX, ALPHA_MIN, DELTA_MAX, DELTA_MIN
from ldp.forms.lot import WEIGHT_MAX
from ldp.mechanisms import FITTING, MARGINAL, WITH_DELTA
from ldp.question import RULES_MAX, RULES_MIN
from surveys.definition import accent, completion, invitations, pictures, relay, routing
from surveys.definition.frame import SECTION
from surveys.definition.questions import REQUIRED, SHARED
from surveys.definition.translations import LIMITS, OF_QUESTION, OF_SECTION
from surveys.definition.waves import FIELD, NEEDED, PATTERNS
from surveys.kinds import KINDS, LISTS
from surveys.kinds.ranking import LONGEST
from surveys.rules.languages import TAG
from surveys.rules.limits import (
    ALT_MAX,
    CATEGORIES_MAX,
    CONSENT_MAX,
    ITEMS_MAX,
    LANGUAGES_MAX,
    OPTION_MAX,
    PICTURE_BYTES_MAX,
    QUESTIONS_MAX,
    RANKED_MAX,
    RANKED_MIN,
    TEXT_MAX,
    TITLE_MAX,
    UNIT_MAX,
)
from surveys.rules.origins import ORIGIN
from surveys.rules.texts import PREFER_NOT_TO_SAY

Schema = dict[str, Any]

# No code points below 32 but the end of a line, and none that are no characters; and one that shows: of what counts as
# a space, both Python's list and ECMAScript's.
_PRINTABLE = r"^[^\u0000-\u0009\u000b-\u001f\ufdd0-\ufdef\ufffe\uffff]*$"
_SHOWS = (
    r"[^\s\u0085\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]"
)


def schema(address: str) -> Schema:
    """The schema, which stands at this address."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": address,
        "title": "A draft of a survey",
        "description": "What a survey asks and how each answer is randomized. A number may also be a decimal string.",
        "type": "object",
        "additionalProperties": False,
        "required": ["title", "questions"],
        "properties": {
            "title": _text(TITLE_MAX),
            "introduction": _text(TEXT_MAX, empty=True) | _says("Read before the first question."),
            "consent": _text(CONSENT_MAX, empty=True) | _says("Agreed to before the first question; never recorded."),
            "thanks": _text(TEXT_MAX, empty=True) | _says("Read after the answers were sent."),
            completion.CODE: _or_empty(completion.CODE)
            | _says("Shown to everybody after the answers were sent, to be entered elsewhere."),
            completion.LINK: _or_empty(completion.LINK)
            | _says("Leads everybody back after the answers were sent, when they follow it."),
            accent.FIELD: {"type": "string", "pattern": f"^({accent.TYPED})?$"}
            | _says("The colour of buttons, links and chosen answers, the same for everybody; empty: the site's own."),
            pictures.LOGO: _picture(pictures.LOGO, described=True) | _says("Stands above the title."),
            "sections": _sections() | _says("Pages for the respondent: every question in one, in their order."),
            "questions": _list({"$ref": "#/$defs/question"}, 1, QUESTIONS_MAX),
            "forms": _forms() | _says("Each browser draws one, and asks its questions and those that no form names."),
            FIELD: _wave() | _says("The survey of which this is the next wave: the same people are asked again."),
            invitations.FIELD: {"type": "boolean"} | _says("Only who was invited can answer, once each."),
            invitations.GROUPS: _list(_text(invitations.NAME_MAX), 0, invitations.GROUPS_MOST)
            | _says("Of a survey by invitation without forms: groups of people whose results are published apart."),
            relay.FIELD: {"type": "string", "pattern": f"^({ORIGIN.pattern})?$"}
            | _says("The origin of the relay through which reports come, one of the site's."),
            "language": {"type": "string", "pattern": f"^({TAG})?$"} | _says("Of the texts; without one, English."),
            "translations": _translations() | _says("The same texts in other languages, by language tag."),
        },
        "$defs": {
            "question": {"oneOf": [_question(kind) for kind in KINDS]},
            "translation": _translation(),
        },
    }


def _or_empty(name: str) -> Schema:
    return {"type": "string", "pattern": f"^({completion.PATTERNS[name]})?$"}


def _wave() -> Schema:
    """The alphas of that survey and of all waves before it are added up, and their deltas where there are any."""
    properties = {name: {"type": "string", "pattern": f"^{pattern}$"} for name, pattern in PATTERNS.items()}
    return _object(properties) | {"required": sorted(NEEDED)}


def _translations() -> Schema:
    return {
        "type": "object",
        "maxProperties": LANGUAGES_MAX - 1,
        "propertyNames": {"pattern": f"^{TAG}$"},
        "additionalProperties": {"$ref": "#/$defs/translation"},
    }


def _translation() -> Schema:
    """By position: as many sections, questions, options and items as the draft has."""
    texts = {name: _text(limit, empty=True) for name, limit in LIMITS.items()}
    lists = {name: _list(_text(OPTION_MAX), 0, most) for name, most in LISTS.items()}
    section = _object({name: _text(limit, empty=True) for name, limit in OF_SECTION.items()})
    words = {name: _text(limit, empty=True) for name, limit in (OF_QUESTION | {pictures.PICTURE: ALT_MAX}).items()}
    question = _object(words | lists)
    parts = {"sections": _list(section, 0, QUESTIONS_MAX), "questions": _list(question, 1, QUESTIONS_MAX)}
    texts |= {"title": _text(TITLE_MAX), pictures.LOGO: _text(ALT_MAX, empty=True)}
    return _object(texts | parts) | {"required": ["questions", "title"]}


def _object(properties: Schema) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _sections() -> Schema:
    properties = {
        "title": _text(TITLE_MAX),
        "text": _text(TEXT_MAX, empty=True),
        "questions": _list({"type": "string"}, 1) | _says("The keys of its questions."),
    }
    section = {"type": "object", "additionalProperties": False, "required": sorted(SECTION), "properties": properties}
    return _list(section, 0, QUESTIONS_MAX)


def _forms() -> Schema:
    weight = {"type": "integer", "minimum": 1, "maximum": WEIGHT_MAX}
    properties = {
        "questions": _list({"type": "string"}, 1) | {"uniqueItems": True} | _says("The keys of its questions."),
        "weight": weight | _says("It is drawn with this over the sum of all weights; without one, 1."),
        "alpha": _alpha() | _says("Randomizes the form's questions together, which then have none of their own."),
    }
    form = {"type": "object", "additionalProperties": False, "required": ["questions"], "properties": properties}
    return _list(form, 0, QUESTIONS_MAX)


def _question(name: str) -> Schema:
    kind = KINDS[name]
    fields, elsewhere = _fields(name), {"alpha"} if name in MARGINAL else set()
    own = {pictures.PICTURE} | ({pictures.PICTURES} if name in pictures.PICTURED else set())
    made: Schema = {
        "dependentRequired": {"asked_if": ["filler"], "filler": ["asked_if"]},
        "title": name,
        "type": "object",
        "additionalProperties": False,
        "required": sorted(REQUIRED - elsewhere | kind.required),
        "properties": {field: fields[field] for field in sorted(SHARED | kind.required | kind.optional | own)},
    }
    made |= _delta_with(set(FITTING[name]) & set(WITH_DELTA)) if "delta" in kind.optional else {}
    return made | (_ends_or_steps() if "steps" in kind.optional else {})


def _delta_with(mechanisms: set[str]) -> Schema:
    """A delta there, and there only, where one of these mechanisms is named."""
    named = {"properties": {"mechanism": {"enum": sorted(mechanisms)}}, "required": ["mechanism"]}
    return {"if": named, "then": {"required": ["delta"]}, "else": {"not": {"required": ["delta"]}}}


def _ends_or_steps() -> Schema:
    """Steps count by themselves; without them the ends of the scale are needed."""
    ends: list[Schema] = [{"required": [field]} for field in ("low", "high", "unit")]
    return {"if": {"required": ["steps"]}, "then": {"not": {"anyOf": ends}}, "else": {"required": ["low", "high"]}}


def _fields(name: str) -> Schema:
    """Each field that a question of any kind may have."""
    option = _text(OPTION_MAX) | {"not": {"const": PREFER_NOT_TO_SAY}}
    return {
        "key": {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"} | _says("Names the question in results."),
        "kind": {"const": name},
        "text": _text(TEXT_MAX),
        "note": _text(TEXT_MAX, empty=True) | _says("Stands below the question's text."),
        "alpha": _alpha(),
        "mechanism": {"enum": list(FITTING[name])} | _says("Without one, the most precise."),
        "prefer_not_to_say": {"const": False} if KINDS[name].no_refusing else {"type": "boolean"},
        "options": _different(option, CATEGORIES_MAX),
        "items": _different(_text(OPTION_MAX), ITEMS_MAX),
        "ranked": _list(_text(LONGEST), RANKED_MIN, RANKED_MAX)
        | {"uniqueItems": True}
        | _says("What is put in order."),
        "sample": {"type": "integer", "minimum": 1, "maximum": CATEGORIES_MAX} | _says("How many a report is about."),
        "edges": _list(_number(), 3, CATEGORIES_MAX + 1) | _says("Increasing; numbers beyond count in the outer bins."),
        "dates": _list(_date(), 3, CATEGORIES_MAX + 1)
        | _says("Increasing; all years, all months or all days. A span ends before the next date."),
        "unit": _text(UNIT_MAX, empty=True),
        "steps": _different(_text(OPTION_MAX), CATEGORIES_MAX)
        | _says("Of a scale asked for its mean alone: they count 1, 2, 3 and so on, instead of low, high and unit."),
        "low": _number() | _says("The lower end of the scale."),
        "high": _number() | _says("The upper end of the scale."),
        "delta": _delta(),
        "right": _position() | _says("An attention question: the position of the answer that all should give."),
        pictures.PICTURE: _picture(pictures.PICTURE, described=True) | _says("Stands below the question's text."),
        pictures.PICTURES: _list({"anyOf": [_picture(pictures.PICTURES), {"type": "null"}]}, 0, CATEGORIES_MAX)
        | _says("One for each option, which says in words what it shows."),
        "asked_if": _asked_if(),
        "arm_of": {"type": "string"} | _says("The key of the question of which this is another version, by lot."),
        "filler": _filler(name) | _says("The answer as which everybody counts who is not asked."),
    }


def _picture(what: str, described: bool = False) -> Schema:
    """A picture as the builder makes one of a file."""
    largest = pictures.LARGEST[what]
    base64 = {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/webp"}
    data = base64 | {"maxLength": 4 * -(-PICTURE_BYTES_MAX // 3), "pattern": f"^{pictures.DATA}$"}
    properties: Schema = {
        "data": data | _says("WebP: one still picture, without metadata or a colour profile."),
        "width": {"type": "integer", "minimum": 1, "maximum": largest.width},
        "height": {"type": "integer", "minimum": 1, "maximum": largest.height},
    }
    if described:
        properties["alt"] = _text(ALT_MAX) | _says("What it shows, for those who do not see it.")
    return _object(properties) | {"required": sorted(properties)}


def _asked_if() -> Schema:
    options = _list(_position(), 1) | {"uniqueItems": True} | _says("Positions of its options, from 0.")
    question = {"type": "string"} | _says("The key of an earlier question.")
    rule = _object({"question": question, "options": options}) | {"required": sorted(routing.RULE)}
    rules = _list(rule, RULES_MIN, RULES_MAX) | _says("Each about another question.")
    whole = [rule, *(_object({name: rules}) | {"required": [name]} for name in sorted(routing.JOINS))]
    return {"oneOf": whole} | _says("Whom the question is asked: by one rule, or where all or any of several hold.")


def _filler(name: str) -> Schema:
    """An answer, as positions of options or as a number."""
    fields = KINDS[name].fields
    if "low" in fields:
        return {"anyOf": [*_number()["anyOf"], _position()]}
    if "edges" in fields:
        return _number()
    if "dates" in fields:
        return _date()
    return _list(_position(), 0) if {"items", "ranked"} & fields or name == "multiple_choice" else _position()


def _position() -> Schema:
    return {"type": "integer", "minimum": 0, "maximum": CATEGORIES_MAX}


# Parts ----------------------------------------------------------------------------------------------------------------


def _says(description: str) -> Schema:
    return {"description": description}


def _text(limit: int, empty: bool = False) -> Schema:
    made: Schema = {"type": "string", "maxLength": limit, "pattern": _PRINTABLE}
    return made if empty else made | {"minLength": 1, "allOf": [{"pattern": _SHOWS}]}


def _list(items: Schema, least: int, most: int | None = None) -> Schema:
    return {"type": "array", "items": items, "minItems": least} | ({"maxItems": most} if most else {})


def _different(items: Schema, most: int) -> Schema:
    return _list(items, 2, most) | {"uniqueItems": True}


def _number() -> Schema:
    """A number of at most twelve digits before the point and six after it, or the same as a text."""
    number = {"type": "number", "exclusiveMinimum": -(10**12), "exclusiveMaximum": 10**12}
    return {"anyOf": [number, {"type": "string", "pattern": r"^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?$"}]}


def _date() -> Schema:
    """A year as a number, or a year, a month or a day as a text."""
    text = {"type": "string", "pattern": "^[1-9][0-9]{3}(-[0-9]{2}){0,2}$"}
    return {"anyOf": [{"type": "integer", "minimum": 1000, "maximum": 9999}, text]}


def _alpha() -> Schema:
    number = {"type": "number", "minimum": float(ALPHA_MIN), "maximum": float(ALPHA_MAX)}
    text = {"type": "string", "pattern": r"^(0|[1-9][0-9]{0,2})(\.[0-9]{1,6})?$"}
    return {"anyOf": [number, text]} | _says("The privacy parameter, from 0.01 to 16.")


def _delta() -> Schema:
    number = {"type": "number", "minimum": float(DELTA_MIN), "maximum": float(DELTA_MAX)}
    return {"anyOf": [number, {"type": "string", "pattern": r"^0\.[0-9]{1,12}$"}]}
