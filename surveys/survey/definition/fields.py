"""The only table of a draft's fields: their texts for designers, and their possible values.

Other parts follow from it: the JSON Schema (schema.py), the reader of files (surveys/designer/files/shape.py), the
builder's forms (surveys/drafts/kinds.py, parts.py) and the names of fields in refusals
(surveys/designer/studio/sentences.py). The type has the same names (surveys/rules/draft.py). Fields of single kinds of
question are in surveys/survey/kinds.
"""

from django.utils.translation import gettext_lazy as _

from ldp.forms.lot import WEIGHT_MAX
from ldp.mechanisms import MECHANISMS
from surveys.rules.draft_schema import Schema, fields, listed, matching, says, text
from surveys.rules.languages import TAG
from surveys.rules.limits import (
    CATEGORIES_MAX,
    CONSENT_MAX,
    LANGUAGES_MAX,
    PEOPLE_MAX,
    QUESTIONS_MAX,
    TEXT_MAX,
    TITLE_MAX,
)
from surveys.rules.origins import ORIGIN
from surveys.survey.definition import accent, completion, frame_hosts, invitations, pictures, protection, relay, waves
from surveys.survey.definition.question_fields import (
    OF_ANY_KIND,
    PICTURE,
    QUESTION,
    Table,
    alpha,
    picture,
    schemas,
    table,
)
from surveys.survey.kinds.fields import Field

__all__ = ["DRAW", "FORM", "OF_ANY_KIND", "PICTURE", "QUESTION", "SECTION", "SURVEY"]

KEYS = listed({"type": "string"}, 1)


def _object(known: Table, *required: str) -> Schema:
    return {"type": "object", "additionalProperties": False, "required": [*required], "properties": schemas(known)}


SECTION = table(
    Field("title", _("Title"), text(TITLE_MAX), needed=True, missing=_("Give it a title.")),
    Field(
        "text",
        _("Text"),
        text(TEXT_MAX, empty=True),
        _("Shown below the title. May stay empty."),
        "area",
        rows=4,
        marked=True,
    ),
    Field("questions", _("Questions"), KEYS | says("The keys of its questions."), widget=""),
)

_LISTED: Schema = {"type": "integer", "minimum": 1, "maximum": CATEGORIES_MAX - 1}
DRAW = table(
    Field("questions", _("Questions"), KEYS | {"uniqueItems": True} | says("The keys of its questions."), widget=""),
    Field(
        "alpha",
        _("Alpha"),
        alpha() | says("Of the answers to all its questions together."),
        widget="",
    ),
    Field(
        "sizes",
        _("Options that are sent"),
        listed({"anyOf": [_LISTED, listed(_LISTED, 2, 2)]}, 1)
        | says(
            "Of randomized response: how many options a report lists of each question, of a multiple choice or grid "
            "that is drawn with others how many of its items it draws and how many options it lists of each; without "
            "them, the best."
        ),
        widget="",
    ),
)


def _draws() -> tuple[Schema, Schema]:
    """Return the schemas of a draw of one question, and of one of several."""
    several, known = schemas(DRAW), schemas({name: QUESTION[name] for name in ("delta", "sample")})
    alone = (
        several
        | known
        | {"mechanism": {"type": "string", "enum": [*MECHANISMS]} | says("Without one, the most precise.")}
    )
    alone["questions"] = alone["questions"] | {"maxItems": 1}
    several["questions"] = several["questions"] | {"minItems": 2}
    one, other = ({**fields(own), "required": ["alpha", "questions"]} for own in (alone, several))
    return one, other


ALONE, TOGETHER = _draws()
FORM = table(
    Field(
        "draws",
        _("Draws"),
        listed({"oneOf": [ALONE, TOGETHER]}, 1, QUESTIONS_MAX)
        | says("Which of its questions are randomized together, and which alone."),
        widget="",
    ),
    Field(
        "weight",
        _("Weight"),
        {"type": "integer", "minimum": 1, "maximum": WEIGHT_MAX}
        | says("The form is drawn with this weight over the sum of all weights; without one, 1."),
        widget="",
    ),
)
SURVEY = table(
    SECTION["title"],
    Field(
        "introduction",
        _("Introduction"),
        text(TEXT_MAX, empty=True) | says("Read before the first question."),
        _("Shown above the first question."),
        "area",
        rows=4,
        marked=True,
    ),
    Field(
        "consent",
        _("Consent"),
        text(CONSENT_MAX, empty=True) | says("Agreed to before the first question; never recorded."),
        _("What people agree to before they begin. Empty: they are not asked."),
        "area",
        rows=4,
        marked=True,
    ),
    Field(
        "thanks",
        _("Thank-you text"),
        text(TEXT_MAX, empty=True) | says("Read after the answers were sent."),
        _("Shown when the answers have been sent."),
        "area",
        rows=3,
        marked=True,
    ),
    Field(
        completion.CODE,
        _("Completion code"),
        matching(f"({completion.PATTERNS[completion.CODE]})?")
        | says("Shown to all respondents after the answers were sent, to be entered elsewhere."),
        _(
            "For people whom another survey or a panel sends here: shown when the answers have been sent, to be "
            "entered there. It is the same for all respondents."
        ),
    ),
    Field(
        completion.LINK,
        _("Link back"),
        matching(f"({completion.PATTERNS[completion.LINK]})?")
        | says("Leads all respondents back after the answers were sent, when they follow it."),
        _(
            "A button below the thank-you text leads there, such as to the second part of another survey. The link is "
            "the same for all respondents, so it cannot identify a person."
        ),
    ),
    Field(
        frame_hosts.FIELD,
        _("Pages that may hold the survey"),
        listed(matching(frame_hosts.PATTERN), 0, frame_hosts.MOST)
        | {"uniqueItems": True}
        | says("The origins of the pages that may hold the survey in a frame; empty: it is shown in none."),
        _(
            "For a frame in a page of another site: one URL on each line, such as https://www.example.org, with "
            "nothing after the host. The operator of this site must allow them too. A link is better: people see "
            "whose page it is."
        ),
        "lines",
    ),
    Field(
        accent.FIELD,
        _("Accent colour"),
        matching(f"({accent.TYPED})?")
        | says("The colour of buttons, links and chosen answers, the same for all; empty: the site's own."),
        _(
            "For buttons, links and chosen answers, as #rrggbb. It must be dark enough to be read; dark pages get a "
            "lighter tint of it. Empty: the site's own. How well answers are protected keeps its own colours."
        ),
        "colour",
    ),
    Field(
        pictures.LOGO,
        _("Logo"),
        picture(pictures.LOGO) | says("Shown above the title."),
        _("Shown above the title. It is scaled down, and only what can be seen of its file is kept."),
        "picture",
    ),
    Field(
        "sections",
        _("Sections"),
        listed(_object(SECTION, "questions", "title"), 0, QUESTIONS_MAX)
        | says("Pages for the respondent: every question in one, in their order."),
        widget="",
    ),
    Field("questions", _("Questions"), listed({"$ref": "#/$defs/question"}, 1, QUESTIONS_MAX), widget=""),
    Field(
        "draws",
        _("Draws"),
        listed(TOGETHER, 0, QUESTIONS_MAX)
        | says("Questions that all respondents are asked and that are randomized together. All others are alone."),
        widget="",
    ),
    Field(
        "forms",
        _("Forms"),
        listed(_object(FORM, "draws"), 0, QUESTIONS_MAX)
        | says("Each browser draws one, and asks its questions and those that no form names."),
        widget="",
    ),
    Field(
        protection.FIELD,
        _("Protection"),
        fields({protection.ALPHA: alpha() | says("Of a whole report."), protection.IMPORTANT: listed(text(40), 0)})
        | {"required": [protection.ALPHA]}
        | says("With it, all alphas and forms are planned, and planned again when questions change."),
        widget="",
    ),
    Field(
        waves.FIELD,
        _("Earlier wave"),
        fields({name: matching(pattern) for name, pattern in waves.PATTERNS.items()})
        | {"required": sorted(waves.NEEDED)}
        | says("The survey that this one follows as the next wave: the same people are asked again."),
        widget="",
    ),
    Field(
        invitations.FIELD,
        _("Who can answer"),
        {"type": "boolean"} | says("Only invited people can answer, each once."),
        widget="",
    ),
    Field(
        invitations.SAMPLE,
        _("Sample"),
        {"type": "boolean"}
        | says("Those who are invited are a sample of the people whom results are about, not all of them."),
        widget="",
    ),
    Field(
        invitations.GROUPS,
        _("Groups"),
        listed(
            fields(
                {
                    "name": text(invitations.NAME_MAX),
                    "people": {"type": "integer", "minimum": 1, "maximum": PEOPLE_MAX} | says("How many are invited."),
                }
            )
            | {"required": ["name"]},
            0,
            invitations.GROUPS_MOST,
        )
        | says("In a survey by invitation without forms: groups of people with results of their own."),
        widget="",
    ),
    Field(
        relay.FIELD,
        _("How reports reach this site"),
        matching(f"({ORIGIN.pattern})?")
        | says("The origin of the relay through which reports come, one of the site's."),
        widget="",
    ),
    Field("language", _("Language"), matching(f"({TAG})?") | says("Of the texts; if empty, English."), widget=""),
    Field(
        "translations",
        _("Translations"),
        {"type": "object", "maxProperties": LANGUAGES_MAX - 1, "propertyNames": {"pattern": f"^{TAG}$"}}
        | {"additionalProperties": {"$ref": "#/$defs/translation"}}
        | says("The same texts in other languages, by language tag."),
        widget="",
    ),
)
