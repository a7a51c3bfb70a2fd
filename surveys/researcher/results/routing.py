"""The respondents who were asked a question, and the meaning for its estimates (M34), in words."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from ldp import routing
from ldp.question import Question
from surveys.survey import kinds
from surveys.survey.kinds import Fact
from surveys.survey.kinds.date import in_words


def facts(question: Question, by_key: Mapping[str, Question], of_asked: bool = False) -> list[Fact]:
    """None where everybody was asked, or where a question that decides is not among those given."""
    text = sentence(question, by_key, named=True, of_asked=of_asked)
    return [Fact(_("Asked"), _("not of everybody"), text)] if text else []


def beside(some: Iterable[Question], questions: Iterable[Question]) -> list[tuple[str, str]]:
    """For a page of some of the questions the text of each that not everybody was asked, with its sentence."""
    by_key = {question["key"]: question for question in questions}
    sentences = {question["key"]: (str(question["text"]), sentence(question, by_key, named=True)) for question in some}
    return [(text, words) for text, words in sentences.values() if words]


def sentence(question: Question, by_key: Mapping[str, Question], named: bool = False, of_asked: bool = False) -> str:
    """Say who was asked, and how the others count; empty where everybody was. `named`: name options as pages of results
    do, else as files do. `of_asked`: the numbers are of those who were asked alone."""
    who = condition(question, by_key)
    return f"{who} {counted(question, named, of_asked)}" if who else ""


def condition(question: Question, by_key: Mapping[str, Question]) -> str:
    """Who is asked, as a sentence."""
    rules, joined = routing.condition(question)
    if not rules or not all(rule["question"] in by_key for rule in rules):
        return ""
    between = _(", and who ") if joined is all else _("; or who ")
    text = _("Asked only of those who %(answered)s.")
    return text % {"answered": between.join(_answered(by_key[rule["question"]], rule["options"]) for rule in rules)}


def _answered(deciding: Question, places: Sequence[int]) -> str:
    """Return an answer's words, to follow “those who”."""
    options = _("” or “").join(deciding["options"][place] for place in places)
    words = {"question": deciding["text"], "options": options}
    if kinds.of(deciding).several:
        text = _("named “%(options)s” at “%(question)s”")
    else:
        text = _("answered “%(options)s” to “%(question)s”")
    also = _(", and were asked that themselves") if "asked_if" in deciding else ""
    return text % words + also


def is_about_reached(question: Question, by_key: Mapping[str, Question]) -> bool:
    """Return whether results will be of those who were asked alone: one answer decides, or one of several of which one
    is given."""
    rules, _joined = routing.condition(question)
    if len(rules) != 1 or rules[0]["question"] not in by_key:
        return not rules
    deciding = by_key[rules[0]["question"]]
    known = not kinds.of(deciding).several or len(rules[0]["options"]) == 1
    return known and is_about_reached(deciding, by_key)


def counted(question: Question, named: bool = False, of_asked: bool = False) -> str:
    """Say how everyone who is not asked the question counts."""
    if of_asked:
        return _("The results are of these people alone. The intervals allow for how uncertain their number is.")
    kind, options = kinds.of(question), question.get("options", [])
    names = dict(zip(options, in_words(options), strict=True)) if named else {}
    name = kind.filler(question)
    filler = {"filler": names.get(name, name)}
    if kind.averaged:
        text = _("Whoever is not asked counts as %(filler)s: the mean is that of everybody, including these people.")
    elif kind.several:
        text = _(
            "Whoever is not asked counts as “%(filler)s”: the shares are those of everybody, not only of those who "
            "were asked."
        )
    else:
        text = _(
            "Whoever is not asked counts as “%(filler)s”: the shares are those of everybody, and that of “%(filler)s” "
            "includes those who were not asked."
        )
    return text % filler
