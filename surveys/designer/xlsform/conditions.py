"""Conditions of a form's rows (`relevant`) on answers to questions with options: a small part of XPath.

A condition is read into a tree. The answers that fulfil it are derived without trying all.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

LONGEST, DEEPEST = 10_000, 20
_NUMBER = r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?"
_TOKEN = re.compile(
    r"\s*(?:\$\{(?P<question>[^}\s]+)\}|'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
    rf"|(?P<number>{_NUMBER})(?![\w.-])|(?P<word>or|and|not|selected)(?![\w.-])|(?P<sign>!=|=|\(|\)|,))\s*",
    re.ASCII,
)


class Unsaid(ValueError):
    """The condition cannot be expressed as answers to one question with options."""


class Is(NamedTuple):
    """`${question} = 'code'`, or selected(${question}, 'code')."""

    question: str
    code: str
    among: bool = False  # from selected(): one of several answers
    number: bool = False  # the code was written without quotes


class Not(NamedTuple):
    part: "Condition"


class Either(NamedTuple):
    parts: "tuple[Condition, ...]"


class Both(NamedTuple):
    parts: "tuple[Condition, ...]"


Condition = Is | Not | Either | Both


def read(expression: str) -> Condition:
    """Return the condition. Raise Unsaid for any other expression."""
    if len(expression) > LONGEST:
        raise Unsaid
    return _Reader(list(_tokens(expression))).condition()


def questions(condition: Condition) -> set[str]:
    """Return the names of the questions in the condition."""
    if isinstance(condition, Is):
        return {condition.question}
    parts = (condition.part,) if isinstance(condition, Not) else condition.parts
    return set().union(*map(questions, parts))


def answers(condition: Condition, codes: set[str]) -> set[str]:
    """Return the codes of a single choice that fulfil the condition. The code "" means no answer."""
    if isinstance(condition, Is):
        return codes & {condition.code} if not condition.number else _equal(Decimal(condition.code), codes)
    if isinstance(condition, Not):
        return codes - answers(condition.part, codes)
    sets = [answers(part, codes) for part in condition.parts]
    return set.union(*sets) if isinstance(condition, Either) else set.intersection(*sets)


def option_codes(condition: Condition) -> set[str]:
    """Return the codes of a multiple choice of which any one suffices. Raise Unsaid for any other condition."""
    if isinstance(condition, Is) and condition.among:
        return {condition.code}
    if isinstance(condition, Either):
        return set().union(*map(option_codes, condition.parts))
    raise Unsaid


def _equal(number: Decimal, codes: set[str]) -> set[str]:
    """Return the codes equal to a number. XPath compares them as numbers."""
    return {code for code in codes if re.fullmatch(_NUMBER, code.strip(), re.ASCII) and Decimal(code) == number}


# Reading --------------------------------------------------------------------------------------------------------------


class ConditionToken(NamedTuple):
    kind: str
    text: str


def _tokens(expression: str) -> Iterator[ConditionToken]:
    place = 0
    while place < len(expression):
        match = _TOKEN.match(expression, place)
        if match is None or match.lastgroup is None:
            raise Unsaid
        kind = match.lastgroup
        yield ConditionToken("text" if kind in ("single", "double") else kind, match[kind])
        place = match.end()


class _Reader:
    """Read tokens by the grammar of XPath, where `and` binds more tightly than `or`."""

    def __init__(self, tokens: list[ConditionToken]) -> None:
        self._tokens, self._place, self._depth = tokens, 0, 0

    def condition(self) -> Condition:
        read = self._either()
        if self._place < len(self._tokens):
            raise Unsaid
        return read

    def _either(self) -> Condition:
        parts = [self._both()]
        while self._accept(ConditionToken("word", "or")):
            parts.append(self._both())
        return Either(tuple(parts)) if len(parts) > 1 else parts[0]

    def _both(self) -> Condition:
        parts = [self._simple()]
        while self._accept(ConditionToken("word", "and")):
            parts.append(self._simple())
        return Both(tuple(parts)) if len(parts) > 1 else parts[0]

    def _simple(self) -> Condition:
        if self._accept(ConditionToken("word", "not")):
            self._needed(ConditionToken("sign", "("))
            return Not(self._within())
        if self._accept(ConditionToken("sign", "(")):
            return self._within()
        if self._accept(ConditionToken("word", "selected")):
            return self._selected()
        return self._comparison()

    def _within(self) -> Condition:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unsaid
        read = self._either()
        self._needed(ConditionToken("sign", ")"))
        self._depth -= 1
        return read

    def _selected(self) -> Condition:
        self._needed(ConditionToken("sign", "("))
        question = self._next("question")
        self._needed(ConditionToken("sign", ","))
        code = self._next("text")
        self._needed(ConditionToken("sign", ")"))
        if not code.text or re.search(r"\s", code.text):  # it would name several options, or none
            raise Unsaid
        return Is(question.text, code.text, among=True)

    def _comparison(self) -> Condition:
        left = self._next("question", "text", "number")
        is_equal = self._accept(ConditionToken("sign", "="))
        if not is_equal:
            self._needed(ConditionToken("sign", "!="))
        right = self._next("question", "text", "number")
        question, code = (left, right) if left.kind == "question" else (right, left)
        if question.kind != "question" or code.kind == "question":
            raise Unsaid
        made = Is(question.text, code.text, number=code.kind == "number")
        return made if is_equal else Not(made)

    def _next(self, *kinds: str) -> ConditionToken:
        if self._place >= len(self._tokens) or self._tokens[self._place].kind not in kinds:
            raise Unsaid
        self._place += 1
        return self._tokens[self._place - 1]

    def _accept(self, token: ConditionToken) -> bool:
        matches = self._tokens[self._place : self._place + 1] == [token]
        self._place += matches
        return matches

    def _needed(self, token: ConditionToken) -> None:
        if not self._accept(token):
            raise Unsaid
