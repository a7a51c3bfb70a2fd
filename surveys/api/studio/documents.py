"""The types of what the studio's part of the API takes and answers, from which its description is made."""

from typing import Annotated, Literal, NotRequired, TypedDict

from surveys.api.documents import BrokenRule, like
from surveys.models import AuditEntry, Delivery, Role
from surveys.researcher.analyses.registry import ANALYSES
from surveys.rules import unchecked

TIME = {"format": "date-time"} | like("2026-06-01T08:00:00Z")
END = {"anyOf": [{"format": "date-time"}, {"format": "date"}]} | like("2026-06-01T08:00:00Z")
MARK = "Tells what you have read from what stands there by now."
HEX = {"pattern": "^[0-9a-f]{64}$"} | like("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
MARKED = like("1f0c9f86d0818848")
_DRAFT = {
    "title": "How people travel",
    "questions": [{"key": "by_bike", "kind": "yes_no", "text": "Do you go by bike?", "alpha": "1"}],
}
DRAFT = "As /api/v1/draft-schema says. It may be incomplete until the survey opens."
Draft = Annotated[unchecked.Draft, DRAFT, like(_DRAFT)]
_POINTS = "Ends as soon as no interval of a release reaches further than this to either side, in percentage points."
WHOLE = {"minimum": 1}


class StudioSurvey(TypedDict):
    """A survey as its designers see it, a draft or opened."""

    number: Annotated[int, "Its name in the addresses of the studio.", like(17)]
    title: Annotated[str, like("How people travel")]
    state: Literal["draft", "open", "closed"]
    role: Annotated[str, "What you are on it.", {"enum": list(Role)} | like("owner")]
    slug: Annotated[str | None, "Its name in the addresses of its results; null of a draft.", like("travel")]
    digest: Annotated[str | None, "SHA-256 of its definition's bytes; null of a draft.", like(None)]
    link: Annotated[
        str | None,
        "What is shared with respondents; null of a draft, and where each is invited.",
        like("https://survey.example.org/s/#pt7t4rx84jb4tfsrzu7ta5a222v"),
    ]
    code: Annotated[str | None, "What people without the link can type at /s/; null of most.", like(None)]
    expected_n: Annotated[int | None, "How many people are expected.", like(1000)]
    opened_at: Annotated[str | None, TIME]
    opens_at: Annotated[str | None, "Opened, it takes reports from then on.", TIME]
    closes_at: Annotated[str | None, "It ends then by itself.", TIME]
    closes_after: Annotated[int | None, "It ends at this number of reports.", like(5000)]
    points: Annotated[float | None, _POINTS, like(2.5)]
    batch: Annotated[int | None, "Each release has at least so many reports more than the one before.", like(100)]
    closed_at: Annotated[str | None, TIME]
    results_public: Annotated[bool, "Anybody with the address may read its results."]
    microdata_public: Annotated[bool, "Anybody with the address may take the randomized reports."]
    keeps_files: Annotated[bool, "The files of each release's randomized reports are made with it, and stay."]
    archived: bool
    version: Annotated[
        int, "Its number among the versions of one survey; 1 is the oldest that is still there.", like(1)
    ]
    previous: Annotated[int | None, "The survey of which it is a new version.", like(None)]
    open_versions: Annotated[list[int], "Other versions of it that are open, each with a link of its own.", like([])]
    url: Annotated[str, like("https://survey.example.org/api/v1/studio/17")]


class StudioPage(TypedDict):
    """A part of the surveys on which somebody has a role."""

    count: Annotated[int, like(1)]
    next: Annotated[str | None, "Where the next part is.", like(None)]
    previous: Annotated[str | None, like(None)]
    items: list[StudioSurvey]


class NewSurvey(TypedDict):
    """At most one of the three; none begins an empty draft."""

    draft: NotRequired[Draft]
    template: NotRequired[Annotated[str, "One of the studio's templates.", like("health")]]
    copy_of: NotRequired[Annotated[int, "The number of a survey whose draft you may see.", WHOLE | like(17)]]


class Settings(TypedDict):
    """What may change of a survey at any time; what is absent stays."""

    expected_n: NotRequired[Annotated[int | None, "Of a draft.", WHOLE | like(1000)]]
    opens_at: NotRequired[Annotated[str | None, "Of a survey that has not begun; null for at once.", TIME]]
    closes_at: NotRequired[
        Annotated[
            str | None, "Of an open survey; null to end it by hand. A day without a time means its end, in UTC.", END
        ]
    ]
    typed: NotRequired[Annotated[bool, "Whether it has a short code, which people without the link can type at /s/."]]
    keeps_files: NotRequired[bool]
    results_public: NotRequired[Annotated[bool, "For owners."]]
    microdata_public: NotRequired[Annotated[bool, "For owners."]]
    archived: NotRequired[Annotated[bool, "For owners, of a survey that is not open."]]


class DraftDocument(TypedDict):
    """A draft, with what it would be opened to or lacks."""

    mark: Annotated[str, MARK, MARKED]
    draft: Draft
    digest: Annotated[str | None, "What opening would freeze; null where something is missing.", HEX]
    alpha_total: Annotated[str | None, "The privacy parameter of a whole report.", like("1")]
    missing: Annotated[list[BrokenRule], "What keeps it from being opened."]
    warnings: Annotated[list[str], "What does not, and should be looked at.", like([])]


class ChangedDraft(TypedDict):
    draft: Draft
    mark: Annotated[str, "Of the draft that you read: 409 where somebody else has changed it since.", MARKED]


class Marked(TypedDict):
    mark: Annotated[str, "Of the draft that you read: 409 where somebody else has changed it since.", MARKED]


class HistoryLine(TypedDict):
    """A change to a draft."""

    number: Annotated[int, "Of the draft that it left.", like(31)]
    at: Annotated[str, TIME]
    username: Annotated[str | None, "Null of the draft before all changes.", like("ada")]
    what: Annotated[str, "In the language of whoever made it.", like("Changed the texts of the survey.")]
    url: Annotated[str, like("https://survey.example.org/api/v1/studio/17/history/31")]


class HistoryPage(TypedDict):
    """A part of a draft's history."""

    count: Annotated[int, like(1)]
    next: Annotated[str | None, "Where the next part is.", like(None)]
    previous: Annotated[str | None, like(None)]
    items: list[HistoryLine]


class OldDraft(HistoryLine):
    draft: Draft


class UndoDocument(TypedDict):
    step: Annotated[int | None, "The change’s number.", like(12)]
    what: Annotated[str | None, "In the language in which it was made.", like("Changed the texts of the survey.")]


class UndoStep(TypedDict):
    step: Annotated[int, "The change’s number.", WHOLE | like(12)]


class BankEntry(TypedDict):
    """A question, with the newest of your surveys that has it."""

    survey: Annotated[int, like(9)]
    title: Annotated[str, "Of the survey.", like("How people travel")]
    question: Annotated[Draft, like({"key": "by_bike", "kind": "yes_no", "text": "Do you go by bike?"})]


class BankDocument(TypedDict):
    items: list[BankEntry]
    more: Annotated[bool, "There are more than these: give words."]


class AddedQuestion(TypedDict):
    survey: Annotated[int, "The number of a survey whose draft you may see.", WHOLE | like(9)]
    key: Annotated[str, like("by_bike")]


class AddedKey(TypedDict):
    key: Annotated[str, "In this draft.", like("by_bike")]


class NewComment(TypedDict):
    text: Annotated[str, like("Do we need this one?")]
    question: NotRequired[Annotated[str, "A question’s key; absent: on the whole survey.", like("by_bike")]]


class CommentLine(TypedDict):
    number: Annotated[int, "For the address where it is settled.", like(5)]
    question: Annotated[str, "A question’s key; empty: on the whole survey.", like("by_bike")]
    username: Annotated[str | None, "Null once the account is deleted.", like("ada")]
    at: Annotated[str, TIME]
    text: Annotated[str, like("Do we need this one?")]
    done: Annotated[bool, "It is done with."]


class CommentsDocument(TypedDict):
    items: list[CommentLine]


class ChangedComment(TypedDict):
    done: bool


class Opening(TypedDict):
    """The terms; what is absent is as the draft has it."""

    digest: Annotated[str, "Of the draft as you read it: 409 where it would open to anything else.", HEX]
    opens_at: NotRequired[Annotated[str | None, "Absent: at once.", TIME]]
    closes_at: NotRequired[Annotated[str | None, "A day without a time means its end, in UTC.", END]]
    closes_after: NotRequired[Annotated[int | None, "Ends at this number of reports.", WHOLE | like(5000)]]
    unpublished: NotRequired[Annotated[bool, "Yes to a survey of which too few people are expected for any result."]]
    points: NotRequired[Annotated[float | str | None, _POINTS, like(2.5)]]
    batch: NotRequired[Annotated[int | None, "Reports in a batch.", WHOLE | like(100)]]


class NewVersion(TypedDict):
    wave: NotRequired[Annotated[bool, "It asks the same people again: results will show what changed."]]


# People ---------------------------------------------------------------------------------------------------------------

_ROLE = {"enum": list(Role)} | like("researcher")
_DAY = {"format": "date"} | like("2026-06-01")


class Member(TypedDict):
    number: Annotated[int, "Of the membership, for the address where it is changed.", like(4)]
    username: Annotated[str, like("ada")]
    role: Annotated[str, _ROLE]


class OpenInvitation(TypedDict):
    number: Annotated[int, "For the address where it is revoked.", like(2)]
    role: Annotated[str, _ROLE]
    last_day: Annotated[str, "On which it can be followed (UTC).", _DAY]


class PeopleDocument(TypedDict):
    members: list[Member]
    invitations: Annotated[list[OpenInvitation], "That can still be followed."]


class NewRole(TypedDict):
    role: Literal["viewer", "researcher", "designer", "owner"]


class RoleLink(OpenInvitation):
    link: Annotated[str, "It is told this once.", like("https://survey.example.org/account/invitation/?token=8Y0oPq")]


class LogLine(TypedDict):
    at: Annotated[str, TIME]
    username: Annotated[str, like("ada")]
    action: Annotated[str, {"enum": list(AuditEntry.Action)} | like("opened")]
    detail: Annotated[str, like("digest 9f86d081884c7d65")]


class LogPage(TypedDict):
    count: Annotated[int, like(1)]
    next: Annotated[str | None, "Where the next part is.", like(None)]
    previous: Annotated[str | None, like(None)]
    items: list[LogLine]


# Alerts ---------------------------------------------------------------------------------------------------------------

_URL = {"format": "uri"} | like("https://www.example.org/deniable")


class NewWebhook(TypedDict):
    url: Annotated[str, "Of https, without name, password and fragment; it leads into no private network.", _URL]


class DeliveryLine(TypedDict):
    id: Annotated[str, "The header webhook-id.", like("msg_2KWPBgLlAfxdpx2AI54pPJ85")]
    type: Annotated[str, like("survey.first_release")]
    day: Annotated[str, "Of the last try (UTC).", _DAY]
    state: Annotated[str, {"enum": list(Delivery.State)} | like("sent")]
    status: Annotated[int | None, "What the receiver answered to the last try; null where nothing came.", like(204)]
    attempts: Annotated[int, like(1)]


class WebhookDocument(TypedDict):
    number: Annotated[int, "For the address where it is removed.", like(3)]
    url: Annotated[str, _URL]
    day: Annotated[str, "On which it was added (UTC).", _DAY]
    by: Annotated[str | None, "The name of the account that added it. It ends with that account's role.", like("ada")]
    gone: Annotated[bool, "It answered 410, so nothing more is posted there."]
    deliveries: Annotated[list[DeliveryLine], "The newest first."]


class WebhooksDocument(TypedDict):
    webhooks: list[WebhookDocument]


class MadeWebhook(WebhookDocument):
    secret: Annotated[str, "The key of the signatures: whsec_ and base64.", like(f"whsec_{'A' * 43}=")]


# Files, evidence, jobs ------------------------------------------------------------------------------------------------

_NAMED = like("statement.en.html")
_LONGEST = {"maxLength": 2000}


class EvidenceFile(TypedDict):
    name: Annotated[str, _NAMED]
    url: Annotated[str, like("https://survey.example.org/api/v1/studio/17/evidence/statement.en.html")]


class EvidenceDocument(TypedDict):
    files: list[EvidenceFile]


class DisclosureDocument(TypedDict):
    """A field is empty until somebody has said it."""

    sponsor: Annotated[str, "Who pays for it.", like("")]
    conductor: Annotated[str, "Who carries it out and is responsible for it.", like("The University")]
    contact: Annotated[str, "Whom respondents can ask.", like("survey@example.org")]
    population: Annotated[str, "About whom it shall say something.", like("")]
    recruitment: Annotated[str, "How people are chosen and asked.", like("")]
    dates: Annotated[str, "When people are asked.", like("")]
    limitations: Annotated[str, "What the results cannot tell.", like("")]
    licence: Annotated[str, "Under which terms others may use the data.", like("")]


class NewDisclosure(TypedDict):
    sponsor: NotRequired[Annotated[str, _LONGEST]]
    conductor: NotRequired[Annotated[str, _LONGEST]]
    contact: NotRequired[Annotated[str, _LONGEST | like("survey@example.org")]]
    population: NotRequired[Annotated[str, _LONGEST]]
    recruitment: NotRequired[Annotated[str, _LONGEST]]
    dates: NotRequired[Annotated[str, _LONGEST]]
    limitations: NotRequired[Annotated[str, _LONGEST]]
    licence: NotRequired[Annotated[str, _LONGEST]]


class ImportRemark(TypedDict):
    number: Annotated[int, "Its place in the list, from 1 on.", like(1)]
    group: Annotated[str, "“left out”, “changed”, “said” or “choose”.", like("left out")]
    text: Annotated[str, like("Free text cannot be asked privately.")]
    names: Annotated[list[str], "Of the form.", like(["comments"])]
    questions: Annotated[list[str], "Keys of the questions that it is about, as long as they are unedited.", like([])]
    done: Annotated[bool, "Somebody has ticked it off."]


class ImportDecision(TypedDict):
    """A question that could be of another kind."""

    now: Annotated[Draft, "As it stands in the draft.", like({"key": "age", "kind": "histogram"})]
    other: Annotated[Draft, "As it could stand there.", like({"key": "age", "kind": "mean"})]


class ChangedRemark(TypedDict):
    done: Annotated[bool, "Whether it is done with."]


class ImportDocument(TypedDict):
    remarks: list[ImportRemark]
    decisions: list[ImportDecision]


class JobLine(TypedDict):
    kind: Annotated[str, {"enum": [*ANALYSES, "export"]} | like("crossing")]
    release: Annotated[int, like(3)]
    state: Annotated[str, {"enum": ["asked", "working", "ready", "failed"]} | like("working")]
    reason: Annotated[str | None, "Why it failed.", like(None)]
    reports: Annotated[int, "Of the release.", like(1284)]
    done: Annotated[int, "Reports that were counted or written so far.", like(400)]
    url: Annotated[
        str,
        "The list in which it stands.",
        like("https://survey.example.org/api/v1/surveys/travel/releases/3/crossings"),
    ]


class JobsDocument(TypedDict):
    items: list[JobLine]
