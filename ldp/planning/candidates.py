"""The precision of a question's mechanism, per report (M12, M19)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ldp import kinds, mechanisms, numeric
from ldp.kinds import KINDS
from ldp.kinds.protocol import Kind, Size, Spread
from ldp.mechanisms import FITTING
from ldp.mechanisms.pooled import PooledRandomizer
from ldp.mechanisms.protocol import Randomizer
from ldp.question import Drawn, about_item, has_channels
from ldp.scores import ScoreMoments, mirrored

if TYPE_CHECKING:
    from ldp.planning.expected_scores import Scores


@dataclass(frozen=True)
class Candidate:
    """A mechanism's precision. `respondents`: n times the expected variance about exactly the respondents. `addition`:
    n times the length that the published interval adds to each side of a normal one (numeric.addition)."""

    mechanism: str
    method: str
    spread: Spread
    respondents: float
    addition: float
    efficiency: float | None
    scores: "Scores"

    @property
    def together(self) -> int:
        return self.scores.together


class PlannedQuestion(NamedTuple):
    """A question without its alpha. Mechanism None means the most precise one."""

    kind: str
    size: Size
    mechanism: str | None = None
    delta: Fraction | None = None


def size_of(question: Drawn) -> Size:
    """Return the size of a definition's question. If forms draw different numbers of its items, `sample` is their mean,
    weighted by the forms' reports if there are any, otherwise by their weights."""
    drawn: Sequence[Mapping[str, Any]] = question["asked"] if has_channels(question) else [question]
    by = "n" if any(own.get("n") for own in drawn) else "weight"
    samples = [(own.get(by, 1), own["table"].get("sample", 1)) for own in drawn]
    sample = sum(part * sample for part, sample in samples) / sum(part for part, _ in samples)
    whole = int(sample) if sample == int(sample) else sample
    return Size(len(question.get("options", ())), len(question.get("items", (None,))), whole)


def planned_question(question: Drawn, mechanism: str | None = None) -> PlannedQuestion:
    """Return a definition's question without its alpha, with this mechanism."""
    delta = Fraction(question["delta"]) if "delta" in question else None
    size = size_of(question)
    return PlannedQuestion(
        question["kind"], size._replace(sample=1) if has_channels(question) else size, mechanism, delta
    )


@lru_cache(maxsize=1 << 14)
def candidate(question: PlannedQuestion, alpha: Fraction) -> Candidate:
    """Return the precision of the question's mechanism. ValueError if the number of categories is too large for it, or
    the alpha too small."""
    name = question.mechanism or kinds.best(question.kind, alpha, question.size.d)
    mechanism = mechanisms.MECHANISMS[name]
    given: dict[str, Any] = {"sample": question.size.sample, "delta": question.delta}
    table = mechanism.table(alpha, question.size.d, **{extra: given[extra] for extra in mechanism.EXTRAS})
    randomizer = Randomizer(mechanism, table, question.size.d, alpha)
    return _computed(question.kind, name, randomizer, question.size, "delta" in mechanism.EXTRAS)


def fitting(question: PlannedQuestion, alpha: Fraction) -> Iterator[Candidate]:
    """Yield the precision of every fitting mechanism; one with a delta only if the question has a delta."""
    for name in FITTING[question.kind]:
        if "delta" in mechanisms.MECHANISMS[name].EXTRAS and question.delta is None:
            continue
        try:
            yield candidate(question._replace(mechanism=name), alpha)
        except ValueError:
            continue  # too many categories, or too small an alpha


def of_question(question: Drawn) -> Candidate:
    """Return the precision of a definition's question by its table; for several forms, the pooled precision."""
    randomizer = mechanisms.of(about_item(question, 0))
    return _computed(question["kind"], question["mechanism"], randomizer, size_of(question), "delta" in question)


def about_respondents(kind: Kind, moments: ScoreMoments, size: Size) -> float:
    """Return n times the expected variance about exactly the respondents. If a report covers only some items, the
    people who reported about an item are a sample of the respondents (summaries._targets)."""
    rarity = kind.rarity(size)
    return rarity * (kind.noise(moments, size.d) if rarity == 1 else kind.spread(moments, size.d).expected)


def _computed(
    kind_name: str, name: str, randomizer: Randomizer | PooledRandomizer, size: Size, with_delta: bool
) -> Candidate:
    from ldp.planning.expected_scores import Scores  # here: planning loads without numpy

    kind, (method, moments) = KINDS[kind_name], randomizer.default()
    pair = randomizer.pairs().get(method)
    # No bound is known if forms have several alphas.
    bounded = not (with_delta or isinstance(randomizer, PooledRandomizer))
    rarity, spread = kind.rarity(size), kind.spread(moments, size.d)
    return Candidate(
        name,
        method,
        Spread(rarity * spread.expected, rarity * spread.at_most),
        about_respondents(kind, moments, size),
        rarity * numeric.addition(moments),
        kind.efficiency(moments, spread, float(randomizer.alpha), size.d) if bounded else None,
        Scores(kind_name, size, moments, pair, kind.together(size, mirrored(moments, pair, size.d))),
    )
