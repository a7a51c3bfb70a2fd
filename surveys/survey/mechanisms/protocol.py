"""What the site knows of a mechanism, from the definition to the download. The mathematics of a mechanism are ldp's.

A new mechanism is a module of this folder under its name in ldp.mechanisms, with a MECHANISM as is listed here.
`question` is one with its draw.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ldp.question import Drawn
from surveys.rules.codes import Code
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms.report_words import ReportWords

Rule = Callable[[Any, Sequence[Unchecked]], None]  # of an entry, and the questions of its draw


class ReportFormat(NamedTuple):
    """A report in the API's description: a JSON schema, and what several mechanisms with this form have in common."""

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
    """What is sent: its form, in words what it holds, and what one says."""

    format: ReportFormat
    holds: str
    read: Callable[[Drawn, Any], ReportWords]


class Limit(NamedTuple):
    """Why a question has no table: the code and the rule of the refusal, and what its %(most)s is."""

    code: Code
    rule: str
    most: int


def no_labels(question: Drawn) -> Sequence[str]:
    return ()


def no_quantity(question: Drawn) -> str:
    return ""


class Mechanism(NamedTuple):
    """Texts for people are lazy translations; those for the downloads and the API are English."""

    name: str
    # What each browser sent, with {sample} for how many of how many it drew, {listed} and {options} for how many
    # options it listed of how many, and {keep} for the chance that the answers are among what is sent.
    sent: str

    # The table: the rule of each entry, which raises Misshapen or a Python error; and what they are, for the codebook.
    entries: Mapping[str, Rule]
    table: str

    # The report, and by method the score that it adds to an option's total.
    report: ReportDescription
    scores: Mapping[str, str]

    # A number in the downloads: what 0, 1, ... say, or in a sentence what a quantity says.
    labels: Callable[[Drawn], Sequence[str]] = no_labels
    quantity: Callable[[Drawn], str] = no_quantity

    # Whether the luck of who took part cannot be told from the chance added: both targets have the same intervals.
    one_for_both: bool = False
    # What people read where a crossing has no test of single pairs because of it.
    untested: str = ""
    limit: Limit | None = None
