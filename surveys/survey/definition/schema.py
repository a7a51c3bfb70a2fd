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

from ldp.exact import ALPHA_MAX, ALPHA_MIN, DELTA_MAX, DELTA_MIN
from ldp.forms.lot import WEIGHT_MAX
from ldp.mechanisms import FITTING, MARGINAL, WITH_DELTA
from ldp.question import RULES_MAX, RULES_MIN
from surveys.rules.draft_schema import Schema, fields, listed, position, says, text
from surveys.rules.languages import TAG
from surveys.rules.limits import (
    ALT_MAX,
    CATEGORIES_MAX,
    CONSENT_MAX,
    LANGUAGES_MAX,
    OPTION_MAX,
    PICTURE_BYTES_MAX,
    QUESTIONS_MAX,
    TEXT_MAX,
    TITLE_MAX,
)
from surveys.rules.origins import ORIGIN
from surveys.survey.definition import accent, completion, frame_hosts, invitations, pictures, relay, routing
from surveys.survey.definition.frame import SECTION
from surveys.survey.definition.questions import REQUIRED, SHARED
from surveys.survey.definition.translations import LIMITS, OF_QUESTION, OF_SECTION
from surveys.survey.definition.waves import FIELD, NEEDED, PATTERNS
from surveys.survey.kinds import KINDS, LISTS


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
            "title": text(TITLE_MAX),
            "introduction": text(TEXT_MAX, empty=True) | says("Read before the first question."),
            "consent": text(CONSENT_MAX, empty=True) | says("Agreed to before the first question; never recorded."),
            "thanks": text(TEXT_MAX, empty=True) | says("Read after the answers were sent."),
            completion.CODE: _or_empty(completion.CODE)
            | says("Shown to everybody after the answers were sent, to be entered elsewhere."),
            completion.LINK: _or_empty(completion.LINK)
            | says("Leads everybody back after the answers were sent, when they follow it."),
            frame_hosts.FIELD: listed({"type": "string", "pattern": f"^{frame_hosts.PATTERN}$"}, 0, frame_hosts.MOST)
            | {"uniqueItems": True}
            | says("The origins of the pages that may hold the survey in a frame; empty: it is shown in none."),
            accent.FIELD: {"type": "string", "pattern": f"^({accent.TYPED})?$"}
            | says("The colour of buttons, links and chosen answers, the same for everybody; empty: the site's own."),
            pictures.LOGO: _picture(pictures.LOGO, described=True) | says("Stands above the title."),
            "sections": _sections() | says("Pages for the respondent: every question in one, in their order."),
            "questions": listed({"$ref": "#/$defs/question"}, 1, QUESTIONS_MAX),
            "forms": _forms() | says("Each browser draws one, and asks its questions and those that no form names."),
            FIELD: _wave() | says("The survey of which this is the next wave: the same people are asked again."),
            invitations.FIELD: {"type": "boolean"} | says("Only who was invited can answer, once each."),
            invitations.GROUPS: listed(text(invitations.NAME_MAX), 0, invitations.GROUPS_MOST)
            | says("Of a survey by invitation without forms: groups of people whose results are published apart."),
            relay.FIELD: {"type": "string", "pattern": f"^({ORIGIN.pattern})?$"}
            | says("The origin of the relay through which reports come, one of the site's."),
            "language": {"type": "string", "pattern": f"^({TAG})?$"} | says("Of the texts; without one, English."),
            "translations": _translations() | says("The same texts in other languages, by language tag."),
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
    return fields(properties) | {"required": sorted(NEEDED)}


def _translations() -> Schema:
    return {
        "type": "object",
        "maxProperties": LANGUAGES_MAX - 1,
        "propertyNames": {"pattern": f"^{TAG}$"},
        "additionalProperties": {"$ref": "#/$defs/translation"},
    }


def _translation() -> Schema:
    """By position: as many sections, questions, options and items as the draft has."""
    texts = {name: text(limit, empty=True) for name, limit in LIMITS.items()}
    lists = {name: listed(text(OPTION_MAX), 0, most) for name, most in LISTS.items()}
    section = fields({name: text(limit, empty=True) for name, limit in OF_SECTION.items()})
    words = {name: text(limit, empty=True) for name, limit in (OF_QUESTION | {pictures.PICTURE: ALT_MAX}).items()}
    question = fields(words | lists)
    parts = {"sections": listed(section, 0, QUESTIONS_MAX), "questions": listed(question, 1, QUESTIONS_MAX)}
    texts |= {"title": text(TITLE_MAX), pictures.LOGO: text(ALT_MAX, empty=True)}
    return fields(texts | parts) | {"required": ["questions", "title"]}


def _sections() -> Schema:
    properties = {
        "title": text(TITLE_MAX),
        "text": text(TEXT_MAX, empty=True),
        "questions": listed({"type": "string"}, 1) | says("The keys of its questions."),
    }
    section = {"type": "object", "additionalProperties": False, "required": sorted(SECTION), "properties": properties}
    return listed(section, 0, QUESTIONS_MAX)


def _forms() -> Schema:
    weight = {"type": "integer", "minimum": 1, "maximum": WEIGHT_MAX}
    properties = {
        "questions": listed({"type": "string"}, 1) | {"uniqueItems": True} | says("The keys of its questions."),
        "weight": weight | says("It is drawn with this over the sum of all weights; without one, 1."),
        "alpha": _alpha() | says("Randomizes the form's questions together, which then have none of their own."),
    }
    form = {"type": "object", "additionalProperties": False, "required": ["questions"], "properties": properties}
    return listed(form, 0, QUESTIONS_MAX)


def _question(name: str) -> Schema:
    kind = KINDS[name]
    known, elsewhere = _fields(name), {"alpha"} if name in MARGINAL else set()
    own = {pictures.PICTURE} | ({pictures.PICTURES} if name in pictures.PICTURED else set())
    made: Schema = {
        "dependentRequired": {"asked_if": ["filler"], "filler": ["asked_if"]},
        "title": name,
        "type": "object",
        "additionalProperties": False,
        "required": sorted(REQUIRED - elsewhere | kind.required),
        "properties": {field: known[field] for field in sorted(SHARED | kind.required | kind.optional | own)},
    }
    made |= _delta_with(set(FITTING[name]) & set(WITH_DELTA)) if "delta" in kind.optional else {}
    return made | kind.schema


def _delta_with(mechanisms: set[str]) -> Schema:
    """A delta there, and there only, where one of these mechanisms is named."""
    named = {"properties": {"mechanism": {"enum": sorted(mechanisms)}}, "required": ["mechanism"]}
    return {"if": named, "then": {"required": ["delta"]}, "else": {"not": {"required": ["delta"]}}}


def _fields(name: str) -> Schema:
    """Each field that a question of this kind may have."""
    kind = KINDS[name]
    return {field.name: field.schema for field in (*kind.form, *kind.more_form)} | {
        "key": {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"} | says("Names the question in results."),
        "kind": {"const": name},
        "text": text(TEXT_MAX),
        "note": text(TEXT_MAX, empty=True) | says("Stands below the question's text."),
        "alpha": _alpha(),
        "mechanism": {"enum": list(FITTING[name])} | says("Without one, the most precise."),
        "prefer_not_to_say": {"const": False} if kind.no_refusing else {"type": "boolean"},
        "delta": _delta(),
        "right": position() | says("An attention question: the position of the answer that all should give."),
        pictures.PICTURE: _picture(pictures.PICTURE, described=True) | says("Stands below the question's text."),
        pictures.PICTURES: listed({"anyOf": [_picture(pictures.PICTURES), {"type": "null"}]}, 0, CATEGORIES_MAX)
        | says("One for each option, which says in words what it shows."),
        "asked_if": _asked_if(),
        "arm_of": {"type": "string"} | says("The key of the question of which this is another version, by lot."),
        "filler": kind.filler_schema | says("The answer as which everybody counts who is not asked."),
    }


def _picture(what: str, described: bool = False) -> Schema:
    """A picture as the builder makes one of a file."""
    largest = pictures.LARGEST[what]
    base64 = {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/webp"}
    data = base64 | {"maxLength": 4 * -(-PICTURE_BYTES_MAX // 3), "pattern": f"^{pictures.DATA}$"}
    properties: Schema = {
        "data": data | says("WebP: one still picture, without metadata or a colour profile."),
        "width": {"type": "integer", "minimum": 1, "maximum": largest.width},
        "height": {"type": "integer", "minimum": 1, "maximum": largest.height},
    }
    if described:
        properties["alt"] = text(ALT_MAX) | says("What it shows, for those who do not see it.")
    return fields(properties) | {"required": sorted(properties)}


def _asked_if() -> Schema:
    options = listed(position(), 1) | {"uniqueItems": True} | says("Positions of its options, from 0.")
    question = {"type": "string"} | says("The key of an earlier question.")
    rule = fields({"question": question, "options": options}) | {"required": sorted(routing.RULE)}
    rules = listed(rule, RULES_MIN, RULES_MAX) | says("Each about another question.")
    whole = [rule, *(fields({name: rules}) | {"required": [name]} for name in sorted(routing.JOINS))]
    return {"oneOf": whole} | says("Whom the question is asked: by one rule, or where all or any of several hold.")


# Parts ----------------------------------------------------------------------------------------------------------------


def _alpha() -> Schema:
    number = {"type": "number", "minimum": float(ALPHA_MIN), "maximum": float(ALPHA_MAX)}
    text = {"type": "string", "pattern": r"^(0|[1-9][0-9]{0,2})(\.[0-9]{1,6})?$"}
    return {"anyOf": [number, text]} | says("The privacy parameter, from 0.01 to 16.")


def _delta() -> Schema:
    number = {"type": "number", "minimum": float(DELTA_MIN), "maximum": float(DELTA_MAX)}
    return {"anyOf": [number, {"type": "string", "pattern": r"^0\.[0-9]{1,12}$"}]}
