"""The types of answers about the files of a release: randomized reports, their codebook, covariances."""

from typing import Annotated, Literal, NotRequired, TypedDict

from ldp.document import Retention, SurveyEfficiency
from ldp.forms.schema import Draw
from surveys.api.documents import DAY, HEX, like
from surveys.models import Export


class MicrodataFile(TypedDict):
    name: Annotated[str, like("microdata.csv")]
    media_type: Annotated[str, like("text/csv; charset=utf-8")]
    size: Annotated[int, "Bytes of the file as it is without compression.", like(48213)]
    sha256: Annotated[str, "SHA-256 of the uncompressed file.", HEX]
    url: Annotated[str, like("https://survey.example.org/api/v1/surveys/travel/releases/3/microdata/microdata.csv")]


class Microdata(TypedDict):
    """The state of the files of a release's randomized reports."""

    release: Annotated[int, like(3)]
    state: Annotated[
        str,
        "none: not requested. asked, working: not finished. ready: get them. failed: `reason` says why.",
        {"enum": ["none", *Export.State]} | like("ready"),
    ]
    reason: Annotated[str | None, "Why they could not be made.", like(None)]
    reports: Annotated[int, "The release's number of reports.", like(1284)]
    written: Annotated[int, "The reports written so far.", like(1284)]
    kept: Annotated[bool, "Whether the files stay when newer releases have theirs.", like(False)]
    newest: Annotated[bool, "Whether the release is the newest: files can be made for that one only."]
    files: Annotated[list[MicrodataFile], "Empty until they are ready."]


class Option(TypedDict):
    value: Annotated[int, "The value in Parquet and CSV.", like(0)]
    label: Annotated[str, like("Yes")]
    code: Annotated[int, "The value in SPSS and Stata files.", like(1)]
    missing: NotRequired[Annotated[bool, "A refusal to answer: a missing value in SPSS, and .a in Stata."]]


class CodebookColumn(TypedDict):
    name: Annotated[str, like("by_bike")]
    about: Annotated[str, "The option or item of the column; empty if it is about the question."]
    spss: Annotated[str, "Its name in SPSS files.", like("by_bike")]
    stata: Annotated[str, "Its name in Stata files.", like("by_bike")]


class Packed(TypedDict):
    columns: list[CodebookColumn]
    low: Annotated[int, "The smallest possible number."]
    high: Annotated[int, "The largest possible number.", like(1)]
    drawn: Annotated[int, "How many of the columns a report fills; 0 if it fills all.", like(0)]
    values: Annotated[list[Option], "The meaning of each number; empty for quantities."]
    quantity: Annotated[str, "The quantity that the number counts; empty with `values`.", like("")]


class Formula(TypedDict):
    method: Annotated[str, like("support")]
    score: str
    a: Annotated[float, "The mean score of an option that is true.", like(0.7311)]
    b: Annotated[float, "The mean score of an option that is not.", like(0.2689)]
    name: str


class Estimation(TypedDict):
    mechanism: Annotated[str, like("Randomized response")]
    sent: Annotated[str, "What a browser sends."]
    table: Annotated[str, "What the table's numbers mean."]
    estimate: Annotated[str, "How scores become estimates."]
    methods: list[Formula]


class CodebookQuestion(TypedDict):
    """A question with all fields of the definition, and the contents of its columns."""

    key: Annotated[str, like("by_bike")]
    kind: Annotated[str, like("yes_no")]
    text: Annotated[str, like("Do you cycle to work?")]
    form: NotRequired[Annotated[int, "Its form, from 0; absent if everyone is asked."]]
    joint: NotRequired[Annotated[bool, "It was randomized together with others, by one draw."]]
    together: NotRequired[Annotated[list[str], "joint: the keys of all questions of this draw."]]
    microdata: Packed
    estimation: Estimation


class CodebookDraw(Draw):
    """Questions that one draw randomizes, as in the definition."""

    randomized: Annotated[str, "How the questions are randomized, in words."]


class CodebookForm(TypedDict):
    """A form. Browsers draw one form by lot."""

    form: Annotated[int, "From 0, as in the microdata."]
    weight: Annotated[int, "The form's part in the sum of all forms' weights."]
    questions: Annotated[list[str], "The keys of the questions that only this form has.", like(["by_bike", "reasons"])]
    n: Annotated[int, "Reports of this form.", like(640)]
    alpha_total: Annotated[str, "The privacy parameter of such a report.", like("3")]
    draws: Annotated[list[CodebookDraw], "The draws of the form, in addition to those for everyone."]
    retention: Annotated[
        Retention | None, "Whether people left this form more often than the others, as in the estimates."
    ]


class Codebook(TypedDict):
    """Everything needed to read the microdata and to reproduce every published number."""

    format: Annotated[int, like(1)]
    survey: Annotated[str, like("travel")]
    title: Annotated[str, like("How people travel")]
    digest: Annotated[str, HEX]
    release: Annotated[int, like(3)]
    date: Annotated[str, DAY]
    final: bool
    n: Annotated[int, like(1284)]
    totals_digest: Annotated[str, HEX]
    confidence: Annotated[float, like(0.95)]
    confidences: Annotated[list[float], "The confidences at which the release has intervals."]
    alpha_total: Annotated[str, like("3")]
    software: str
    every_release: Annotated[bool, "Whether the intervals hold at every release."]
    intervals: Annotated[str, "The same as a sentence."]
    rows: Annotated[str, "What a row of the microdata is."]
    resolution: Annotated[int, "The tables' chances are fractions of it.", like(2**53)]
    efficiency: NotRequired[
        Annotated[SurveyEfficiency | None, "The efficiency of the whole survey; null if no bound is known."]
    ]
    efficiency_means: NotRequired[Annotated[str, "The efficiency in words, or why it is unknown."]]
    draws: Annotated[list[CodebookDraw], "The draws for everyone."]
    form_column: NotRequired[Annotated[str, "The microdata's column that names the form of a report."]]
    forms: NotRequired[Annotated[list[CodebookForm], "Only in surveys with forms."]]
    questions: list[CodebookQuestion]


class Covariance(TypedDict):
    """The covariance matrix of a question's estimates."""

    question: Annotated[str, like("by_bike")]
    method: Annotated[str, like("support")]
    target: Literal["population", "respondents"]
    options: Annotated[list[str], "The options of the rows and columns, in order.", like(["Yes", "No"])]
    matrix: Annotated[
        list[list[float]],
        "The covariances of estimates that are fractions of 1.",
        like([[0.0004, -0.0004], [-0.0004, 0.0004]]),
    ]
