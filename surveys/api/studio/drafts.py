"""The API of a survey's draft: read it with its missing parts, replace it, open it, end it, copy it."""

from typing import Annotated, NotRequired, TypedDict

from django.contrib.auth.models import User
from rest_framework.request import Request

from surveys.api.bodies import text_of
from surveys.api.documents import HEX, BrokenRule, like
from surveys.api.problems import Refusal
from surveys.api.studio.fields import END, MARK, MARKED, POINTS, TIME, WHOLE, Draft
from surveys.api.studio.guard import CHANGED, Studio, broken_rules, check
from surveys.api.studio.operations import changes, reads
from surveys.api.studio.surveys import StudioSurvey, document
from surveys.designer.files import shape
from surveys.designer.studio import review
from surveys.designer.studio.next_wave import declare
from surveys.designer.studio.terms import TermsInput
from surveys.drafts import NotDraft, mark, replace
from surveys.drafts.normalize import normalized
from surveys.life import chain, lifecycle, versions
from surveys.models import Survey
from surveys.survey import definition as definitions
from surveys.survey.definition import DraftRefused


class DraftDocument(TypedDict):
    """A draft, with the digest to open it with, or with its missing parts."""

    mark: Annotated[str, MARK, MARKED]
    draft: Draft
    digest: Annotated[
        str | None, "The digest of the definition that opening would freeze; null if something is missing.", HEX
    ]
    alpha_total: Annotated[str | None, "The privacy parameter of a whole report.", like("1")]
    missing: Annotated[list[BrokenRule], "What prevents opening."]
    warnings: Annotated[list[str], "What does not prevent opening, but deserves a look.", like([])]


class ChangedDraft(TypedDict):
    draft: Draft
    mark: Annotated[str, "The mark of the draft that you read. 409 if someone else has changed it since.", MARKED]


class Opening(TypedDict):
    """The terms. An absent term stays as in the draft."""

    digest: Annotated[str, "The digest of the draft that you read. 409 if another one would be opened.", HEX]
    opens_at: NotRequired[Annotated[str | None, "Absent: at once.", TIME]]
    closes_at: NotRequired[Annotated[str | None, "A day without a time means its end, in UTC.", END]]
    closes_after: NotRequired[Annotated[int | None, "Ends at this number of reports.", WHOLE | like(5000)]]
    unpublished: NotRequired[Annotated[bool, "Yes to a survey with too few people expected for any result."]]
    points: NotRequired[Annotated[float | str | None, POINTS, like(2.5)]]
    batch: NotRequired[Annotated[int | None, "Reports in a batch.", WHOLE | like(100)]]
    publishes_once: NotRequired[Annotated[bool, "Nothing is published before the end: readers then learn less."]]
    takes_link: NotRequired[
        Annotated[
            bool,
            "The earlier version's link leads here while this one is open. Absent: yes, for a designer of "
            "that version, but for a next wave.",
        ]
    ]


class NewVersion(TypedDict):
    wave: NotRequired[Annotated[bool, "Whether it asks the same people again: then results show changes."]]


class DraftView(Studio):
    @reads(
        "draft",
        "Its draft",
        "The draft with the digest to open it with, or with everything that is missing. For an opened survey: the "
        "draft that was opened.",
        "The draft.",
    )
    def get(self, request: Request, survey: Survey) -> DraftDocument:
        return draft_document(survey)

    @changes(
        "replace_draft",
        "Replace its draft",
        "Replaces the draft by the one in the body. Unchanged translations follow their questions. Users of the "
        "studio can undo the change. A repeated request is not an error.",
        "The stored draft.",
        refused=[409, 413, 422],
    )
    def put(self, request: Request, survey: Survey, wanted: ChangedDraft) -> DraftDocument:
        return draft_document(replace(survey, self.person(request), shape.draft(wanted["draft"]), wanted["mark"]))


class OpeningView(Studio):
    @changes(
        "open_survey",
        "Open it",
        "Freezes the draft as the definition with this digest, for all respondents. This cannot be undone.",
        "The survey with its link.",
        draft=True,
        refused=[409, 422],
    )
    def post(self, request: Request, survey: Survey, wanted: Opening) -> StudioSurvey:
        user = self.person(request)
        form = TermsInput(survey, user, _terms(survey, user, wanted))
        check(form, "terms")
        try:
            lifecycle.open_survey(survey, user, wanted["digest"] or "none", form.terms())
        except lifecycle.DraftChanged:
            raise Refusal(409, "changed", CHANGED) from None
        except DraftRefused:
            raise
        except ValueError:
            raise NotDraft from None
        return document(survey, user)


class ClosingView(Studio):
    @changes(
        "close_survey",
        "End it",
        "No one can answer from then on, and the last release follows within seconds. This cannot be undone. A "
        "repeated request is not an error.",
        "The survey.",
        refused=[409],
    )
    def post(self, request: Request, survey: Survey) -> StudioSurvey:
        user = self.person(request)
        if not lifecycle.close_survey(survey, user) and survey.state != Survey.State.CLOSED:
            raise Refusal(409, "not_now", "The survey is not open.")
        return document(survey, user)


class VersionsView(Studio):
    @changes(
        "new_version",
        "The draft of its next version",
        "A draft with the same questions for the same people, and separate results. A repeated request returns the "
        "same draft until it is opened.",
        "The draft.",
        status=201,
        refused=[409],
    )
    def post(self, request: Request, survey: Survey, wanted: NewVersion) -> StudioSurvey:
        user, wave = self.person(request), wanted.get("wave", False)
        if survey.is_draft:
            raise Refusal(409, "not_now", "A draft has no versions. Copy it.")
        if wave and not chain.can_be_followed(survey):
            raise Refusal(
                409, "not_now", "No other wave can follow this one: too much would be revealed about a person."
            )
        draft = versions.new_version(survey, user)
        if wave:
            declare(draft, user, survey)
        return document(draft, user)


def draft_document(survey: Survey) -> DraftDocument:
    shown = normalized(survey.draft)
    openable = review.look(survey)[0] if survey.is_draft else None
    return {
        "mark": mark(shown),
        "draft": dict(shown),
        "digest": openable.digest if openable else survey.digest or None,
        "alpha_total": openable.alpha_total if openable else None if survey.is_draft else survey.alpha_total,
        "missing": _missing(survey) if survey.is_draft else [],
        "warnings": [each.sentence for each in openable.warnings] if openable else [],
    }


def _missing(survey: Survey) -> list[BrokenRule]:
    """Return everything that prevents a draft from being opened."""
    try:
        definition = definitions.build(survey.draft)
        chain.check(definition)
        lifecycle.check_relay(definition)
        lifecycle.check_book(definition)
    except DraftRefused as refused:
        return broken_rules(refused.refusals)
    return []


def _terms(survey: Survey, user: User, wanted: Opening) -> dict[str, str]:
    """Return the terms as typed: the given ones, and otherwise the survey's. Every given end counts."""
    known = TermsInput(survey, user).initial
    return {name: text_of(wanted.get(name, known.get(name))) for name in TermsInput.base_fields if name != "end"}
