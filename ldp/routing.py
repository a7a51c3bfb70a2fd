"""Questions that are asked only for some answers (M34): the twin of the browser's routing.js.

`asked_if` is one rule, {"question": key, "options": positions}, or {"all": rules} or {"any": rules} of different
questions. A rule holds where its question was asked and the answer is among its options; of a multiple choice, where
any of them applies. So a rule about a question that was not asked does not hold, and only one that does is a reason to
ask. Whoever is not asked counts as the question's `filler`, which is randomized like any answer. So a report tells as
much, and as little, of everybody.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ldp import kinds
from ldp.question import Answers, Question, Rule


class Condition(NamedTuple):
    """The rules by which a question is asked, and whether all or any must hold: all of none where everybody is."""

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
    """The keys of the questions that somebody with these answers is asked. An answer to any other does not count."""
    keys: set[str] = set()
    for question in questions:
        rules, joined = condition(question)
        if joined(rule["question"] in keys and _applies(answers.get(rule["question"]), rule) for rule in rules):
            keys.add(question["key"])
    return keys


def filled(questions: Iterable[Question], answers: Answers) -> Answers:
    """The answers that are randomized: those given to what was asked, and fillers. A question that was asked and not
    answered is missing. ValueError where a filler is no answer to its question."""
    each = list(questions)
    whole = applicable(each, answers)
    given = {key: answers[key] for key in whole if key in answers}
    return given | {one["key"]: kinds.of(one).filler(one) for one in each if one["key"] not in whole}


def alike(questions: Iterable[Mapping[str, Any]], others: Iterable[Mapping[str, Any]]) -> set[str]:
    """The keys of the questions that both questionnaires ask of the same people, as far as answers decide that, with
    the same filler: the same questions decide by the same of the same options, each of them alike."""
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
    """Who is asked, in whatever order the rules stand, and the filler."""
    rules, joined = condition(question)
    return joined, sorted(rules, key=lambda rule: rule["question"]), question.get("filler")


def _applies(answer: Any, rule: Rule) -> bool:
    if isinstance(answer, list):
        return any(answer[option] for option in rule["options"])
    return answer in rule["options"]


# What whoever is asked has answered -----------------------------------------------------------------------------------

Answered = Mapping[str, frozenset[int]]  # by the key of a question: one of these options


def needed(whom: Condition, known: Mapping[str, Answered], several: Collection[str]) -> Answered | None:
    """What everybody has answered who is asked, where `known` says it of the questions that decide; None where rules
    that must all hold exclude each other, so that nobody is asked. `several` are the keys of questions to which one may
    give several answers, of which none excludes another. What only trying out all ways of `any` would exclude stays."""
    ways = [{**known[rule["question"]], rule["question"]: frozenset(rule["options"])} for rule in whom.rules]
    if whom.joined is any:
        return {key: frozenset[int]().union(*(way[key] for way in ways)) for key in set(ways[0]).intersection(*ways)}
    merged: dict[str, frozenset[int]] = {}
    for key, options in (answered for way in ways for answered in way.items()):
        before = merged.get(key, options)
        merged[key] = min(before, options, key=len) if key in several else before & options
    return merged if all(merged.values()) else None
