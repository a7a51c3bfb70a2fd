"""The rule by which some people are asked a question, in the builder: an earlier question decides, by some of its
answers; and as what whoever is not asked counts."""

import json
from collections.abc import Sequence
from itertools import permutations

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp.kinds.ranking import BEFORE
from surveys.context import Context
from surveys.definition.routing import DECIDING
from surveys.drafts.kinds import ASKED_IF, FILLER, RIGHT, title
from surveys.drafts.options import options_of, positions, rule_of
from surveys.kinds import typed
from surveys.rules.unchecked import Draft, Question

Choices = list[tuple[str, str]]
WITH_EVERY_ORDER = 4  # entries of a ranking, which have 24 orders


def deciding(draft: Draft, question: Question) -> Choices:
    """The earlier questions whose answers can decide, by key, with what they are called."""
    order = [each["key"] for each in draft["questions"]]
    earlier = draft["questions"][: order.index(question["key"])]
    return [(each["key"], f"{i}. {title(each)}") for i, each in enumerate(earlier, 1) if each.get("kind") in DECIDING]


# The form -------------------------------------------------------------------------------------------------------------


def route(question: Question, key: str) -> Question:
    """The question, asked only for the first answer to another one; everybody is asked where there is no other."""
    routed = {name: value for name, value in question.items() if name != "asked_if"}
    if not key:
        routed.pop("filler", None)
        return routed
    return routed | {"asked_if": {"question": key, "options": [0]}}


def context(draft: Draft, question: Question) -> Context:
    """What the form of a question shows beside its fields: who can decide, and of whom it is asked now."""
    fields: Context = {"deciding": deciding(draft, question), "routed": "asked_if" in question}
    if not fields["routed"]:
        return fields
    key = rule_of(question).get("question")
    governor = next((each for each in draft["questions"] if each["key"] == key), None)
    return fields | {
        "key": key if governor else "",
        "title": title(governor) if governor else "",
        "options": list(enumerate(options_of(governor))) if governor else [],
        "ticked": positions(rule_of(question).get("options")),
        "as_shown": ASKED_IF.text_of(question.get("asked_if")),
        "filler": _filler_text(question),
        "is_mean": question.get("kind") == "mean",
    }


def moved(question: Question, form: QueryDict) -> list[str]:
    """The fields that name an option by the place that it had, where the form was made from other options than the
    question has now."""
    if "lines" not in form or form["lines"] == lines(question):
        return []
    return [name for name in (FILLER.name, RIGHT.name) if name in form]


def lines(question: Question) -> str:
    return json.dumps(options_of(question))


def fillers(question: Question) -> Choices:
    """The answers that can be chosen as filler; of several items the same for all."""
    options, kind = options_of(question), question.get("kind")
    listed = [("", _("Choose…"))]
    if kind == "multiple_choice":
        return [*listed, ("[]", _("None of these")), *((f"[{i}]", option) for i, option in enumerate(options))]
    if "ranked" in question:
        return [*listed, *_orders(options)]
    if kind == "grid":
        items = question.get("items")
        each = len(items) if isinstance(items, list) else 0
        return [*listed, *((json.dumps([i] * each), option) for i, option in enumerate(options))]
    return [*listed, *((str(i), option) for i, option in enumerate(options))]


def _orders(entries: Sequence[str]) -> Choices:
    """Every order of few entries, else that of the list and its reverse."""
    written = list(range(len(entries)))
    if len(entries) > WITH_EVERY_ORDER:
        orders = [(written, _("In the order of the list")), (written[::-1], _("In the reverse order"))]
    else:
        orders = [(list(each), BEFORE.join(entries[i] for i in each)) for each in permutations(written)]
    return [(json.dumps(order), name) for order, name in orders]


def choices(question: Question, text: str) -> Choices:
    """`fillers`, also what stands there where it is none of them."""
    return with_missing(fillers(question), text)


def with_missing(listed: Choices, text: str) -> Choices:
    return listed if text in dict(listed) else [*listed, (text, _("An answer that is not there"))]


def _filler_text(question: Question) -> str:
    """The filler in words; empty where it is none yet."""
    filler = question.get("filler")
    if filler is None:
        return ""
    if typed(question) or "dates" in question:
        return f"{filler} {question.get('unit') or ''}".strip()
    return dict(fillers(question)).get(FILLER.text_of(filler), "")
