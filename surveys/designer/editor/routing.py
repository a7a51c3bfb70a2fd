"""Conditions in the builder: earlier questions and answers decide who is asked a question. Also the right answer of an
attention question."""

import json

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp.question import RULES_MAX, Rule
from ldp.routing import condition
from surveys.drafts import options
from surveys.drafts.fields import sent, text_of, value_of
from surveys.drafts.kinds import title
from surveys.drafts.options import options_of, positions
from surveys.figures.sentences import comma_separated
from surveys.rules.context import Context
from surveys.rules.draft import Draft, Question, without
from surveys.rules.unchecked import Unchecked, as_list, as_object
from surveys.survey.definition.fields import QUESTION
from surveys.survey.definition.routing import DECIDING, FIELD, placed

ASKED_IF = QUESTION["asked_if"]
Choices = list[tuple[str, str]]
DECIDED_BY = "decided_by"


def deciding(draft: Draft, question: Question) -> Choices:
    """Return the earlier questions whose answers can decide, by key, with their names."""
    order = [each["key"] for each in draft["questions"]]
    earlier = draft["questions"][: order.index(question["key"])]
    return [(each["key"], f"{i}. {title(each)}") for i, each in enumerate(earlier, 1) if each.get("kind") in DECIDING]


# The form -------------------------------------------------------------------------------------------------------------


def route(question: Question, key: str) -> Question:
    """Return the question with one more rule: it is asked after the first option of the question `key`."""
    rules, joined = _rules(question)
    if len(rules) == RULES_MAX or not key or key in [rule["question"] for rule in rules]:
        return question
    return _routed(question, [*rules, {"question": key, "options": [0]}], joined)


def unroute(question: Question, key: str) -> Question:
    """Return the question without its rule about the question `key`; without `key`, without any condition."""
    rules, joined = _rules(question)
    return _routed(question, [rule for rule in rules if key and rule["question"] != key], joined)


def _rules(question: Unchecked) -> tuple[list[Rule], str]:
    """Return the valid rules, and "all" or "any", which joins them."""
    rules = [rule for _field, rule in placed(question)]
    return rules, condition(question).joined.__name__ if rules else "all"


def _routed(question: Question, rules: list[Rule], joined: str) -> Question:
    if not rules:
        return without(question, {FIELD})
    return question | {"asked_if": rules[0] if len(rules) == 1 else {joined: rules}}


def context(draft: Draft, question: Question) -> Context:
    """Return the condition for a question's form: the questions that can decide, and the present rules."""
    others = deciding(draft, question)[::-1]  # the nearest first
    if "asked_if" not in question:
        return {"deciding": others, "routed": False}
    text = text_of(ASKED_IF, question["asked_if"])
    is_plain = value_of(ASKED_IF, text) == question["asked_if"]
    rules, joined = _rules(question) if is_plain else ([], "")
    used = [rule["question"] for rule in rules]
    shown = {each["key"]: options_of(each) for each in draft["questions"] if each["key"] in used}
    return {
        "deciding": [each for each in others if each[0] not in used] if len(rules) < RULES_MAX else [],
        "routed": True,
        "as_shown": "" if is_plain else text,
        "joined": joined if len(rules) > 1 else "",
        "rules": [_controls(draft, rule) for rule in rules],
        "shown": json.dumps(shown),
    }


def in_words(draft: Draft, question: Unchecked) -> str:
    """Return the rules in words for a comparison of versions, one per line; "" if everyone is asked."""
    rules, joined = _rules(question)
    lines = []
    for each in (_controls(draft, rule) for rule in rules):
        ticked = comma_separated(option for place, option in each["options"] if place in each["ticked"])
        lines.append((each["title"] or _("A question that is not there")) + f": {ticked}")
    how = {"all": _("all of these hold"), "any": _("any of these holds")}
    return "\n".join([how[joined], *lines] if len(lines) > 1 else lines)


def _controls(draft: Draft, rule: Rule) -> Context:
    """Return a rule with its answers to tick. It has no title if its question is gone."""
    governor = next((each for each in draft["questions"] if each["key"] == rule["question"]), None)
    return {
        "key": rule["question"],
        "title": title(governor) if governor else "",
        "options": list(enumerate(options_of(governor))) if governor else [],
        "ticked": positions(rule["options"]),
    }


def carried(draft: Draft, form: QueryDict) -> QueryDict:
    """Return the form with the present positions of deciding answers, if their questions' options have changed since
    the form was shown. Removed options are left out."""
    if DECIDED_BY not in form:
        return form
    shown, now = _options_in(form), {each["key"]: options_of(each) for each in draft["questions"]}
    form = form.copy()
    del form[DECIDED_BY]
    if all(now.get(key, lines) == lines for key, lines in shown.items()):
        return form
    condition_sent = value_of(ASKED_IF, sent(ASKED_IF, form))
    for _field, rule in placed({"asked_if": condition_sent}):
        key = rule["question"]
        if key in shown and key in now:
            rule["options"] = options.carried(shown[key], now[key], rule["options"])
    form.setlist(ASKED_IF.name, [text_of(ASKED_IF, condition_sent)])
    return form


def _options_in(form: QueryDict) -> dict[str, list[str]]:
    """Return the deciding questions' options, as the form showed them."""
    try:
        given = json.loads(str(form[DECIDED_BY]))
    except (ValueError, RecursionError):
        return {}
    return {key: list(map(str, lines)) for key, lines in as_object(given).items() if isinstance(lines, list)}


def moved(question: Unchecked, form: QueryDict) -> list[str]:
    """Return the fields that name an option by its position, if the question's options have changed since the form was
    shown."""
    if "lines" not in form or form["lines"] == lines(question):
        return []
    return [name for name in options.PLACED if name in form]


def lines(question: Unchecked) -> str:
    return json.dumps(options_of(question))


def right_answers(question: Unchecked, text: str) -> Choices:
    """Return the possible right answers of an attention question, and "none". The present value is added if it is
    missing."""
    answers = options_of(question)[: -1 if question.get("prefer_not_to_say") is True else None]
    return _with_missing([("", _("what is true of them")), *((str(i), each) for i, each in enumerate(answers))], text)


def exclusive_options(question: Unchecked, text: str) -> Choices:
    """Return the choices for the option that excludes all others: no mark, and each option. The present value is added
    if it is missing."""
    listed = [(str(i), str(option)) for i, option in enumerate(as_list(question.get("options")))]
    return _with_missing([("", _("no mark")), *listed], text)


def _with_missing(listed: Choices, text: str) -> Choices:
    return listed if text in dict(listed) else [*listed, (text, _("An answer that is not there"))]
