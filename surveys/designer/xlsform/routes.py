"""Conditions on answers to earlier questions become `asked_if`.

No form tells which answer counts for people who are not asked. A single deciding rule needs none. Otherwise it stays
open, as in the builder, until the designer chooses."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import reduce
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from ldp.question import RULES_MAX, Rule
from ldp.routing import Answered, Condition, needed
from surveys.designer.xlsform import conditions
from surveys.designer.xlsform.conditions import Both, Either, Unsaid
from surveys.designer.xlsform.conditions import Condition as Expression
from surveys.designer.xlsform.remarks import RemarkGroup, Remarks
from surveys.designer.xlsform.rows import XlsformRow
from surveys.rules.unchecked import Built

CHARACTERS_MAX = 500_000  # characters of all conditions; reading these takes two seconds

_OPEN = _("Questions asked only after certain answers. In the builder, check whom each is asked.")
_LEFT_OUT = _(
    "Conditions that cannot be expressed here (relevant). Up to five earlier questions with options can decide, by "
    "some answers to each, all of them or any. These rows are asked, or shown, without their condition."
)


class Deciding(NamedTuple):
    """A question whose answers can decide. `codes` has each option's codes, by position."""

    key: str
    is_multiple: bool
    codes: list[list[str]]

    def positions(self, codes: set[str]) -> frozenset[int]:
        """Return the positions of the options with these codes. Raise Unsaid if an option has other codes too."""
        places = [{code in codes for code in each} for each in self.codes]
        if {True, False} in places:
            raise Unsaid
        return frozenset(i for i, each in enumerate(places) if True in each)


class Routes:
    """Read conditions in the order of rows. A name in a condition names one row; pyxform ensures that."""

    def __init__(self, remarks: Remarks) -> None:
        self._remarks = remarks
        self._deciding: dict[str, Deciding] = {}
        self._multiple: set[str] = set()  # keys
        self._rules: dict[str, Condition] = {}  # by the key of the question with the condition
        self._answered: dict[str, Answered] = {}  # by the same key: the answers of everyone who is asked it
        self._around = [Condition()]
        self._room = CHARACTERS_MAX

    def decide(self, name: str, deciding: Deciding) -> None:
        """Let this row's question decide in later conditions."""
        self._deciding[name] = deciding
        self._answered.setdefault(deciding.key, {})
        if deciding.is_multiple:
            self._multiple.add(deciding.key)

    @contextmanager
    def group(self, row: XlsformRow) -> Iterator[None]:
        """Apply the group's condition to the rows within. Its texts are shown to everyone."""
        whom, before = self._narrowed(row), len(self._rules)
        self._around.append(whom)
        yield
        self._around.pop()
        if whom.rules and len(self._rules) == before:
            self.leave_out(row)

    def of(self, row: XlsformRow, key: str) -> Built:
        """Return the fields of this row's question."""
        whom = self._narrowed(row)
        if not whom.rules:
            return {}
        self._rules[key], self._answered[key] = whom, self._needed(whom)
        self._remarks.add(RemarkGroup.CHOOSE, _OPEN, row["name"])
        return {"asked_if": whom.rules[0] if len(whom.rules) == 1 else {whom.joined.__name__: list(whom.rules)}}

    def leave_out(self, row: XlsformRow) -> None:
        """Remark on the condition of a row that becomes no question."""
        if expression := row.get("bind", {}).get("relevant"):
            self._remarks.add(RemarkGroup.LEFT_OUT, _LEFT_OUT, f"{row['name']}: {' '.join(expression.split())}")

    # Rules ------------------------------------------------------------------------------------------------------------

    def _narrowed(self, row: XlsformRow) -> Condition:
        """Return the rules of the surrounding groups with the row's own, as far as they can be expressed."""
        around, expression = self._around[-1], row.get("bind", {}).get("relevant")
        if not expression:
            return around
        try:
            own = self._condition(self._read(expression))
            if not own.rules:  # all who answer are asked, so everyone is
                raise Unsaid
            return self._both(around, own)
        except Unsaid:
            self.leave_out(row)
            return around

    def _read(self, expression: str) -> Expression:
        if len(expression) > self._room:
            raise Unsaid
        self._room -= len(expression)
        return conditions.read(expression)

    def _condition(self, expression: Expression) -> Condition:
        """Return an expression's rules; none if everyone is asked. Parts on one question are read together."""
        names = conditions.questions(expression)
        if len(names) == 1:
            return self._about(names.pop(), expression)
        if not isinstance(expression, Both | Either):
            raise Unsaid
        kind = type(expression)
        by_name: dict[object, list[Expression]] = {}
        for place, part in enumerate(expression.parts):
            about = conditions.questions(part)
            by_name.setdefault(about.pop() if len(about) == 1 else place, []).append(part)
        pieces = (self._condition(kind(tuple(parts)) if len(parts) > 1 else parts[0]) for parts in by_name.values())
        return reduce(self._both if kind is Both else self._either, pieces)

    def _about(self, name: str, expression: Expression) -> Condition:
        if name not in self._deciding:
            raise Unsaid
        deciding = self._deciding[name]
        if deciding.is_multiple:
            places = deciding.positions(conditions.option_codes(expression))
        else:
            places = self._options_of(deciding, expression)
        if not places:
            raise Unsaid
        if len(places) == len(deciding.codes) and not deciding.is_multiple:
            return self._rules.get(deciding.key, Condition())
        return Condition([{"question": deciding.key, "options": sorted(places)}])

    def _options_of(self, deciding: Deciding, expression: Expression) -> frozenset[int]:
        """Return the positions of the deciding options. Raise Unsaid for a condition that people without an answer
        fulfil, if not everyone is asked the deciding question."""
        codes = {code for each in deciding.codes for code in each}
        matching = conditions.answers(expression, codes | {""})
        if "" in codes or ("" in matching and deciding.key in self._rules):
            raise Unsaid
        return deciding.positions(matching)

    def _both(self, one: Condition, other: Condition) -> Condition:
        """Return the condition that holds if both do. Raise Unsaid if no list of required rules expresses it."""
        if not one.rules or not other.rules or one == other:
            return one if one.rules else other
        for narrow, wide in ((one, other), (other, one)):
            if self._implies(narrow, wide):
                return narrow
        if any in (one.joined, other.joined):
            raise Unsaid
        merged: dict[str, Rule] = {}
        for rule in (*one.rules, *other.rules):
            before = merged.get(rule["question"], rule)
            merged[rule["question"]] = self._same(before, rule)
        rules = [rule for rule in merged.values() if not self._is_implied(rule, merged.values())]
        return self._sound(Condition(rules))

    def _either(self, one: Condition, other: Condition) -> Condition:
        """Return the condition that holds if one or the other does. Raise Unsaid if no list of alternative rules
        expresses it."""
        for narrow, wide in ((one, other), (other, one)):
            if self._implies(narrow, wide):
                return wide
        if any(len(each.rules) != 1 and each.joined is all for each in (one, other)):
            raise Unsaid
        keys = [rule["question"] for rule in (*one.rules, *other.rules)]
        if len(set(keys)) < len(keys):  # a condition has one rule per question
            raise Unsaid
        return self._sound(Condition([*one.rules, *other.rules], any))

    def _sound(self, whom: Condition) -> Condition:
        self._needed(whom)
        if len(whom.rules) > RULES_MAX:
            raise Unsaid
        return whom

    def _needed(self, whom: Condition) -> Answered:
        answered = needed(whom, self._answered, self._multiple)
        if answered is None:
            raise Unsaid
        return answered

    def _same(self, one: Rule, other: Rule) -> Rule:
        both = sorted(set(one["options"]) & set(other["options"]))
        # Several answers may fulfil both rules by different options.
        is_narrower = one["question"] not in self._multiple or both in (one["options"], other["options"])
        if not both or not is_narrower:
            raise Unsaid
        return {"question": one["question"], "options": both}

    def _is_implied(self, rule: Rule, others: Iterable[Rule]) -> bool:
        """Return whether everyone who is asked one of the other questions fulfils this rule."""
        return any(_within(self._answered[other["question"]], rule) for other in others)

    def _implies(self, narrow: Condition, wide: Condition) -> bool:
        """Return whether one condition plainly implies the other."""
        answered = self._needed(narrow)
        return bool(wide.rules) and wide.joined(_within(answered, rule) for rule in wide.rules)


def _within(answered: Answered, rule: Rule) -> bool:
    return answered.get(rule["question"], frozenset([-1])) <= set(rule["options"])
