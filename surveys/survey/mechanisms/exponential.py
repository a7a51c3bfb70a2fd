"""The exponential mechanism on an ordered scale (M7)."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop

from ldp.mechanisms.exponential import CATEGORIES_MAX
from surveys.rules.shapes import must
from surveys.rules.unchecked import Unchecked
from surveys.survey.mechanisms import report_words
from surveys.survey.mechanisms.entries import length
from surveys.survey.mechanisms.protocol import WHOLE, Limit, Mechanism, ReportDescription
from surveys.survey.mechanisms.words import _


def square(rows: Any, questions: Sequence[Unchecked]) -> None:
    [question] = questions
    must(len(question["options"]) == len(rows) == length(rows) + 1)


MECHANISM = Mechanism(
    name=_("Exponential mechanism"),
    sent=_(
        "Each browser sent one answer by published odds: the true one most often, and a near one more often than a "
        "far one."
    ),
    entries={"rows": square},
    table="rows: for each true option the chances of the options sent, added up one after the other, out of 2^53.",
    report=ReportDescription(WHOLE, "index of an option, from 0 on", report_words.option),
    scores={"inverse": "phi_j(z), where z is sent: row z and column j of the inverse of the matrix of chances"},
    labels=lambda question: question["options"],
    untested=_("Single pairs of answers cannot be tested with the exponential mechanism."),
    limit=Limit("mechanism_categories", gettext_noop("%(mechanism)s takes at most %(most)s options"), CATEGORIES_MAX),
)
