"""The API of a user's surveys and drafts: list, create, show and delete them."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Literal, NotRequired, TypedDict

from django.contrib.auth.models import User
from django.http import HttpResponse
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from surveys.access import role_of, surveys_of
from surveys.api.bodies import read
from surveys.api.documents import like
from surveys.api.idempotency import HEADER, create_once
from surveys.api.json_schema import schema
from surveys.api.listing import PARTS, absolute, in_parts
from surveys.api.openapi_operation import operation
from surveys.api.problems import Refusal
from surveys.api.research_view import answer, of_today, token_of
from surveys.api.studio.fields import POINTS, TIME, WHOLE, Draft, Part
from surveys.api.studio.guard import Studio
from surveys.api.studio.operations import STUDIO, changing, json_answer
from surveys.designer.files import shape
from surveys.designer.studio import creation, links
from surveys.designer.studio.export import copied
from surveys.life.versions import linked
from surveys.models import Role, Survey
from surveys.models.turnout import turnout_of
from surveys.web.tabs import by_open_link


class StudioSurvey(TypedDict):
    """A survey or draft, as its designers see it."""

    number: Annotated[int, "The number in the studio's URLs.", like(17)]
    title: Annotated[str, like("How people travel")]
    state: Literal["draft", "open", "closed"]
    role: Annotated[str, "Your role on it.", {"enum": list(Role)} | like("owner")]
    slug: Annotated[str | None, "The name in the URLs of results; null for a draft.", like("travel")]
    digest: Annotated[str | None, "SHA-256 of its definition's bytes; null for a draft.", like(None)]
    link: Annotated[
        str | None,
        "The link for respondents; null for a draft, and if each person is invited.",
        like("https://survey.example.org/s/#pt7t4rx84jb4tfsrzu7ta5a222v"),
    ]
    code: Annotated[
        str | None, "The code that people without the link can type at /s/; null for most surveys.", like(None)
    ]
    expected_n: Annotated[int | None, "The number of people expected.", like(1000)]
    opened_at: Annotated[str | None, TIME]
    opens_at: Annotated[str | None, "The time from which it takes reports, once opened.", TIME]
    closes_at: Annotated[str | None, "The time at which it ends by itself.", TIME]
    closes_after: Annotated[int | None, "The number of reports at which it ends.", like(5000)]
    points: Annotated[float | None, POINTS, like(2.5)]
    batch: Annotated[int | None, "Each release has at least this many reports more than the one before.", like(100)]
    publishes_once: Annotated[bool, "Nothing is published before its end."]
    answered: Annotated[
        int | None,
        "At least this many people have answered while it is open, in steps of ten from 20 on, and never fewer than a "
        "release must have; 0 means fewer. The first of each group, too few for a release, are left out. Counted on "
        "the hour, by invitation once a day; null before the first count and once it has ended.",
        like(120),
    ]
    answered_at: Annotated[str | None, "The hour of that count.", TIME]
    takes_link: Annotated[bool, "While it is open, the links of its earlier versions lead to it."]
    closed_at: Annotated[str | None, TIME]
    results_public: Annotated[bool, "Anyone with the URL may read its results."]
    microdata_public: Annotated[bool, "Anyone with the URL may download the randomized reports."]
    keeps_files: Annotated[bool, "The files of each release's randomized reports are made with it, and stay."]
    archived: bool
    version: Annotated[int, "The version's number; 1 is the oldest that still exists.", like(1)]
    previous: Annotated[int | None, "The survey that it is a new version of.", like(None)]
    open_versions: Annotated[list[int], "Other versions of it that are open, each with a link of its own.", like([])]
    url: Annotated[str, like("https://survey.example.org/api/v1/studio/17")]


class StudioPage(Part):
    """Part of the list of surveys on which the user has a role."""

    items: list[StudioSurvey]


class NewSurvey(TypedDict):
    """At most one of the three. Without one the draft is empty."""

    draft: NotRequired[Draft]
    template: NotRequired[Annotated[str, "One of the studio's templates.", like("health")]]
    copy_of: NotRequired[Annotated[int, "The number of a survey whose draft you may see.", WHOLE | like(17)]]


class StudioSurveysView(Studio):
    @operation(
        "studio_surveys",
        "Your surveys and drafts",
        "All surveys and drafts on which you have a role, newest first.",
        {200: (schema(StudioPage), "Part of the list.")},
        tag=STUDIO,
        parameters=PARTS,
        refused=[403],
        known_by=["token", "session"],
    )
    def get(self, request: Request) -> HttpResponse:
        user, token = self.person(request), token_of(request)
        rows = surveys_of(user)
        if token is not None and token.survey_id:
            rows = rows.filter(pk=token.survey_id)
        return of_today(answer(request, in_parts(request, rows, lambda survey: document(survey, user))))

    @changing(
        "begin_survey",
        "Create a survey",
        "Creates your draft: from the body, from a template, as a copy of another survey, or empty. A draft without "
        "forms and alphas gets the proposed ones.",
        {201: (schema(StudioSurvey), "The draft.")},
        tag=STUDIO,
        parameters=[HEADER],
        refused=[403, 410, 413, 422],
        body=schema(NewSurvey),
    )
    def post(self, request: Request) -> HttpResponse:
        user = beginner(self, request)
        wanted = read(request, NewSurvey)
        return json_answer(201, create_once(request, user, lambda: _begin(user, wanted).pk, teller(user)))


def beginner(view: Studio, request: Request) -> User:
    """Return the user who creates a survey. Refuse a token for one survey only."""
    token = token_of(request)
    if token is not None and token.survey_id:
        raise Refusal(403, "insufficient_scope", "Your token is for one survey only.")
    return view.person(request)


def teller(user: User) -> Callable[[int], StudioSurvey | None]:
    """Return a function that describes the survey with a number, or returns None if `user` may not see it."""

    def tell(number: int) -> StudioSurvey | None:
        survey = surveys_of(user).filter(pk=number).first()
        return None if survey is None else document(survey, user)

    return tell


def document(survey: Survey, user: User) -> StudioSurvey:
    turnout = turnout_of(survey)
    width, versions = survey.closes_at_half_width, linked(survey, user)
    return {
        "number": survey.pk,
        "title": survey.title,
        "state": survey.state,  # type: ignore[typeddict-item]
        "role": role_of(user, survey) or Role.VIEWER,
        "slug": survey.slug,
        "digest": survey.digest or None,
        "link": None if survey.is_draft or not by_open_link(survey) else links.respondents(survey),
        "code": survey.code,
        "expected_n": survey.expected_n,
        "opened_at": time(survey.opened_at),
        "opens_at": time(survey.opens_at),
        "closes_at": time(survey.closes_at),
        "closes_after": survey.closes_after,
        "points": None if width is None else round(100 * width, 6),
        "batch": survey.batch,
        "publishes_once": survey.publishes_once,
        "takes_link": survey.takes_link,
        "answered": turnout.people if turnout else None,
        "answered_at": time(turnout.hour) if turnout else None,
        "closed_at": time(survey.closed_at),
        "results_public": survey.results_public,
        "microdata_public": survey.microdata_public,
        "keeps_files": survey.keeps_files,
        "archived": survey.archived_at is not None,
        "version": versions.own.number,
        "previous": survey.previous_id,
        "open_versions": [each.survey.pk for each in versions.open],
        "url": absolute("api-studio-survey", survey.pk),
    }


def time(moment: datetime | None) -> str | None:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if moment else None


def _begin(user: User, wanted: NewSurvey) -> Survey:
    if len(wanted) > 1:
        raise ParseError("There is at most one of draft, template and copy_of.")
    if "template" in wanted:
        made = creation.from_template(user, wanted["template"])
        if made is None:
            raise Refusal(422, "no_template", "There is no such template.")
        return made
    if "copy_of" in wanted:
        original = creation.older(user).filter(pk=wanted["copy_of"]).first()
        if original is None:
            raise Refusal(422, "no_survey", "There is no such survey with you as a designer.")
        return copied(original, user)
    return creation.from_json(user, shape.draft(wanted["draft"])) if "draft" in wanted else creation.blank(user)
