"""Questions with conditions. `asked_if` names earlier questions and some of their options (M34, ldp/routing.py). The
page has the same rules (routing.js)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from django.utils.translation import gettext_noop as _

from ldp.question import RULES_MAX, RULES_MIN, Rule
from ldp.question import Question as BuiltQuestion
from ldp.routing import Answered, condition, needed
from surveys.rules.refusals import DraftRefused, Refusals, RuleBreach, broken, known_fields, refuse
from surveys.rules.shapes import exactly, must
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds import KINDS, of

FIELD = "asked_if"
RULE = {"question", "options"}
JOINS = {"all", "any"}
# Answers to questions of these kinds can decide whether another question is asked.
DECIDING = tuple(name for name, kind in KINDS.items() if kind.decides)


def fields(question: Unchecked) -> set[str]:
    return {FIELD} & question.keys()


def placed(question: Mapping[str, Any]) -> Iterator[tuple[str, Rule]]:
    """Yield the rules of a question's condition with their paths. Malformed rules of a draft are left out."""
    given = question.get("asked_if")
    if not isinstance(given, dict):
        return
    rules, joined = condition(question)
    for k, rule in enumerate(rules if isinstance(rules, list) else ()):
        if isinstance(rule, dict) and isinstance(rule.get("question"), str):
            yield ("asked_if" if rule is given else f"asked_if.{joined.__name__}[{k}]"), cast(Rule, rule)


def in_order(question: BuiltQuestion, keys: Sequence[str]) -> BuiltQuestion:
    """Return the question with its rules in the order of the survey's questions, `keys`."""
    rules, joined = condition(question)
    if len(rules) < RULES_MIN:
        return question
    places = {key: place for place, key in enumerate(keys)}
    ordered = sorted(rules, key=lambda rule: places.get(rule["question"], len(places)))
    return cast(BuiltQuestion, question | {"asked_if": {joined.__name__: ordered}})


# Drafts ---------------------------------------------------------------------------------------------------------------


def build(draft: Unchecked, where: str, refusals: Refusals) -> Built:
    """Return the condition as the definition holds it."""
    if FIELD not in draft:
        return {}
    return {FIELD: refusals.attempt(_condition, draft[FIELD], f"{where}.{FIELD}")}


def _condition(given: object, where: str) -> Built:
    """Return one rule, or several under "all" or "any"."""
    name = next(iter(sorted(JOINS & given.keys())), None) if isinstance(given, dict) else None
    if name is None or not isinstance(given, dict):
        return _rule(given, where)
    known_fields(given, where, {name}, {name})
    rules, refusals = given[name], Refusals()
    if not isinstance(rules, list) or not RULES_MIN <= len(rules) <= RULES_MAX:
        text = _("must be a list of %(least)s to %(most)s objects with question and options")
        raise refuse(f"{where}.{name}", "condition_count", text, least=RULES_MIN, most=RULES_MAX)
    built = [refusals.attempt(_rule, rule, f"{where}.{name}[{k}]") for k, rule in enumerate(rules)]
    refusals.check()
    if len({rule["question"] for rule in built if rule}) < len(built):
        raise refuse(f"{where}.{name}", "condition_twice", _("must be about different questions"))
    return {name: built}


def _rule(rule: object, where: str) -> Built:
    if not isinstance(rule, dict):
        text = _("must be an object with question and options, or with all or any of several such objects")
        raise refuse(where, "condition_form", text)
    known_fields(rule, where, RULE, RULE)
    options, refusals = rule["options"], Refusals()
    if not isinstance(rule["question"], str):
        refusals.refused.append(broken(f"{where}.question", "condition_key", _("must be the key of a question")))
    if not isinstance(options, list) or not options or not all(type(one) is int and one >= 0 for one in options):
        rule_of_options = _("must be a list of positions of options, from 0")
        refusals.refused.append(broken(f"{where}.options", "condition_options", rule_of_options))
    elif len(set(options)) != len(options):
        refusals.refused.append(broken(f"{where}.options", "repeated", _("must differ from each other")))
    refusals.check()
    return {"question": rule["question"], "options": sorted(options)}


def check_order(drafts: list[Any], built: Mapping[int, BuiltQuestion]) -> None:
    """Raise DraftRefused with each rule that is not about an earlier question that can decide, and with each question
    that no answers lead to. `built` are the accepted questions by index in `drafts`."""
    refusals: list[RuleBreach] = []
    known: dict[str, Answered] = {}
    several = {question["key"] for question in built.values() if of(question).several}
    for i, question in built.items():
        own = [
            refusal
            for field, rule in placed(question)
            for refusal in _misplaced(rule, drafts[:i], built, f"questions[{i}].{field}")
        ]
        refusals += own
        whom = condition(question)
        if own or not all(rule["question"] in known for rule in whom.rules):
            continue
        answered = needed(whom, known, several)
        if answered is not None:
            known[question["key"]] = answered
            continue
        text = _("must be possible: no answers fulfil these rules together")
        refusals.append(broken(f"questions[{i}].asked_if", "condition_for_nobody", text))
    if refusals:
        raise DraftRefused(*refusals)


def _misplaced(rule: Rule, before: list[Any], built: Mapping[int, BuiltQuestion], where: str) -> list[RuleBreach]:
    keys = [draft.get("key") if isinstance(draft, dict) else None for draft in before]
    if rule["question"] not in keys:
        text = _("must be the key of an earlier question")
        return [broken(f"{where}.question", "condition_order", text)]
    deciding = built.get(keys.index(rule["question"]))
    if deciding is None:  # the deciding question was refused
        return []
    if deciding["kind"] not in DECIDING:
        known = ", ".join(DECIDING)
        text = _("must be the key of a question of the kind %(kinds)s")
        return [broken(f"{where}.question", "condition_kind", text, kinds=known)]
    if rule["options"][-1] >= len(deciding["options"]):
        last = len(deciding["options"]) - 1
        text = _("must be positions of the other question's options, from 0 to %(last)s")
        return [broken(f"{where}.options", "condition_range", text, last=last)]
    if _everyone(rule, deciding):
        text = _("must not be all options of the other question, since all people would then be asked")
        return [broken(f"{where}.options", "condition_for_all", text)]
    return []


def _everyone(rule: Mapping[str, Any], deciding: Mapping[str, Any]) -> bool:
    """Return whether a rule names every possible answer. A multiple choice also allows no option, so no rule does."""
    return not of(deciding).several and len(rule["options"]) == len(deciding["options"])


# Definitions ----------------------------------------------------------------------------------------------------------


def check_together(questions: Sequence[Mapping[str, Any]]) -> None:
    """Raise Misshapen, or a Python error, unless every rule names an earlier question that can decide. The questions
    must be well-formed otherwise."""
    keys = [question["key"] for question in questions]
    for place, question in enumerate(questions):
        if "asked_if" not in question:
            continue
        rules, joined = condition(question)
        if question["asked_if"] not in rules:
            exactly(question["asked_if"], {joined.__name__})
            must(isinstance(rules, list) and RULES_MIN <= len(rules) <= RULES_MAX)
        places = [keys.index(rule["question"], 0, place) for rule in rules]
        must(places == sorted(set(places)))
        for rule, deciding in zip(rules, map(questions.__getitem__, places), strict=True):
            _check_rule(rule, deciding)


def _check_rule(rule: Rule, deciding: Mapping[str, Any]) -> None:
    exactly(rule, RULE)
    options = rule["options"]
    must(isinstance(options, list) and options and all(type(one) is int for one in options))
    must(deciding["kind"] in DECIDING and options == sorted(set(options)))
    must(options[0] >= 0 and options[-1] < len(deciding["options"]) and not _everyone(rule, deciding))
