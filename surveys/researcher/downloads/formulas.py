"""The formulas from each mechanism's reports to estimates. docs/researchers/recompute.md explains all of them."""

from collections.abc import Iterator
from typing import NamedTuple

from ldp.mechanisms import of
from ldp.mechanisms.pooled import PooledRandomizer
from ldp.question import Drawn, asked_in, has_channels
from surveys.survey import kinds, mechanisms


class Formula(NamedTuple):
    """A method's score of one report. Its mean is `a` if the option is true, and `b` if not. `form` exists only if
    forms randomize the question in different ways. The score then contains the form's factor."""

    method: str
    score: str
    a: float
    b: float
    form: int | None = None


ESTIMATE = "estimate = (S/n - b)/(a - b), S being the total of the scores over the n reports"
POOLED = (
    "estimate = (S - sum of n_f b_f)/(sum of n_f (a_f - b_f)) over its forms f, S being the total of the scores of all "
    "reports, n_f the number of reports of form f"
)
OF_ITS_ITEM = " that are about the option or item"
OF_ITS_FORM = " with the question's form"
ON_ITS_SCALE = "; put on the scale: low + (high - low) times that"


def of_question(question: Drawn) -> list[Formula]:
    """Return a formula for each method, the default method first."""
    scores, randomizer = mechanisms.of(question).scores, of(question)
    if isinstance(randomizer, PooledRandomizer):
        return list(_of_forms(question, randomizer))
    return [Formula(method, scores[method], float(law.a), float(law.b)) for method, law in randomizer.moments().items()]


def _of_forms(question: Drawn, randomizer: PooledRandomizer) -> Iterator[Formula]:
    score = mechanisms.of(question).scores
    for channel, counts, (_, own) in zip(question["asked"], randomizer.scores, randomizer.forms, strict=True):
        method, law = own.default()
        yield Formula(
            method, f"{counts} times: {score[method]}", float(counts * law.a), float(counts * law.b), channel["form"]
        )


def estimate(question: Drawn) -> str:
    if has_channels(question):
        about = OF_ITS_ITEM if kinds.of(question).sampling else ""
        return POOLED + about + (ON_ITS_SCALE if kinds.of(question).averaged else "")
    of_form = OF_ITS_FORM if asked_in(question) else ""
    return ESTIMATE + of_form + (ON_ITS_SCALE if kinds.of(question).averaged else "")
