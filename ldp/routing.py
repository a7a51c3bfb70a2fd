"""Questions that are asked only after certain answers (M34): the twin of the browser's routing.js.

`asked_if` is one rule, {"question": key, "options": positions}, or {"all": rules} or {"any": rules} of different
questions. A rule holds if its question was asked and its options include the answer, or one of a multiple choice's
answers. A rule about an unasked question does not hold. For an unasked question the browser randomizes the kind's
filler like any answer, so reports do not show who was asked.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from ldp import kinds
from ldp.question import Answers, Question, Rule


class Condition(NamedTuple):
    """The rules by which a question is asked, and whether all or any must hold. No rules: everyone is asked."""

    rules: Sequence[Rule] = ()
    joined: Callable[[Iterable[object]], bool] = all


def condition(question: Mapping[str, Any]) -> Condition:
    if "asked_if" not in question:
        return Condition()
    given = question["asked_if"]
    if "any" in given:
        return Condition(given["any"], any)
    if "all" in given:
        return Condition(given["all"])
    return Condition([given])


def applicable(questions: Iterable[Question], answers: Answers) -> set[str]:
    """Return the keys of the questions that a person with these answers is asked. Answers to other questions are
    ignored."""
    keys: set[str] = set()
    for question in questions:
        rules, joined = condition(question)
        if joined(rule["question"] in keys and _applies(answers.get(rule["question"]), rule) for rule in rules):
            keys.add(question["key"])
    return keys


def filled(questions: Iterable[Question], answers: Answers) -> Answers:
    """Return the answers to randomize: the person's to the questions asked, fillers to the others. An asked question
    without an answer is left out."""
    each = list(questions)
    whole = applicable(each, answers)
    given = {key: answers[key] for key in whole if key in answers}
    return given | {one["key"]: kinds.of(one).filler(one) for one in each if one["key"] not in whole}


def leads_on(question: Question, options: Sequence[int]) -> bool:
    """Return whether the options include the question's filler. If so, people who were not asked this question count as
    giving an answer that leads on."""
    filler = kinds.of(question).filler(question)
    return any(filler[option] for option in options) if isinstance(filler, list) else filler in options


def alike(questions: Iterable[Mapping[str, Any]], others: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the keys of the questions that both questionnaires ask of the same people with the same filler. The rules
    must be the same. Their deciding questions must have the same kind and options, and be alike themselves."""
    by_key, keys = {each["key"]: each for each in others}, set[str]()
    deciding = dict[str, Mapping[str, Any]]()
    for own in questions:
        other, before = by_key.get(own["key"]), [rule["question"] for rule in condition(own).rules]
        if (
            other is not None
            and _whom(own) == _whom(other)
            and keys.issuperset(before)
            and all(deciding[key].get(name) == by_key[key].get(name) for key in before for name in ("kind", "options"))
        ):
            keys.add(own["key"])
        deciding[own["key"]] = own
    return keys


def _whom(question: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the joining, the rules in an order independent of the definition's, and the filler."""
    rules, joined = condition(question)
    filler = kinds.of(cast(Question, question)).filler(cast(Question, question)) if rules else None
    return joined, sorted(rules, key=lambda rule: rule["question"]), filler


def _applies(answer: Any, rule: Rule) -> bool:
    if isinstance(answer, list):
        return any(answer[option] for option in rule["options"])
    return answer in rule["options"]


# Answers of the people who are asked --------------------------------------------------------------------------------

Answered = Mapping[str, frozenset[int]]  # by question key: the answer is one of these options


def needed(whom: Condition, known: Mapping[str, Answered], several: Collection[str]) -> Answered | None:
    """Return the options that everyone who is asked must have chosen, by question; None if the rules exclude each
    other, so that no one is asked. `known` has these options for the people who are asked each deciding question.
    `several` has the keys of questions with several answers, which exclude nothing. Options that only a trial of all
    ways of `any` would exclude remain."""
    ways = [{**known[rule["question"]], rule["question"]: frozenset(rule["options"])} for rule in whom.rules]
    if whom.joined is any:
        return {key: frozenset[int]().union(*(way[key] for way in ways)) for key in set(ways[0]).intersection(*ways)}
    merged: dict[str, frozenset[int]] = {}
    for key, options in (answered for way in ways for answered in way.items()):
        before = merged.get(key, options)
        merged[key] = min(before, options, key=len) if key in several else before & options
    return merged if all(merged.values()) else None
