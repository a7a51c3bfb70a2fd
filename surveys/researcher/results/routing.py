"""Who was asked a question, and what that means for its estimates, in words (M34)."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from ldp import routing
from ldp.question import Drawn, Question
from ldp.regression.condition_scores import by_totals, scores_of
from surveys.survey import kinds
from surveys.survey.kinds import Fact
from surveys.survey.kinds.date import in_words


def facts(question: Question, by_key: Mapping[str, Question], of_asked: bool = False) -> list[Fact]:
    """Return the fact that says who was asked; none if everyone was, or if `by_key` lacks a deciding question."""
    text = sentence(question, by_key, named=True, of_asked=of_asked)
    return [Fact(_("Asked"), _("not of everyone"), text)] if text else []


def beside(some: Iterable[Question], questions: Iterable[Question], of_asked: bool = False) -> list[tuple[str, str]]:
    """Return the texts of the page's questions that not everyone was asked, each with a sentence."""
    by_key = {question["key"]: question for question in questions}
    unique = {question["key"]: question for question in some}.values()
    sentences = ((str(question["text"]), sentence(question, by_key, True, of_asked)) for question in unique)
    return [(text, words) for text, words in sentences if words]


def sentence(question: Question, by_key: Mapping[str, Question], named: bool = False, of_asked: bool = False) -> str:
    """Return who was asked, and how the others count; empty if everyone was. If `named`, options have the names on
    pages, else those in files. `of_asked` is true if the numbers describe only people who were asked."""
    who = condition(question, by_key)
    return f"{who} {counted(question, named, of_asked)}" if who else ""


def condition(question: Question, by_key: Mapping[str, Question]) -> str:
    """Return who is asked, as a sentence."""
    rules, joined = routing.condition(question)
    if not rules or not all(rule["question"] in by_key for rule in rules):
        return ""
    between = _(", and who ") if joined is all else _("; or who ")
    text = _("Asked only of those who %(answered)s.")
    return text % {"answered": between.join(_answered(by_key[rule["question"]], rule["options"]) for rule in rules)}


def _answered(deciding: Question, places: Sequence[int]) -> str:
    """Return the words that follow “those who” for these answers."""
    options = _("” or “").join(deciding["options"][place] for place in places)
    words = {"question": deciding["text"], "options": options}
    if kinds.of(deciding).several:
        text = _("named “%(options)s” at “%(question)s”")
    else:
        text = _("answered “%(options)s” to “%(question)s”")
    also = _(", and were asked that themselves") if "asked_if" in deciding else ""
    return text % words + also


def foretold(question: Drawn, by_key: Mapping[str, Drawn]) -> str:
    """Return who will be asked, and whom results will describe; empty if everyone will be asked."""
    who = condition(question, by_key)
    if not who or by_totals(by_key, question):
        return sentence(question, by_key, of_asked=True)
    if scores_of([*by_key.values()], question) is None:
        return sentence(question, by_key)
    text = _(
        "While the survey is open, results describe everyone. After its end they describe only these people, unless "
        "earlier results could influence the end."
    )
    return f"{who} {text}"


def counted(question: Question, named: bool = False, of_asked: bool = False) -> str:
    """Return whom the results describe, for a question that only some people are asked."""
    if of_asked:
        return _("The results describe only these people. The intervals allow for the uncertainty of their number.")
    kind, options = kinds.of(question), question.get("options", [])
    names = dict(zip(options, in_words(options), strict=True)) if named else {}
    name = kind.filler(question)
    if kind.averaged:
        text = _("This mean describes everyone. It counts people who were not asked as %(filler)s.")
    elif kind.several:
        text = _("These shares describe everyone: each counts the people who were asked and gave the answer.")
    else:
        text = _("These shares describe everyone. “%(filler)s” means: “%(filler)s”, or not asked.")
    return text % {"filler": names.get(name, name)}
