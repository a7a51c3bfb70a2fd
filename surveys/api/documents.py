"""The types of what the API answers, from which its description is made.

Beside a field stands what the description says of it, or keywords of JSON Schema; `examples` are those that the page
on the API shows.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from ldp.document import Retention
from surveys.models import Crossing, Export, Raking, Regression, Role, Subgroups


def like(value: object) -> dict[str, list[object]]:
    return {"examples": [value]}


_HEX = {"pattern": "^[0-9a-f]{64}$"} | like("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
_DAY: dict[str, Any] = {"format": "date"} | like("2026-05-03")
_AT = like("https://survey.example.org/api/v1/surveys/travel/releases/3")
_MODEL = {"model": "logistic", "outcome": "by_bike", "covariates": [{"key": "reasons.2"}]}
_EXPLAINED = like(
    "https://survey.example.org/api/v1/surveys/travel/releases/3/regression?model=%7B%22model%22%3A%22logistic%22%7D"
)
_MARGINS = {
    "question": "by_bike",
    "margins": [{"key": "town", "shares": [0.4, 0.6]}, {"key": "age", "shares": [0.3, 0.5, 0.2]}],
}
_RAKED = like(
    "https://survey.example.org/api/v1/surveys/travel/releases/3/raking?margins=%7B%22question%22%3A%22by_bike%22%7D"
)
_CROSSED = like("https://survey.example.org/api/v1/surveys/travel/releases/3/crossings/by_bike/reasons.2")


class BrokenRule(TypedDict):
    """A rule that what was sent breaks."""

    field: Annotated[str, "Where: a path in the JSON, counted from 0.", like("questions[0].text")]
    code: Annotated[str, "Names the rule; it stays the same.", like("missing")]
    rule: Annotated[str, like("is missing")]


class Problem(TypedDict):
    """A refusal, by RFC 9457."""

    type: Annotated[str, "Ends with the name of the rule, which stays the same.", like("/problems/not_found")]
    title: Annotated[str, like("Not Found")]
    status: Annotated[int, like(404)]
    detail: Annotated[str, like("The survey has no release yet.")]
    field: NotRequired[Annotated[str, "Where the rule is broken."]]
    rules: NotRequired[Annotated[list[BrokenRule], "All rules that are broken, where there can be several."]]


class ReleaseDocument(TypedDict):
    """What is published of a survey at one time. It never changes."""

    number: Annotated[int, "1, 2, ... of the survey.", {"minimum": 1} | like(3)]
    day: Annotated[str, _DAY]
    final: Annotated[bool, "The survey has ended, and every report was counted."]
    n: Annotated[int, "Its reports.", like(1284)]
    totals_digest: Annotated[
        str, "SHA-256 of n and the score totals in canonical JSON; with forms, of the list of those of each.", _HEX
    ]
    url: Annotated[
        str,
        "Its address; below it /estimates, /readings, /contrasts, /covariances, /codebook, /crossings, /microdata.",
        _AT,
    ]


class SurveyDocument(TypedDict):
    """A survey that was opened."""

    slug: Annotated[str, "Its name in addresses.", like("travel")]
    title: Annotated[str, like("How people travel")]
    state: Literal["open", "closed"]
    role: Annotated[
        str | None,
        "What you are on it; null where you read what is published.",
        {"enum": [*Role, None]} | like("viewer"),
    ]
    results_public: Annotated[bool, "Anybody with the address may read its results."]
    digest: Annotated[str, "SHA-256 of its definition's bytes.", _HEX]
    alpha_total: Annotated[str, "The privacy parameter of a whole report, with forms the largest of any.", like("3")]
    questions: Annotated[int, like(4)]
    latest: Annotated[ReleaseDocument | None, "The newest release; null before the first."]
    too_few: Annotated[bool, "It ended with so few reports that nothing is ever published of it.", like(False)]
    url: Annotated[str, like("https://survey.example.org/api/v1/surveys/travel")]


class _Page(TypedDict):
    count: Annotated[int, "Of all parts together.", like(1)]
    next: Annotated[str | None, "The address of the next part.", like(None)]
    previous: Annotated[str | None, "The address of the part before.", like(None)]


class SurveyPage(_Page):
    """Some of the surveys."""

    items: list[SurveyDocument]


class ReleasePage(_Page):
    """Some of the releases, the newest first."""

    items: list[ReleaseDocument]


class CrossingState(TypedDict):
    """How far a cross-table of a release is."""

    release: Annotated[int, like(3)]
    first: Annotated[
        str, "A question's key; for an item or option with a dot and its place, from 1 on.", like("by_bike")
    ]
    second: Annotated[str, "The same; it stands behind the first in the definition.", like("reasons.2")]
    state: Annotated[
        str,
        "asked, working: it comes. ready: take it at its address. failed: reason says why.",
        {"enum": [*Crossing.State]} | like("working"),
    ]
    reason: Annotated[str | None, "Why it could not be counted.", like(None)]
    reports: Annotated[int, "In the release.", like(1284)]
    counted: Annotated[int, "Of these so far.", like(512)]
    url: Annotated[str, "Its address, with .csv behind it the table's.", _CROSSED]


class CrossingPage(_Page):
    """Some of the cross-tables, the first that was asked for first."""

    items: list[CrossingState]


class RegressionState(TypedDict):
    """How far a model of a release is."""

    release: Annotated[int, like(3)]
    model: Annotated[dict[str, Any], "What explains what.", like(_MODEL)]
    state: Annotated[
        str,
        "asked, working: it comes. ready: take it at its address. failed: reason says why.",
        {"enum": [*Regression.State]} | like("working"),
    ]
    reason: Annotated[str | None, "Why it could not be counted.", like(None)]
    reports: Annotated[int, "Of those who were asked all of its questions.", like(1284)]
    counted: Annotated[int, "Of these so far.", like(512)]
    url: Annotated[str, "Its address, with .csv behind /regression the table's.", _EXPLAINED]


class RegressionPage(_Page):
    """Some of the models, the first that was asked for first."""

    items: list[RegressionState]


class RakingState(TypedDict):
    """How far a question weighted by several margins is."""

    release: Annotated[int, like(3)]
    margins: Annotated[dict[str, Any], "What is weighted by which known shares.", like(_MARGINS)]
    state: Annotated[
        str,
        "asked, working: it comes. ready: take it at its address. failed: reason says why.",
        {"enum": [*Raking.State]} | like("working"),
    ]
    reason: Annotated[str | None, "Why it could not be counted.", like(None)]
    reports: Annotated[int, "Of those who were asked all of its questions.", like(1284)]
    counted: Annotated[int, "Of these so far.", like(512)]
    url: Annotated[str, "Its address, with .csv behind /raking the table's.", _RAKED]


class RakingPage(_Page):
    """Some of the weighted questions, the first that was asked for first."""

    items: list[RakingState]


class SubgroupsState(TypedDict):
    """How far the subgroups of a release by a stratum are."""

    release: Annotated[int, like(3)]
    stratum: Annotated[
        str, "A question's key; for an item or option with a dot and its place, from 1 on.", like("by_bike")
    ]
    state: Annotated[
        str,
        "asked, working: it comes. ready: take it at its address. failed: reason says why.",
        {"enum": [*Subgroups.State]} | like("working"),
    ]
    reason: Annotated[str | None, "Why it could not be counted.", like(None)]
    reports: Annotated[int, "About the stratum and another question.", like(1284)]
    counted: Annotated[int, "Of these so far.", like(512)]
    url: Annotated[
        str,
        "Its address, with .csv behind it the table's.",
        like("https://survey.example.org/api/v1/surveys/travel/releases/3/subgroups/by_bike"),
    ]


class SubgroupsPage(_Page):
    """Some of the subgroups, the first that were asked for first."""

    items: list[SubgroupsState]


class MicrodataFile(TypedDict):
    name: Annotated[str, like("microdata.csv")]
    media_type: Annotated[str, like("text/csv; charset=utf-8")]
    size: Annotated[int, "Bytes of the file as it is without compression.", like(48213)]
    sha256: Annotated[str, "Of the file itself.", _HEX]
    url: Annotated[str, like("https://survey.example.org/api/v1/surveys/travel/releases/3/microdata/microdata.csv")]


class Microdata(TypedDict):
    """How far the files of a release's randomized reports are."""

    release: Annotated[int, like(3)]
    state: Annotated[
        str,
        "none: nobody has asked for them. asked, working: they come. ready: take them. failed: reason says why.",
        {"enum": ["none", *Export.State]} | like("ready"),
    ]
    reason: Annotated[str | None, "Why they could not be made.", like(None)]
    reports: Annotated[int, "In the release.", like(1284)]
    written: Annotated[int, "Of these so far.", like(1284)]
    kept: Annotated[bool, "Whether the files stay when those of newer releases come.", like(False)]
    newest: Annotated[bool, "Whether the release is the newest: only of that one files can be made."]
    files: Annotated[list[MicrodataFile], "Empty until they are ready."]


class Option(TypedDict):
    value: int
    label: str


class Column(TypedDict):
    name: Annotated[str, like("by_bike")]
    about: Annotated[str, "The option or item that it is about; empty where it is about the question."]


class Packed(TypedDict):
    columns: list[Column]
    low: Annotated[int, "The least number that can stand there."]
    high: Annotated[int, "The largest.", like(1)]
    drawn: Annotated[int, "So many of the columns a report fills; 0 where it fills all.", like(0)]
    values: Annotated[list[Option], "What each number means; empty where it counts."]
    quantity: Annotated[str, "What the number counts; empty where values say it.", like("")]


class Formula(TypedDict):
    method: Annotated[str, like("support")]
    score: str
    a: Annotated[float, "The mean score of an option where it is true.", like(0.7311)]
    b: Annotated[float, "Where it is not.", like(0.2689)]
    name: str


class Estimation(TypedDict):
    mechanism: Annotated[str, like("Randomized response")]
    sent: Annotated[str, "What a browser sends."]
    table: Annotated[str, "What the table's numbers mean."]
    estimate: Annotated[str, "How scores become estimates."]
    methods: list[Formula]


class CodebookQuestion(TypedDict):
    """A question of the definition, with all of its fields, and what its columns hold."""

    key: Annotated[str, like("by_bike")]
    kind: Annotated[str, like("yes_no")]
    text: Annotated[str, like("Do you cycle to work?")]
    form: NotRequired[Annotated[int, "Its form, from 0; absent where everybody is asked."]]
    joint: NotRequired[Annotated[bool, "It was randomized together with the others of its form."]]
    microdata: Packed
    estimation: Estimation


class CodebookForm(TypedDict):
    """One of the forms between which browsers draw."""

    form: Annotated[int, "From 0, as in the microdata."]
    weight: Annotated[int, "Of all forms' weights added up, so many stand for this one."]
    questions: Annotated[list[str], "The keys of those that only this form has.", like(["by_bike", "reasons"])]
    n: Annotated[int, "Reports of this form.", like(640)]
    alpha_total: Annotated[str, "The privacy parameter of such a report.", like("3")]
    alpha: NotRequired[Annotated[str, "Of its questions together, where they were randomized together.", like("2")]]
    table: NotRequired[Annotated[dict[str, int], "The same: by which they were randomized.", like({"other": 10**15})]]
    sizes: NotRequired[Annotated[list[int], "The same: how many answers each of them has.", like([2, 3])]]
    randomized: Annotated[str, "How its questions were randomized, in words."]
    retention: Annotated[Retention | None, "Whether people left it more than the others, as in the estimates."]


class Codebook(TypedDict):
    """All that is needed to read the microdata and to find every published number again."""

    format: Annotated[int, like(1)]
    survey: Annotated[str, like("travel")]
    title: Annotated[str, like("How people travel")]
    digest: Annotated[str, _HEX]
    release: Annotated[int, like(3)]
    date: Annotated[str, _DAY]
    final: bool
    n: Annotated[int, like(1284)]
    totals_digest: Annotated[str, _HEX]
    confidence: Annotated[float, like(0.95)]
    confidences: Annotated[list[float], "Those at which the release has intervals."]
    alpha_total: Annotated[str, like("3")]
    software: str
    every_release: Annotated[bool, "Whether the intervals hold at every release."]
    intervals: Annotated[str, "The same as a sentence."]
    rows: Annotated[str, "What a row of the microdata is."]
    resolution: Annotated[int, "The tables' chances are fractions of it.", like(2**53)]
    efficiency: NotRequired[
        Annotated[float | None, "The bound for a whole survey over its own mean variance; null where none is known."]
    ]
    efficiency_means: NotRequired[Annotated[str, "In words; where it is not known, why."]]
    form_column: NotRequired[Annotated[str, "The microdata's column that says of which form a report is."]]
    forms: NotRequired[Annotated[list[CodebookForm], "Where the survey has forms."]]
    questions: list[CodebookQuestion]


class Covariance(TypedDict):
    """The covariance matrix of a question's estimates."""

    question: Annotated[str, like("by_bike")]
    method: Annotated[str, like("support")]
    target: Literal["population", "respondents"]
    options: Annotated[list[str], "Of rows and columns, in this order.", like(["Yes", "No"])]
    matrix: Annotated[
        list[list[float]], "Of the estimates, as fractions of 1.", like([[0.0004, -0.0004], [-0.0004, 0.0004]])
    ]


# Invitations ----------------------------------------------------------------------------------------------------------

_LANGUAGE = "That of the link, and of an email; one of the survey's."
_GROUP = "A new one begins with at least a batch of people at once. The results are not split by it."
_LINK = like("https://survey.example.org/s/#travel//8Y0oPq3vQ9a1bTz7Lw2c5A")
_PEOPLE = like(["ada@example.org", "bob@example.org"])
_BATCHES = "By the last count, which comes with a release and only where at least a batch more have; null before it."


class GroupDocument(TypedDict):
    name: Annotated[str, "Empty for those in no group.", like("Sales")]
    invited: Annotated[int, like(240)]
    used: Annotated[int | None, f"Who have used their invitation. {_BATCHES}", like(131)]


class RateDocument(TypedDict):
    release: Annotated[int, like(3)]
    n: Annotated[int, "Its reports.", like(384)]
    percent: Annotated[int | None, "Of those who are invited now; null where more have answered.", like(64)]


class EmailsDocument(TypedDict):
    waiting: Annotated[int, "Those that the mail server has not taken yet.", like(0)]
    keeps: Annotated[int, "Addresses that are kept for reminders.", like(598)]
    undeliverable: Annotated[list[str], "Addresses that no mail server took.", like(["ada@example.org"])]
    to_remind: Annotated[int, "To whom a reminder would go, by the last count.", like(214)]


class InvitationsDocument(TypedDict):
    """Who was invited, and how many have answered: as of releases and counts, never as of now."""

    invited: Annotated[int, "Not taken back.", like(600)]
    releases: Annotated[list[RateDocument], "The newest first."]
    groups: list[GroupDocument]
    emails: EmailsDocument


class NewInvitations(TypedDict):
    count: Annotated[int, {"minimum": 1} | like(60)]
    language: NotRequired[Annotated[str, _LANGUAGE, like("en")]]
    group: NotRequired[Annotated[str, _GROUP, like("Sales")]]


class Links(TypedDict):
    links: Annotated[list[Annotated[str, _LINK]], "Each lets in one report. They are told this once."]


class NewEmails(TypedDict):
    addresses: Annotated[list[Annotated[str, like("ada@example.org")]], "Each one person.", _PEOPLE]
    keeps: Annotated[bool, "Whether addresses stay, encrypted, until the survey ends, for reminders."]
    language: NotRequired[Annotated[str, _LANGUAGE, like("en")]]
    subject: NotRequired[Annotated[str, "The site has words of its own.", like("A survey")]]
    text: NotRequired[Annotated[str, "{link} stands once, for the link.", like("Please answer:\n\n{link}")]]
    group: NotRequired[Annotated[str, _GROUP, like("Sales")]]


class NewReminder(TypedDict):
    language: NotRequired[Annotated[str, _LANGUAGE, like("en")]]
    subject: NotRequired[Annotated[str, "The site has words of its own.", like("A survey")]]
    text: NotRequired[Annotated[str, "{link} stands once, for the link.", like("Please answer:\n\n{link}")]]


class Queued(TypedDict):
    emails: Annotated[int, "How many now wait to be sent.", like(60)]


class OneLink(TypedDict):
    link: Annotated[str, "Of an invitation, or its last part.", _LINK]


class Remaining(TypedDict):
    invited: Annotated[int, "How many invitations are left.", like(599)]


class Bounced(TypedDict):
    addresses: Annotated[list[Annotated[str, like("ada@example.org")]], "They get no more emails.", _PEOPLE]


class Forgotten(TypedDict):
    forgotten: Annotated[int, "How many of them were there.", like(2)]
