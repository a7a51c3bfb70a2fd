"""The fields of a draft's questions, for the table of all fields (fields.py)."""

from django.utils.translation import gettext_lazy as _

from ldp.exact import ALPHA_MAX, ALPHA_MIN, DELTA_MAX, DELTA_MIN
from ldp.question import RULES_MAX, RULES_MIN
from surveys.rules.draft_schema import Schema, fields, listed, matching, position, says, text
from surveys.rules.limits import ALT_MAX, CATEGORIES_MAX, PICTURE_BYTES_MAX, TEXT_MAX
from surveys.survey.definition import pictures, routing
from surveys.survey.kinds import KINDS
from surveys.survey.kinds.fields import Field

Table = dict[str, Field]


def table(*listed: Field) -> Table:
    return {field.name: field for field in listed}


def schemas(known: Table) -> dict[str, Schema]:
    return {name: field.schema for name, field in known.items()}


PICTURE = table(
    Field(
        "data",
        _("Picture"),
        {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/webp"}
        | {"maxLength": 4 * -(-PICTURE_BYTES_MAX // 3), "pattern": f"^{pictures.DATA}$"}
        | says("WebP: one still picture, without metadata or a colour profile."),
    ),
    Field("width", _("Width"), {"type": "integer", "minimum": 1}),
    Field("height", _("Height"), {"type": "integer", "minimum": 1}),
    Field("alt", _("What it shows"), text(ALT_MAX) | says("What it shows, for people who do not see it.")),
)


def picture(what: str, described: bool = True) -> Schema:
    """Return the schema of a picture of one of pictures.LARGEST, with or without a description."""
    properties, largest = schemas(PICTURE), pictures.LARGEST[what]
    properties |= {name: properties[name] | {"maximum": getattr(largest, name)} for name in ("width", "height")}
    if not described:
        del properties["alt"]
    return fields(properties) | {"required": sorted(properties)}


def _condition() -> Schema:
    options = listed(position(), 1) | {"uniqueItems": True} | says("Positions of its options, from 0.")
    question = {"type": "string"} | says("The key of an earlier question.")
    rule = fields({"question": question, "options": options}) | {"required": sorted(routing.RULE)}
    rules = listed(rule, RULES_MIN, RULES_MAX) | says("Each about another question.")
    return {"oneOf": [rule, *(fields({name: rules}) | {"required": [name]} for name in sorted(routing.JOINS))]}


def alpha() -> Schema:
    number = {"type": "number", "minimum": float(ALPHA_MIN), "maximum": float(ALPHA_MAX)}
    text = {"type": "string", "pattern": r"^(0|[1-9][0-9]{0,2})(\.[0-9]{1,6})?$"}
    return {"anyOf": [number, text]} | says("The privacy parameter, from 0.01 to 16.")


def _delta() -> Schema:
    number = {"type": "number", "minimum": float(DELTA_MIN), "maximum": float(DELTA_MAX)}
    return {"anyOf": [number, {"type": "string", "pattern": r"^0\.[0-9]{1,12}$"}]}


# Schemas that depend on the kind, such as the possible mechanisms, come from the kind (schema.py).
OF_ANY_KIND = table(
    Field(
        "key",
        _("Key"),
        matching("[a-z][a-z0-9_]{0,39}") | says("Names the question in results."),
        _("Names the question in downloads: a-z, 0-9 and _."),
    ),
    Field("kind", _("Kind"), {"type": "string"}, missing=_("Choose a kind.")),
    Field("text", _("Question"), text(TEXT_MAX), widget="area", needed=True, missing=_("Write the question.")),
    Field(
        "note",
        _("Note"),
        text(TEXT_MAX, empty=True) | says("Shown below the question's text."),
        _("Shown below the question, in smaller letters. May stay empty."),
        "area",
        rows=1,
        marked=True,
    ),
    Field(
        "prefer_not_to_say",
        _("People may prefer not to say"),
        {"type": "boolean"},
        _("One more answer, randomized like any other."),
        "flag",
    ),
    Field(
        "alpha",
        _("Alpha"),
        alpha(),
        _(
            "How much a report may reveal about this answer: a smaller number protects people more, a larger one makes "
            "the result more precise. The page “People and protection” shows both effects and proposes a number."
        ),
        entered="alpha",
    ),
    Field("mechanism", _("Mechanism"), {"type": "string"}, widget="choice", expert=True),
    Field(
        "arm_of",
        _("Version of"),
        {"type": "string"} | says("The key of the question's first version; one version is drawn at random."),
        widget="",
    ),
    Field(
        "asked_if",
        _("Asked only if"),
        _condition() | says("Who is asked the question: by one rule, or where all or any of several hold."),
        widget="condition",
        needed=True,
    ),
)
# The fields of single kinds, each once.
OF_SINGLE_KINDS = table(*(field for kind in KINDS.values() for field in (*kind.typed_fields, *kind.special_fields)))
QUESTION = (
    OF_ANY_KIND
    | OF_SINGLE_KINDS
    | table(
        Field(
            "delta",
            _("Delta"),
            _delta(),
            _("For the mechanisms that need one, such as 0.000001."),
            expert=True,
            entered="alpha",
        ),
        Field(
            "right",
            _("Expected answer"),
            position() | says("In an attention question, the position of the answer that all should give."),
            _(
                "For a question that all attentive people answer alike, such as “Please choose often”. Results can "
                "then be corrected for people who do not pay attention."
            ),
            "right",
            needed=True,
        ),
        Field(
            pictures.PICTURE,
            _("Picture"),
            picture(pictures.PICTURE) | says("Shown below the question's text."),
            _(
                "Shown below the question. It is scaled down, and only what can be seen of its file is kept. It must "
                "not suggest an answer."
            ),
            "picture",
        ),
        Field(
            pictures.PICTURES,
            _("Pictures of the options"),
            listed({"anyOf": [picture(pictures.PICTURES, described=False), {"type": "null"}]}, 0, CATEGORIES_MAX)
            | says("One for each option, which says in words what it shows."),
            _("An option’s words say what its picture shows."),
            "pictures",
        ),
    )
)
