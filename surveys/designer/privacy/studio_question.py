"""A question of a survey for planning: as built, or with its missing parts, and its draws."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from ldp.exact import parse_alpha
from ldp.forms import definition as definitions
from ldp.forms import report
from ldp.forms.report import Part
from ldp.forms.schema import Definition as ReportDefinition
from ldp.forms.schema import Draw, Form
from ldp.mechanisms import TOGETHER, randomized_response
from ldp.planning import routed, thirds
from ldp.planning.candidates import PlannedQuestion, planned_question
from ldp.planning.routed import Reach
from ldp.question import Drawn, Rule
from ldp.question import Question as BuiltQuestion
from ldp.routing import condition
from ldp.scores import Target
from surveys.designer.privacy.verdicts import planned_among
from surveys.drafts import mark
from surveys.drafts.proposals import FIRST_ALPHA
from surveys.rules.draft import without
from surveys.rules.refusals import DraftRefused, RuleBreach, as_text
from surveys.rules.unchecked import Unchecked, words_of
from surveys.survey.definition import build_cache, forms
from surveys.survey.definition.randomization import OWN

# The settings of a draft's question that the privacy page changes.
FIELDS = ("alpha", "mechanism", "delta", "size")


@dataclass(frozen=True)
class PlannedDraw:
    """Questions that are randomized together, or a single one. `alpha` is "" if it is missing or invalid. `members` are
    its questions, each as if no draw named it; `drawn` is the draw of an open survey."""

    draft: Unchecked
    members: tuple["StudioQuestion", ...]
    drawn: Part | None = None

    @property
    def keys(self) -> list[str]:
        return [each.key for each in self.members]

    @property
    def joint(self) -> bool:
        return len(self.members) > 1

    @cached_property
    def alpha(self) -> str:
        alpha = as_text(self.draft.get("alpha"))
        return alpha if isinstance(alpha, str) and is_alpha(alpha) else ""

    @property
    def sizes(self) -> list[forms.DrawSize] | None:
        return forms.sizes_of(self.draft, self.keys)

    @cached_property
    def together(self) -> Part | None:
        """Return the draw of several questions; None if it is incomplete or has too many combinations of answers."""
        if self.drawn:
            return self.drawn
        built = [each.content for each in self.members]
        questions = tuple(each for each in built if each is not None)
        if not self.alpha or len(questions) < len(built):
            return None
        try:
            table = randomized_response.table(Fraction(self.alpha), definitions.counts(questions), self.sizes)
        except ValueError:
            return None
        return Part(
            questions, {"alpha": self.alpha, "mechanism": TOGETHER, "table": dict(table), "questions": self.keys}
        )

    @property
    def name(self) -> str:
        """Return the key of the first question, which names the draw within its form."""
        return self.keys[0]


@dataclass(frozen=True)
class PlannedForm:
    """A form. `share` is the part of the people who draw it."""

    place: int
    weight: int
    share: Fraction
    draws: tuple[PlannedDraw, ...]

    @cached_property
    def members(self) -> tuple["StudioQuestion", ...]:
        """Return the form's questions in the survey's order."""
        return tuple(sorted((each for draw in self.draws for each in draw.members), key=lambda each: each.place))

    @property
    def keys(self) -> list[str]:
        return [each.key for each in self.members]


class PlacedDraw(NamedTuple):
    """A place where a question is asked: a draw of a form, or of everyone (`form` None)."""

    form: PlannedForm | None
    draw: PlannedDraw

    @property
    def share(self) -> Fraction:
        return self.form.share if self.form else Fraction(1)


@dataclass(frozen=True)
class StudioQuestion:
    """A question for planning. `draft` is the stored question, with the settings of its single draw if it has one.
    `name` is its key, for URLs. `asked` are the draws that name it, none if everyone is asked it by itself. `target` is
    the first target of its results. `survey` has all questions by key, because some may decide who is asked."""

    place: int
    name: str
    draft: Unchecked
    frozen: bool = False
    beyond: tuple[RuleBreach, ...] = ()  # rules against it: earlier questions use up the cost
    asked: tuple[PlacedDraw, ...] = ()
    target: Target = "population"
    survey: dict[str, "StudioQuestion"] = field(default_factory=dict, compare=False, repr=False)

    @property
    def text(self) -> str:
        return words_of(self.draft.get("text"))

    @property
    def key(self) -> str:
        key = self.draft.get("key")
        return key if isinstance(key, str) else ""

    @property
    def mark(self) -> str:
        """Return a mark that changes with the question and its draws."""
        return mark([without(self.draft, OWN) if self.asked else self.draft, self._draws])

    # Where it is asked

    @property
    def routed(self) -> bool:
        """Return whether the answers to other questions decide who is asked."""
        return bool(self.draft.get("asked_if"))

    @property
    def forms(self) -> tuple[PlannedForm, ...]:
        """Return the forms that ask the question; none if everyone is asked."""
        return tuple(each.form for each in self.asked if each.form)

    @property
    def places(self) -> list[int]:
        return [form.place for form in self.forms]

    @property
    def several(self) -> bool:
        """Return whether several draws ask it."""
        return len(self.asked) > 1

    @property
    def joint(self) -> PlannedDraw | None:
        """Return the question's joint draw, if that is its only draw."""
        return self.asked[0].draw if len(self.asked) == 1 and self.asked[0].draw.joint else None

    @cached_property
    def in_each_form(self) -> list["StudioQuestion"]:
        """Return the question as each of its forms asks it."""
        return [self.within(each) for each in self.asked] if self.several else [self]

    def within(self, placed: PlacedDraw) -> "StudioQuestion":
        """Return the question as if this draw alone asked it."""
        if self.frozen:
            part = placed.draw.drawn
            assert part
            return replace(self, draft=dict(part.alone(part.keys.index(self.key))), asked=(placed,))
        if placed.draw.joint:
            return replace(self, draft=without(self.draft, OWN), asked=(placed,))
        return replace(self, draft=forms.alone(self.draft, placed.draw.draft, self._draws), asked=(placed,))

    def in_form(self, place: int | None) -> "StudioQuestion | None":
        """Return the question as form `place` (from 1) asks it, or as everyone is asked it (None). Return None if it is
        not asked there."""
        own = [each for each in self.in_each_form if each.places == ([] if place is None else [place])]
        return own[0] if own else None

    @property
    def _draws(self) -> list[Unchecked]:
        return [each.draw.draft for each in self.asked]

    @property
    def without_form(self) -> "StudioQuestion":
        """Return the question as if everyone was asked it by itself. It has no alpha if several draws, or a joint one,
        set its alpha."""
        return replace(self, asked=())

    @property
    def share(self) -> Fraction:
        """Return the part of the people who draw a form with the question."""
        return sum((each.share for each in self.asked), Fraction(0)) if self.asked else Fraction(1)

    @property
    def part(self) -> float:
        return float(self.share)

    def people(self, n: int) -> int:
        """Return how many of n people are asked the question, at least one."""
        return max(1, round(n * self.part)) if self.forms else n

    # Its figures

    def half_width(self, n: int, watched: bool = False) -> float:
        """Return the planned half-width of a built question if n people take part. It pools all forms and is only about
        those who are asked, as `watched` results know them (M34f)."""
        assert self.built
        whom = self.watched if watched else self.whom
        return thirds.built_half_width(self.built, n * self.part, target=self.target, whom=whom)

    @cached_property
    def whom(self) -> Reach | None:
        """Return the people whom the results are about; None for everyone, or if a rule is invalid."""
        return self._reach(False)

    @cached_property
    def watched(self) -> Reach | None:
        """Return the same if results may decide when the survey ends."""
        return self._reach(True)

    def _reach(self, watched: bool) -> Reach | None:
        if not self.routed or not self.built:
            return None
        deciding, left = {self.key: self}, [self]
        while left:  # only built questions are followed
            question = left.pop()
            for rule in condition(question.draft).rules:
                before = self.survey.get(rule["question"])
                if not before or not before._may_decide(question, rule):
                    return None
                left += [before] if before.key not in deciding else []
                deciding[before.key] = before
        every = sorted(deciding.values(), key=lambda each: each.place)
        built = [each._in_form(each.built) for each in every if each.built]
        return routed.reach_of(built, {each.key: each.part for each in every}, self.key, self.target, watched)

    def _may_decide(self, later: "StudioQuestion", rule: Rule) -> bool:
        """Return whether this question comes earlier and has the answers that the rule names."""
        options = self.built.get("options", ()) if self.built else ()
        return self.place < later.place and max(rule["options"], default=len(options)) < len(options)

    def _in_form(self, built: Drawn) -> Drawn:
        """Return the built question with the form that asks it, as in a definition."""
        return {**built, "form": self.places[0] - 1} if self.forms and "asked" not in built else built

    @property
    def among(self) -> str:
        """Return words for the people whom the results are about; "" for everyone."""
        return planned_among(self.whom.part if self.whom else None)

    def about(self, target: Target) -> "StudioQuestion":
        """Return the question with results about this target."""
        return replace(self, target=target)

    def people_needed(self, half_width: float, watched: bool = False) -> int | None:
        """Return the number of participants that keeps all intervals of a built question within the half-width, as
        `watched` results know who is asked; None if it is impossibly large."""
        assert self.built
        whom = self.watched if watched else self.whom
        return thirds.built_people(self.built, half_width, self.part, self.target, whom)

    @cached_property
    def alphas(self) -> list[str]:
        """Return the stored alphas of its draws, or its own; "" for a missing or invalid one."""
        if self.several or self.joint:
            return [each.draw.alpha for each in self.asked]
        alpha = as_text(self.draft.get("alpha"))
        return [alpha if isinstance(alpha, str) and is_alpha(alpha) else ""]

    @property
    def decided(self) -> bool:
        """Return whether all its alphas are set."""
        return all(self.alphas)

    @property
    def alpha(self) -> str:
        """Return its alpha if all its draws have the same, else ""."""
        return self.alphas[0] if len(set(self.alphas)) == 1 else ""

    @cached_property
    def built(self) -> Drawn | None:
        """Return the question with its draw, or its draws in several forms; None if it cannot be built."""
        return self._read[0]

    @cached_property
    def plan(self) -> PlannedQuestion | None:
        """Return the question for planning, with the designer's mechanism."""
        return planned_question(self.built, self.draft.get("mechanism")) if self.built else None

    @property
    def lacks(self) -> tuple[RuleBreach, ...]:
        """Return the rules that keep the question from being built."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[Drawn | None, tuple[RuleBreach, ...]]:
        if self.beyond:
            return None, self.beyond
        if self.frozen:
            return cast(Drawn, self.draft), ()
        if self.several:
            lacks = dict.fromkeys(rule for each in self.in_each_form for rule in each.lacks)
            return (None, tuple(lacks)) if lacks else (self._pooled, ())
        try:
            if self.joint:
                build_cache.build_content(self.draft, "")
                together = self.joint.together
                return together.alone(together.keys.index(self.key)) if together else None, ()
            return build_cache.build(self.draft, ""), ()
        except DraftRefused as refused:
            return None, tuple(refused.refusals)

    @property
    def _alone(self) -> Part | None:
        """Return the draw of a question that is drawn by itself."""
        return Part((self.content,), _draw(self.built)) if self.content and self.built else None

    @property
    def _pooled(self) -> Drawn | None:
        """Return the question pooled over its forms; None if a form is incomplete."""
        forms: list[Form] = [{"weight": 1, "draws": []} for _ in range(max(self.places))]
        members: dict[str, BuiltQuestion] = {}
        for each in self.in_each_form:
            [placed] = each.asked
            part = placed.draw.together if placed.draw.joint else each._alone
            if part is None or placed.form is None:
                return None
            forms[placed.form.place - 1] = {"weight": placed.form.weight, "draws": [part.draw]}
            members |= {question["key"]: question for question in part.questions}
        fragment: ReportDefinition = {"questions": [*members.values()], "draws": [], "forms": forms}
        return next(question for question in report.alone(fragment) if question["key"] == self.key)

    @cached_property
    def content(self) -> BuiltQuestion | None:
        """Return the question without its randomization; None if it is incomplete."""
        if self.frozen:
            return cast(BuiltQuestion, self.draft)
        try:
            return build_cache.build_content(without(self.draft, OWN), "")
        except DraftRefused:
            return None

    def changed(self, **fields: str | int) -> "StudioQuestion":
        """Return the question with other values of FIELDS; empty values are removed. In a joint draw only the alpha
        changes."""
        if self.joint:
            draw = replace(self.joint, draft={**self.joint.draft, "alpha": fields["alpha"]})
            return replace(self, asked=(self.asked[0]._replace(draw=draw),))
        kept = {name: value for name, value in self.draft.items() if name not in fields}
        draft = kept | {name: value for name, value in fields.items() if value}
        return replace(self, draft=draft)

    def settings(self) -> dict[str, str | int]:
        """Return the question's values of FIELDS."""
        if self.joint:
            return {"alpha": self.joint.draft["alpha"]} if "alpha" in self.joint.draft else {}
        return {name: self.draft[name] for name in FIELDS if name in self.draft}

    @cached_property
    def variant(self) -> "StudioQuestion":
        """Return the question, with an initial alpha if it has none."""
        return self if self.decided else self.changed(alpha=FIRST_ALPHA)


@lru_cache(maxsize=4096)
def is_alpha(text: str) -> bool:
    try:
        return bool(parse_alpha(text))
    except ValueError:
        return False


def _draw(question: Drawn) -> Draw:
    own = {name: question[name] for name in forms.RANDOMIZED if name in question}  # type: ignore[literal-required]
    return cast(Draw, own | {"questions": [question["key"]]})
