"""The brief for a survey, and a design: draws for everyone, and forms with further draws (M46)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, NamedTuple

from ldp.planning.candidates import PlannedQuestion
from ldp.planning.draw_prices import joined
from ldp.scores import Target
from ldp.subsets import Size

Keys = tuple[str, ...]
KeyPair = tuple[str, str]


class BriefQuestion(NamedTuple):
    """A question of a brief, with its importance relative to others, or the wished half-width."""

    key: str
    asked: PlannedQuestion
    importance: float = 1.0
    wished: float | None = None


class DesignDraw(NamedTuple):
    """Questions that are randomized together, or one alone. `sizes` has, for each question, how many options a report
    lists; empty if the mechanism lists none. A list or grid among several questions has a pair: the number of items
    that a report covers, and of options that it lists for each. `sample` is the number of drawn items of a list or grid
    alone."""

    alpha: Fraction
    keys: Keys
    mechanism: str
    sizes: tuple[Size, ...] = ()
    sample: int | None = None


class DesignForm(NamedTuple):
    weight: int
    draws: tuple[DesignDraw, ...]

    @property
    def keys(self) -> Keys:
        return tuple(key for draw in self.draws for key in draw.keys)

    @property
    def alpha(self) -> Fraction:
        return sum((draw.alpha for draw in self.draws), Fraction(0))


@dataclass(frozen=True)
class Design:
    """`everyone` has the draws for all people. `forms` is empty or has at least two; each person draws one."""

    everyone: tuple[DesignDraw, ...]
    forms: tuple[DesignForm, ...] = ()

    @property
    def parts(self) -> list[tuple[float, tuple[DesignDraw, ...]]]:
        """Each form's fraction of all reports, and all its draws. A survey without forms is one form."""
        if not self.forms:
            return [(1.0, self.everyone)]
        whole = sum(form.weight for form in self.forms)
        return [(form.weight / whole, (*self.everyone, *form.draws)) for form in self.forms]

    @property
    def alpha(self) -> Fraction:
        """The largest total alpha of a report."""
        return max(sum((draw.alpha for draw in draws), Fraction(0)) for _, draws in self.parts)

    @property
    def reports(self) -> list[Keys]:
        """The questions of each form, including those for everyone."""
        return [tuple(key for draw in draws for key in draw.keys) for _, draws in self.parts]

    @property
    def pairs(self) -> set[frozenset[str]]:
        """The pairs of questions in one report, which can be crossed."""
        return {frozenset(pair) for keys in self.reports for pair in combinations(keys, 2)}


Crossed = Literal["none", "all"] | tuple[KeyPair, ...]


@dataclass(frozen=True)
class Brief:
    """The requirements for a survey.

    `total` is the alpha of a report, `n` the expected number of people. A form with `first` reports has results before
    the survey ends, one with `fewest` at its end. `crossed` are the pairs to cross. `together` are pairs that must be
    in one report, because one question decides whether the other is asked; `apart` are pairs that must not. `everyone`
    has the questions asked of everyone, with alphas that all forms leave out of the total. Half-widths are about
    `target`. `conditions` has the `asked_if` of questions whose results are only about the people asked. A survey has
    at most `most_forms` forms.
    """

    questions: tuple[BriefQuestion, ...]
    total: Fraction
    n: int
    fewest: int = 20
    first: int = 100
    crossed: Crossed = "none"
    together: tuple[KeyPair, ...] = ()
    apart: tuple[KeyPair, ...] = ()
    everyone: tuple[tuple[str, Fraction], ...] = ()
    target: Target = "population"
    most_forms: int = 200
    conditions: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.left <= 0 or not self.free or self._named(self.apart) & {key for key, _ in self.everyone}:
            raise ValueError("must leave questions and a part of the total to the forms")
        if any(each.importance <= 0 or (each.wished is not None and each.wished <= 0) for each in self.questions):
            raise ValueError("must have an importance and a wished half-width above 0")

    def __hash__(self) -> int:
        return hash((self.questions, self.total, self.n, self.crossed))

    @staticmethod
    def _named(pairs: Collection[KeyPair]) -> set[str]:
        return {key for pair in pairs for key in pair}

    @cached_property
    def left(self) -> Fraction:
        """The part of the total that is left for forms."""
        return self.total - sum((alpha for _, alpha in self.everyone), Fraction(0))

    @cached_property
    def free(self) -> tuple[BriefQuestion, ...]:
        """The questions that forms may ask."""
        everyone = {key for key, _ in self.everyone}
        return tuple(each for each in self.questions if each.key not in everyone)

    @cached_property
    def pairs(self) -> frozenset[frozenset[str]]:
        """The pairs to cross, except pairs that must be apart. "all" is all questions that can be drawn together."""
        return frozenset(frozenset(pair) for pair in self._wished_pairs()) - {frozenset(pair) for pair in self.apart}

    def only(self, keys: Collection[str]) -> "Brief":
        """Return the brief of only these questions. ValueError if forms may ask none of them."""
        left = frozenset(keys)

        def among(pairs: tuple[KeyPair, ...]) -> tuple[KeyPair, ...]:
            return tuple(pair for pair in pairs if left >= {*pair})

        return replace(
            self,
            questions=tuple(each for each in self.questions if each.key in left),
            crossed=self.crossed if isinstance(self.crossed, str) else among(self.crossed),
            together=among(self.together),
            apart=among(self.apart),
            everyone=tuple(pair for pair in self.everyone if pair[0] in left),
            conditions={key: asked_if for key, asked_if in self.conditions.items() if key in left},
        )

    def _wished_pairs(self) -> Iterator[KeyPair]:
        if self.crossed == "none":
            return iter(())
        if self.crossed == "all":
            return combinations([each.key for each in self.questions if isinstance(joined(each.asked), int)], 2)
        return iter(self.crossed)
