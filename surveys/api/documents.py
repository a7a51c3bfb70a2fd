"""The types of the API's answers, from which its description is generated. Each field has a description or keywords of
JSON Schema. The API's page shows the `examples`."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from surveys.models import AnalysisRun, Role


def like(value: object) -> dict[str, list[object]]:
    return {"examples": [value]}


HEX = {"pattern": "^[0-9a-f]{64}$"} | like("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
DAY: dict[str, Any] = {"format": "date"} | like("2026-05-03")
_AT = like("https://survey.example.org/api/v1/surveys/travel/releases/3")


class BrokenRule(TypedDict):
    """A rule that the request breaks."""

    field: Annotated[str, "Where: a path in the JSON, counted from 0.", like("questions[0].text")]
    code: Annotated[str, "The stable name of the rule.", like("missing")]
    rule: Annotated[str, like("is missing")]


class Problem(TypedDict):
    """A refusal, by RFC 9457."""

    type: Annotated[str, "Ends with the stable name of the rule.", like("/problems/not_found")]
    title: Annotated[str, like("Not Found")]
    status: Annotated[int, like(404)]
    detail: Annotated[str, like("The survey has no release yet.")]
    field: NotRequired[Annotated[str, "Where the rule is broken."]]
    rules: NotRequired[Annotated[list[BrokenRule], "All broken rules, if there can be several."]]


class ReleaseDocument(TypedDict):
    """The results that a survey published at one time. They never change."""

    number: Annotated[int, "1, 2, ... of the survey.", {"minimum": 1} | like(3)]
    day: Annotated[str, DAY]
    final: Annotated[bool, "The survey has ended, and every report was counted."]
    n: Annotated[int, "The number of reports.", like(1284)]
    totals_digest: Annotated[
        str, "SHA-256 of n and the score totals in canonical JSON; with forms, of the list of those of each.", HEX
    ]
    url: Annotated[
        str,
        "Its URL; below it /estimates, /readings, /pairs, /covariances, /codebook, /crossings, /microdata.",
        _AT,
    ]


class SurveyDocument(TypedDict):
    """A survey that was opened."""

    slug: Annotated[str, "Its name in URLs.", like("travel")]
    title: Annotated[str, like("How people travel")]
    state: Literal["open", "closed"]
    role: Annotated[
        str | None,
        "Your role on it; null if you read published results.",
        {"enum": [*Role, None]} | like("viewer"),
    ]
    results_public: Annotated[bool, "Anyone with the URL may read its results."]
    digest: Annotated[str, "SHA-256 of its definition's bytes.", HEX]
    alpha_total: Annotated[str, "The privacy parameter of a whole report, with forms the largest of any.", like("3")]
    questions: Annotated[int, like(4)]
    latest: Annotated[ReleaseDocument | None, "The newest release; null before the first."]
    too_few: Annotated[bool, "Whether it ended with too few reports ever to publish anything.", like(False)]
    url: Annotated[str, like("https://survey.example.org/api/v1/surveys/travel")]


class Page(TypedDict):
    count: Annotated[int, "The number of items on all pages.", like(1)]
    next: Annotated[str | None, "The URL of the next page.", like(None)]
    previous: Annotated[str | None, "The URL of the previous page.", like(None)]


class SurveyPage(Page):
    """Part of the list of surveys."""

    items: list[SurveyDocument]


class ReleasePage(Page):
    """Part of the list of releases, the newest first."""

    items: list[ReleaseDocument]


class AnalysisState(TypedDict):
    """The state of an analysis of a release. The URL names its variables after the release."""

    release: Annotated[int, like(3)]
    state: Annotated[
        str,
        "asked, working: not finished. ready: get it at its URL. failed: `reason` says why.",
        {"enum": [*AnalysisRun.State]} | like("working"),
    ]
    reason: Annotated[str | None, "Why it could not be counted.", like(None)]
    reports: Annotated[int, "The number of reports from people who were asked its questions.", like(1284)]
    counted: Annotated[int, "The reports counted so far.", like(512)]
    url: Annotated[str, "Its URL; with .csv after the path, the URL of the table."]


# Invitations ----------------------------------------------------------------------------------------------------------

_LANGUAGE = "The language of the link and of an email, one of the survey's."
_GROUP = (
    "The name of a group in the definition's invitations, if any; else any name, for its response rate. A group "
    "begins with at least a batch of people at once."
)
_LINK = like("https://survey.example.org/s/#pt7t4rx84jb4tfsrzu7ta5a222v/7qw422wtqs3rancsznmaw85f53n")
_PEOPLE = like(["ada@example.org", "bob@example.org"])
_BATCHES = "By the last count, which comes with a release and only where at least a batch more have; null before it."


class GroupDocument(TypedDict):
    name: Annotated[str, "Empty for those in no group.", like("Sales")]
    invited: Annotated[int, like(240)]
    used: Annotated[int | None, f"How many have used their invitation. {_BATCHES}", like(131)]


class RateDocument(TypedDict):
    release: Annotated[int, like(3)]
    n: Annotated[int, "The number of reports.", like(384)]
    percent: Annotated[int | None, "The percentage of people invited now; null if more have answered.", like(64)]


class EmailsDocument(TypedDict):
    waiting: Annotated[
        int,
        "Email addresses whose email has yet to be sent. Reminders wait for all that are kept until the last is sent; "
        "people who had answered by the last count get none.",
        like(0),
    ]
    per_minute: Annotated[int, "The most emails that this site sends per minute, for all accounts together.", like(60)]
    keeps: Annotated[int, "Email addresses that are kept for reminders.", like(598)]
    undeliverable: Annotated[list[str], "Email addresses that no mail server accepted.", like(["ada@example.org"])]
    to_remind: Annotated[
        int,
        "How many reminders would be sent at most: no more than the email addresses kept, or the invitations unused "
        "by the last count. Forgetting an email address or revoking an invitation changes it in the same way, used or "
        "not.",
        like(214),
    ]


class InvitationsDocument(TypedDict):
    """The numbers of people who are invited and who have answered, as of releases and counts, never as of now."""

    invited: Annotated[int, "The number of invitations, without revoked ones.", like(600)]
    releases: Annotated[list[RateDocument], "The newest first."]
    groups: list[GroupDocument]
    emails: EmailsDocument


class NewInvitations(TypedDict):
    count: Annotated[int, {"minimum": 1} | like(60)]
    language: NotRequired[Annotated[str, _LANGUAGE, like("en")]]
    group: NotRequired[Annotated[str, _GROUP, like("Sales")]]


class Links(TypedDict):
    links: Annotated[list[Annotated[str, _LINK]], "Each accepts one report. The links are shown only this once."]


class NewEmails(TypedDict):
    addresses: Annotated[list[Annotated[str, like("ada@example.org")]], "Each one person.", _PEOPLE]
    keeps: Annotated[bool, "Whether email addresses are kept, encrypted, until the survey ends, for reminders."]
    language: NotRequired[Annotated[str, _LANGUAGE, like("en")]]
    subject: NotRequired[Annotated[str, "The site has words of its own.", like("A survey")]]
    text: NotRequired[Annotated[str, "Contains {link} once, in place of the link.", like("Please answer:\n\n{link}")]]
    group: NotRequired[Annotated[str, _GROUP, like("Sales")]]


class NewReminder(TypedDict):
    language: NotRequired[Annotated[str, _LANGUAGE, like("en")]]
    subject: NotRequired[Annotated[str, "The site has words of its own.", like("A survey")]]
    text: NotRequired[Annotated[str, "Contains {link} once, in place of the link.", like("Please answer:\n\n{link}")]]


class Queued(TypedDict):
    emails: Annotated[int, "How many are sent now; for reminders the most, as in `to_remind`.", like(60)]


class InvitationLink(TypedDict):
    link: Annotated[str, "The link of an invitation, or its last part.", _LINK]


class Remaining(TypedDict):
    invited: Annotated[int, "How many invitations are left.", like(599)]


class Bounced(TypedDict):
    addresses: Annotated[list[Annotated[str, like("ada@example.org")]], "They get no more emails.", _PEOPLE]


class Forgotten(TypedDict):
    forgotten: Annotated[int, "The number of known addresses among them.", like(2)]
