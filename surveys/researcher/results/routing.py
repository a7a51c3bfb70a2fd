"""Who was asked a question, and what that means for its estimates, in words (M34)."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp import routing
from ldp.question import Drawn, Question
from ldp.regression.condition_scores import by_totals, scores_of
from surveys.figures.display import Result
from surveys.survey import kinds
from surveys.survey.kinds import Fact


def facts(question: Question, by_key: Mapping[str, Question], result: Result) -> list[Fact]:
    """Return the fact who was asked; none if everyone was, or if a deciding question is not among those given."""
    text = sentence(question, by_key, result)
    return [Fact(_("Asked"), _("not of everyone"), text)] if text else []


def beside(some: Iterable[Question], questions: Iterable[Question]) -> list[tuple[str, str]]:
    """Return the texts of the page's questions that not everyone was asked, each with its sentence."""
    by_key = {question["key"]: question for question in questions}
    unique = {question["key"]: question for question in some}.values()
    sentences = ((str(question["text"]), sentence(question, by_key)) for question in unique)
    return [(text, words) for text, words in sentences if words]


def sentence(question: Question, by_key: Mapping[str, Question], result: Mapping[str, object] | None = None) -> str:
    """Say who was asked, and whom its results describe; empty if everyone was asked. Without `result` reports show how
    many were."""
    who = condition(question, by_key)
    return f"{who} {_counted(result or {})}" if who else ""


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
    """Say who will be asked, and what results will be; empty if everyone will be asked."""
    who = condition(question, by_key)
    if not who or by_totals(by_key, question):
        return sentence(question, by_key)
    if scores_of([*by_key.values()], question) is None:
        return f"{sentence(question, by_key, {'bounded': True})} {ADVICE}"
    text = _(
        "The results describe only these people. Until the survey ends, and always if results may decide when, reports "
        "only bound their number: then there are intervals without estimates."
    )
    return f"{who} {text} {ADVICE}"


# What would help, where several answers decide.
ADVICE = gettext_lazy("To get estimates, let one answer to one question decide.")


def counted(result: Result) -> str:
    """Return whom the results of a question describe; empty if everyone was asked it."""
    return _counted(result) if result.get("of_asked", False) else ""


def _counted(about: Mapping[str, object]) -> str:
    text = _("The results describe only these people. The intervals allow for the uncertainty of their number.")
    if about.get("bounded", False):
        text = _(
            "The results describe only these people. Reports only bound their number, so there are intervals without "
            "estimates."
        )
    if about.get("sampled", False):
        return " ".join((text, _("They are for a population, because forms asked different people.")))
    return text


def in_files(question: Question, by_key: Mapping[str, Question]) -> str:
    """Say who was asked, and how the others count in files; empty if everyone was asked."""
    who = condition(question, by_key)
    return f"{who} {_filled(question)}" if who else ""


def _filled(question: Question) -> str:
    kind = kinds.of(question)
    if kind.averaged:
        text = _("This mean describes everyone. It counts people who were not asked as %(filler)s.")
    elif kind.several:
        text = _("These shares describe everyone: each counts the people who were asked and gave the answer.")
    else:
        text = _("These shares describe everyone. “%(filler)s” means: “%(filler)s”, or not asked.")
    return text % {"filler": kind.filler(question)}
