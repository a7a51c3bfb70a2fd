"""What can be edited at once: the survey's texts, a section's heading, a question."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from surveys.drafts.fields import Field, Part
from surveys.rules.unchecked import Draft
from surveys.survey.definition import accent, completion, frame_hosts, invitations, pictures, relay, waves
from surveys.survey.definition.arms import FIELD

# What has pages of its own.
ORDER = {
    *("questions", "sections", "forms", "language", "translations"),
    *(waves.FIELD, invitations.FIELD, invitations.GROUPS, relay.FIELD),
}

TEXTS = (
    Field("title", _("Title"), needed=True),
    Field("introduction", _("Introduction"), _("Stands above the first question."), "area", rows=4, marked=True),
    Field(
        "consent",
        _("Consent"),
        _("What people agree to before they begin. Empty: they are not asked."),
        "area",
        rows=4,
        marked=True,
    ),
    Field("thanks", _("Thank-you text"), _("Shown when the answers have been sent."), "area", rows=3, marked=True),
    Field(
        completion.CODE,
        _("Completion code"),
        _(
            "For people whom another survey or a panel sends here: shown when the answers have been sent, to be "
            "entered there. It is the same for everybody."
        ),
    ),
    Field(
        completion.LINK,
        _("Link back"),
        _(
            "A button below the thanks leads there, such as to the second part of another survey. It is the same for "
            "everybody; nothing that tells people apart can go along."
        ),
    ),
    Field(
        frame_hosts.FIELD,
        _("Pages that may hold the survey"),
        _(
            "For a frame in a page of somebody else's: one address on each line, such as https://www.example.org, with "
            "nothing after the host. The operator of this site must allow them too. A link is better: people see whose "
            "page it is."
        ),
        "lines",
    ),
    Field(
        accent.FIELD,
        _("Accent colour"),
        _(
            "For buttons, links and chosen answers, as #rrggbb. It must be dark enough to be read; dark pages get a "
            "lighter tint of it. Empty: the site's own. How well answers are protected keeps its own colours."
        ),
        "colour",
    ),
    Field(
        pictures.LOGO,
        _("Logo"),
        _("Stands above the title, small. It is made smaller, and nothing of its file is kept but what is seen."),
        "picture",
    ),
)

SECTION_FIELDS = (
    Field("title", _("Title"), needed=True),
    Field("text", _("Text"), _("Stands below the title. May stay empty."), "area", rows=4, marked=True),
)


def texts_of(draft: Draft) -> Part:
    """Everything beside questions, sections, forms and languages, also what no definition knows."""
    return {name: value for name, value in draft.items() if name not in ORDER}


def put_texts(draft: Draft, part: Part) -> None:
    for name in draft.keys() - ORDER:
        del draft[name]
    draft |= part


def heading_of(section: Part) -> Part:
    return {name: value for name, value in section.items() if name != "questions"}


def unknown(part: Part, fields: Iterable[Field]) -> list[str]:
    """Names of fields that nobody knows; a file may have brought them."""
    return sorted(part.keys() - {field.name for field in fields} - {"key", "kind", FIELD})


def known(part: Part, fields: Iterable[Field]) -> Part:
    return {name: value for name, value in part.items() if name not in unknown(part, fields)}
