"""The split of a survey into forms, in words: who was asked each question, and whether people left a form (M35)."""

import math
from typing import cast

from django.utils.translation import gettext as _

from ldp.document import Estimated, Form, ReleaseHeader, Retention
from ldp.forms.retention import LEVEL, bounds, most_missing
from ldp.inference.intervals import Interval
from ldp.question import Drawn, asked_in
from surveys.figures import numerals
from surveys.rules.context import Context
from surveys.survey.kinds import Fact

EXAMPLE = Interval(0.2, 0.3)


def of_question(question: Drawn | Estimated, document: ReleaseHeader) -> list[Form]:
    """Return the forms of a question or result; none if everyone was asked it."""
    return [document["forms"][form] for form in asked_in(question) or [] if "forms" in document]


def retention_of(form: Form) -> Retention:
    """Return whether people left the form, once the survey has ended."""
    retention = form["retention"]
    assert retention is not None
    return retention


def reports(question: Drawn | Estimated, document: ReleaseHeader) -> int:
    """Return the number of reports from people whose form has the question."""
    own = of_question(question, document)
    return sum(form["n"] for form in own) if own else document["n"]


def name(form: int) -> str:
    return _("Form %(n)d") % {"n": form + 1}


def names(question: Drawn | Estimated) -> str:
    """Return the names of the forms that ask the question; empty if everyone was asked it."""
    forms = asked_in(question)
    if not forms:
        return ""
    return (
        name(forms[0])
        if len(forms) == 1
        else _("Forms %(all)s") % {"all": _(", ").join(numerals.integer(k + 1) for k in forms)}
    )


def alpha(question: Drawn) -> str:
    """Return a question's alpha and what it covers: “2”, or “2 for 3 questions together” in a joint draw. If forms
    differ, return the alpha of each form."""
    if "asked" in question:
        each = [(own["form"] + 1, alpha(cast(Drawn, own))) for own in question["asked"]]
        if len({text for _form, text in each}) == 1:
            return each[0][1]
        return "; ".join(_("%(alpha)s in form %(n)d") % {"alpha": text, "n": form} for form, text in each)
    together = question.get("together")
    if not together:
        return question["alpha"]
    return _("%(alpha)s for %(n)d questions together") % {"alpha": question["alpha"], "n": len(together)}


def fact(question: Drawn, document: ReleaseHeader) -> list[Fact]:
    """Return who was asked; nothing if everyone was."""
    forms = of_question(question, document)
    if not forms:
        return []
    whole = sum(form["weight"] for form in document["forms"])
    words = {"weight": sum(form["weight"] for form in forms), "whole": whole}
    if len(forms) > 1:
        text = _(
            "Asked of people whose browser drew one of these forms, by lot, with a chance of %(weight)d in %(whole)d. "
            "The results combine these forms."
        )
        return [Fact(_("Forms"), names(question), " ".join([text % words, *agreement(question["key"], document)]))]
    text = _("Asked of people whose browser drew this form, by lot, with a chance of %(weight)d in %(whole)d.")
    if together := question.get("together"):
        words |= {"together": len(together)}
        text += " " + _(
            "%(together)d of its questions were randomized together: all answers that were to be sent were among what "
            "was sent, or all of it was random."
        )
    return [Fact(_("Form"), name(question["form"]), text % words)]


def nothing(document: ReleaseHeader) -> str:
    """Return why a form's question has no results."""
    if document["final"]:
        return _(
            "Too few people were asked this question: nothing is published about it, and their reports were erased."
        )
    return _("No reports from people who were asked this question have been released yet.")


def agreement(key: str, document: ReleaseHeader) -> list[str]:
    """Return whether the forms that ask a question agree; nothing with fewer than two forms so far."""
    tested = next((each for each in document.get("agreement", []) if each["question"] == key), None)
    if tested is None:
        return []
    if tested["p_value"] is None:
        return [_("It cannot be tested whether these forms agree: their reports are too few, or of another kind.")]
    words = {"p": numerals.small(tested["p_value"], 2)}
    if tested["p_value"] < LEVEL:
        text = _(
            "The answers differ between these forms by more than chance allows (p = %(p)s): people left one form more "
            "than another, or its other questions changed their answers. The combined results may mislead."
        )
    else:
        text = _("Nothing shows that the answers differ between these forms (p = %(p)s).")
    return [text % words]


# The split of the survey --------------------------------------------------------------------------------------------


def split(document: ReleaseHeader, questions: list[Drawn]) -> Context | None:
    """Return the context of results/forms.html; None for a survey without forms."""
    if "forms" not in document:
        return None
    places = {question["key"]: place for place, question in enumerate(questions, 1)}
    texts = {question["key"]: question["text"] for question in questions}
    whole = sum(form["weight"] for form in document["forms"])
    named = {key for form in document["forms"] for key in form["questions"]}
    return {
        "many": len(document["forms"]),
        "forms": [_row(form, k, whole, places, texts, document["final"]) for k, form in enumerate(document["forms"])],
        "everyone": [_link(key, places, texts) for key in places if key not in named],
        "overlapping": sum(len(form["questions"]) for form in document["forms"]) > len(named),
        "disagreeing": [
            _link(each["question"], places, texts)
            for each in document.get("agreement", [])
            if each["p_value"] is not None and each["p_value"] < LEVEL
        ],
        "compared": document["final"],
        "odd": document["final"] and any(retention_of(form)["direction"] for form in document["forms"]),
        "sentences": _sentences(document["forms"]) if document["final"] else [],
    }


def _link(key: str, places: dict[str, int], texts: dict[str, str]) -> Context:
    return {"number": places[key], "text": texts[key]}


def _row(form: Form, k: int, whole: int, places: dict[str, int], texts: dict[str, str], final: bool) -> Context:
    few = _("too few") if final else _("none yet")
    retention = form["retention"]
    return {
        "name": name(k),
        "questions": [_link(key, places, texts) for key in form["questions"]],
        "joint": form["joint"],
        "chance": _("%(weight)s in %(whole)s") % {"weight": form["weight"], "whole": whole},
        "n": numerals.count(form["n"]) if form["n"] else few,
        "expected": numerals.count(round(retention["expected"])) if retention else "",
        "alpha": form["alpha_total"],
        "direction": retention["direction"] if retention else 0,
    }


def _sentences(forms: list[Form]) -> list[str]:
    directions = [retention_of(form)["direction"] for form in forms]
    most = max(retention_of(form)["missing"] for form in forms)
    if -1 in directions:  # if one form has too few reports, others have more
        return [leaving(form, k) for k, form in enumerate(forms) if directions[k] == -1]
    if 1 in directions:
        return [*(leaving(form, k) for k, form in enumerate(forms) if directions[k] == 1), _missing(most)]
    agree = _(
        "The numbers of reports agree with the lot: nothing shows that people left one form more than another. At most "
        "%(missing)s of the people who would report with another form may be missing from one form (%(level)s "
        "confidence)."
    )
    return [agree % {"missing": numerals.percent(_up(most)), "level": _level()}]


def _missing(most: float) -> str:
    text = _(
        "Up to %(missing)s of the people who would report with another form may be missing from one of these forms "
        "(%(level)s confidence). The page of each of their questions shows what that may hide."
    )
    return text % {"missing": numerals.percent(_up(most)), "level": _level()}


def left(question: Drawn | Estimated, document: ReleaseHeader) -> list[tuple[int, Form]]:
    """Return the question's forms that people left, or may have left, more than another, with their places."""
    every = document.get("forms", [])
    if any(form["retention"] is None for form in every):
        return []
    forms = [(form, every[form]) for form in asked_in(question) or [] if every]
    directions = [retention_of(form)["direction"] for form in every]
    may_be = min(directions, default=0) == 0 and max(directions, default=0) > 0
    return [(k, form) for k, form in forms if directions[k] < 0 or (directions[k] == 0 and may_be)]


def missing(question: Drawn | Estimated, document: ReleaseHeader) -> float:
    """Return the largest fraction that may be missing from one of the question's forms."""
    every = document["forms"]
    ends = [[math.inf if end is None else end for end in retention_of(form)["ratio"]] for form in every]
    weights = [form["weight"] for form in every]
    return most_missing(asked_in(question) or [], weights, [Interval(*each) for each in ends])


def missing_from_several(question: Drawn | Estimated, document: ReleaseHeader) -> list[str]:
    """Return what may be missing if several forms ask the question. `leaving` covers a single form."""
    asking = asked_in(question) or []
    if len(asking) < 2:
        return []
    if len(asking) < len(document["forms"]):
        text = _(
            "Up to %(missing)s of the people who would report with a form without this question may be missing from "
            "one of the forms with it (%(level)s confidence)."
        )
    else:
        text = _(
            "All forms ask this question. Up to %(missing)s of the people who would report with the form that people "
            "left least may be missing from another form (%(level)s confidence)."
        )
    return [text % {"missing": numerals.percent(_up(missing(question, document))), "level": _level()}]


def leaving(form: Form, k: int) -> str:
    """Return whether a form has more or fewer reports than chance allows, and what that may hide."""
    retention = retention_of(form)
    words = {"form": name(k), "n": numerals.count(form["n"]), "expected": numerals.count(round(retention["expected"]))}
    if retention["direction"] > 0:
        text = _(
            "%(form)s has %(n)s reports where about %(expected)s were expected: more than chance allows. People left "
            "other forms more than this one."
        )
        return text % words
    reach = bounds(EXAMPLE, retention["missing"])
    low, high = numerals.outward(100 * reach.low, 100 * reach.high, 0)
    words |= {"missing": numerals.percent(_up(retention["missing"])), "low": low, "high": high, "level": _level()}
    if retention["direction"] == 0:
        text = _(
            "%(form)s has %(n)s reports where about %(expected)s were expected: as chance allows, but another form has "
            "more than that. Up to %(missing)s of the people who would report with another form may be missing here "
            "(%(level)s confidence). With them, whatever their answers, an interval from 20 to 30%% would go from "
            "%(low)s to %(high)s%%."
        )
        return text % words
    text = _(
        "%(form)s has %(n)s reports where about %(expected)s were expected: fewer than chance allows. It seems that "
        "people left it more than the others. Up to %(missing)s of the people who would report with another form may "
        "be missing here (%(level)s confidence). With them, whatever their answers, an interval from 20 to 30%% would "
        "go from %(low)s to %(high)s%%."
    )
    return text % words


def _up(share: float) -> float:
    """Return the share rounded up to a whole percent, so that it remains a bound."""
    return min(1.0, -(-round(100 * share, 6) // 1) / 100)


def _level() -> str:
    return numerals.percent(1 - LEVEL)


def needed(many: str, in_form: bool, of_respondents: bool) -> str:
    """Return how many reports a result needs. For the respondents fewer may be enough."""
    if of_respondents and in_form:
        return _("About %(many)s reports about this question are enough.") % {"many": many}
    if of_respondents:
        return _("About %(many)s reports are enough.") % {"many": many}
    if in_form:
        return _("It takes about %(many)s reports about this question.") % {"many": many}
    return _("It takes about %(many)s reports.") % {"many": many}
