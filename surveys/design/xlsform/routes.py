"""Whom a form's questions are asked: conditions that answers to one earlier question decide become `asked_if`.

No form says which answer counts for people who are not asked. It stays open, as in the builder, until the designer has
chosen.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from surveys.design.xlsform import conditions
from surveys.design.xlsform.conditions import Both, Condition, Unsaid
from surveys.design.xlsform.remarks import Group, Remarks
from surveys.design.xlsform.rows import Row
from surveys.rules.unchecked import Question

CHARACTERS_MAX = 500_000  # of all conditions together: reading them takes two seconds

_OPEN = _(
    "Questions asked only after certain answers. In the builder, check whom each is asked, and choose as which answer "
    "everybody else counts: until then the survey cannot be opened."
)
_LEFT_OUT = _(
    "Conditions that cannot be expressed here (relevant). One earlier question with options can decide, by "
    "some of its answers. These rows are asked, or shown, without their condition."
)


class Rule(NamedTuple):
    """One of these answers to a question decides; `options` are positions."""

    question: str
    options: frozenset[int]

    def fields(self) -> Question:
        return {"asked_if": {"question": self.question, "options": sorted(self.options)}}


class Deciding(NamedTuple):
    """A question whose answers can decide: the codes of each of its options, by position."""

    key: str
    is_multiple: bool
    codes: list[list[str]]

    def positions(self, codes: set[str]) -> frozenset[int]:
        """The positions of the options with these codes; Unsaid where an option has other codes too."""
        places = [{code in codes for code in each} for each in self.codes]
        if {True, False} in places:
            raise Unsaid
        return frozenset(i for i, each in enumerate(places) if True in each)


class Routes:
    """Follows the rows in their order. A name in a condition is that of one row: pyxform sees to it."""

    def __init__(self, remarks: Remarks) -> None:
        self._remarks = remarks
        self._deciding: dict[str, Deciding] = {}
        self._multiple: set[str] = set()  # keys
        self._rules: dict[str, Rule] = {}  # by the key of the question that is asked
        self._around: list[Rule | None] = [None]
        self._room = CHARACTERS_MAX

    def decide(self, name: str, deciding: Deciding) -> None:
        """From now on the question of this row can decide."""
        self._deciding[name] = deciding
        if deciding.is_multiple:
            self._multiple.add(deciding.key)

    @contextmanager
    def group(self, row: Row) -> Iterator[None]:
        """What is asked within is asked only where the group is. Texts without a question are shown."""
        rule, before = self._narrowed(row), len(self._rules)
        self._around.append(rule)
        yield
        self._around.pop()
        if rule is not None and len(self._rules) == before:
            self.leave_out(row)

    def of(self, row: Row, key: str) -> Question:
        """The fields of this row's question."""
        rule = self._narrowed(row)
        if rule is None:
            return {}
        self._rules[key] = rule
        self._remarks.add(Group.CHOOSE, _OPEN, row["name"])
        return rule.fields()

    def leave_out(self, row: Row) -> None:
        """Remark on the condition of a row that is no question."""
        if expression := row.get("bind", {}).get("relevant"):
            self._remarks.add(Group.LEFT_OUT, _LEFT_OUT, f"{row['name']}: {' '.join(expression.split())}")

    # Rules ------------------------------------------------------------------------------------------------------------

    def _narrowed(self, row: Row) -> Rule | None:
        """The rule of the groups around, and that of the row itself as far as both can be said."""
        around, expression = self._around[-1], row.get("bind", {}).get("relevant")
        if not expression:
            return around
        try:
            rule = self._rule(self._read(expression))
            if rule is None:  # whoever answers at all is asked, and that is everybody
                raise Unsaid
            return self._together(around, rule)
        except Unsaid:
            self.leave_out(row)
            return around

    def _read(self, expression: str) -> Condition:
        if len(expression) > self._room:
            raise Unsaid
        self._room -= len(expression)
        return conditions.read(expression)

    def _rule(self, condition: Condition) -> Rule | None:
        """None where everybody is asked."""
        by_name: dict[str, list[Condition]] = {}
        for part in condition.parts if isinstance(condition, Both) else (condition,):
            names = conditions.questions(part)
            if len(names) != 1:
                raise Unsaid
            by_name.setdefault(names.pop(), []).append(part)
        rule: Rule | None = None
        for name, parts in by_name.items():
            rule = self._together(rule, self._about(name, Both(tuple(parts)) if len(parts) > 1 else parts[0]))
        return rule

    def _about(self, name: str, condition: Condition) -> Rule | None:
        if name not in self._deciding:
            raise Unsaid
        deciding = self._deciding[name]
        if deciding.is_multiple:
            places = deciding.positions(conditions.option_codes(condition))
        else:
            places = self._one_of(deciding, condition)
        if not places:
            raise Unsaid
        is_any = len(places) == len(deciding.codes) and not deciding.is_multiple
        return self._rules.get(deciding.key) if is_any else Rule(deciding.key, places)

    def _one_of(self, deciding: Deciding, condition: Condition) -> frozenset[int]:
        """A form asks on without an answer too, where its condition is so. Here whoever was not asked one question is
        not asked another that depends on it."""
        codes = {code for each in deciding.codes for code in each}
        matching = conditions.answers(condition, codes | {""})
        if "" in codes or ("" in matching and deciding.key in self._rules):
            raise Unsaid
        return deciding.positions(matching)

    def _together(self, one: Rule | None, other: Rule | None) -> Rule | None:
        """Both rules as one; Unsaid where two questions decide."""
        if one is None or other is None:
            return one or other
        if one.question == other.question:
            return self._same(one, other)
        if self._implies(other, one):
            return other
        if self._implies(one, other):
            return one
        raise Unsaid

    def _same(self, one: Rule, other: Rule) -> Rule:
        both = one.options & other.options
        # Of several answers, one may be among the first options and another among the second.
        is_narrower = one.question not in self._multiple or both in (one.options, other.options)
        if not both or not is_narrower:
            raise Unsaid
        return Rule(one.question, both)

    def _implies(self, narrow: Rule, wide: Rule) -> bool:
        """Whether whoever is asked the question that decides in one rule is asked by the other rule."""
        around = self._rules.get(narrow.question)
        while around and not (around.question == wide.question and around.options <= wide.options):
            around = self._rules.get(around.question)
        return around is not None
