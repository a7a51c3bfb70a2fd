"""The site's part of a mechanism, from the definition to the download. The mathematics is in ldp.

A new mechanism is a module of this folder under its name in ldp.mechanisms, with a MECHANISM as described here.
`question` is a question with its draw.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ldp.question import Drawn
from surveys.rules.codes import Code
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms.report_words import ReportWords

Rule = Callable[[Any, Sequence[Unchecked]], None]  # checks an entry, given the questions of its draw


class ReportFormat(NamedTuple):
    """A report in the API's description: its JSON schema, and words that mechanisms with this form share."""

    schema: dict[str, Any]
    together: str = ""


WHOLE = ReportFormat({"type": "integer"})
BITS = ReportFormat({"type": "string", "pattern": "^[01]+$"})
LIST = ReportFormat({"type": "array", "items": {"type": "integer"}})
PAIRS = ReportFormat(
    {"type": "array", "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}},
    "indices from 0 on, the first ones increasing",
)
LISTS = ReportFormat(
    {
        "type": "array",
        "items": {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}],
            "minItems": 2,
            "maxItems": 2,
        },
    },
    "indices from 0 on, the first ones increasing",
)


class ReportDescription(NamedTuple):
    """A description of the sent value: its form, its content, and a function that puts a report into words."""

    format: ReportFormat
    holds: str
    read: Callable[[Drawn, Any], ReportWords]


class Limit(NamedTuple):
    """The reason why a question may have no table: the code and rule of the refusal, and its %(most)s."""

    code: Code
    rule: str
    most: int


def no_labels(question: Drawn) -> Sequence[str]:
    return ()


def no_quantity(question: Drawn) -> str:
    return ""


class Mechanism(NamedTuple):
    """The site's part of a mechanism. Texts for pages are lazy translations; texts for downloads and the API are
    English."""

    name: str
    # A sentence on what each browser sent: {sample} is how many of how many elements it drew, {listed} how many of
    # {options} options it listed, {keep} the chance that the true answers are among the sent ones.
    sent: str

    # The table: a rule for each entry, which raises Misshapen or a Python error; and the entries' meaning, for the
    # codebook.
    entries: Mapping[str, Rule]
    table: str

    # The report, and each method's score that it adds to an option's total.
    report: ReportDescription
    scores: Mapping[str, str]

    # The meaning of a number in the downloads: of 0, 1, ..., or a sentence on a quantity.
    labels: Callable[[Drawn], Sequence[str]] = no_labels
    quantity: Callable[[Drawn], str] = no_quantity

    # Whether sampling error cannot be separated from the added chance, so that both targets have the same intervals.
    one_for_both: bool = False
    # The sentence for a crossing that lacks tests of single pairs because of this mechanism.
    untested: str = ""
    limit: Limit | None = None
