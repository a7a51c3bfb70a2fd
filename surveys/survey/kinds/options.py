"""One of several options: yes or no, a single choice, a step of a scale. The base of the other kinds with options."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ldp.inference.estimates import onto_simplex
from ldp.question import Question
from surveys.figures import layout, numerals, sentences
from surveys.figures.display import Method, Result, has_estimates, is_estimated
from surveys.figures.layout import Plan
from surveys.figures.scale import SHARES, Scale
from surveys.figures.targets import about_reached, holds_at_every_release, target, targeted
from surveys.rules.context import Context
from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX
from surveys.rules.lookalikes import looks_like_any
from surveys.rules.refusals import different_texts, refuse
from surveys.rules.shapes import option_count
from surveys.rules.texts import PREFER_NOT_TO_SAY
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds.protocol import Kind

SPOKEN = 7  # options that a plot's text alternative lists; for more it points to the table


class OptionKind(Kind):
    begins: Mapping[str, Any] = {"options": []}
    required: frozenset[str] = frozenset({"options"})
    optional: frozenset[str] = frozenset({"right", "size"})
    fields: frozenset[str] = frozenset({"options"})
    texts: frozenset[str] = frozenset({"options"})
    lists: Mapping[str, int] = {"options": CATEGORIES_MAX}

    def build(self, draft: Unchecked, where: str) -> Built:
        options = different_texts(draft["options"], f"{where}.options", OPTION_MAX, CATEGORIES_MAX)
        if looks_like_any(PREFER_NOT_TO_SAY, options):
            rule = gettext_noop("must differ from “%(option)s”, which prefer_not_to_say adds")
            raise refuse(f"{where}.options", "refusing_option", rule, option=PREFER_NOT_TO_SAY)
        return {"options": options}

    def check(self, question: Unchecked) -> None:
        option_count(question)

    def filler(self, question: Question) -> str:
        return question["options"][-1]

    def scale(self, result: Question | Result) -> Scale:
        return SHARES

    def number(self, result: Result) -> str:
        """Return the sentence of the headline: a share with its interval."""
        return sentences.share_of(result, sentences.leading(result["methods"][0]["categories"]))

    def sentences(self, result: Result) -> list[str]:
        categories = result["methods"][0]["categories"]
        order = sentences.standing(result, exclusive=not self.several)
        return [self.number(result), order, sentences.near_zero(categories), sentences.apart(result)]

    def numbers(self, result: Result, method: Method) -> Context:
        return {"rows": _table(method), "at_every_release": holds_at_every_release(method)}

    def alternative(self, result: Result, level: str) -> str:
        picture = self._picture(result) if has_estimates(result) else _("Intervals")
        head = f"{picture}: {_shares(result) % {'level': level}}"
        table = _table(result["methods"][0])
        if len(table) > SPOKEN:
            text = _("The table next to it holds the same numbers for all %(many)s answers.")
            return f"{head} {text % {'many': len(table)}}"
        return f"{head} {'; '.join(map(_row_in_words, table))}."

    def _picture(self, result: Result) -> str:
        return _("Dots with intervals")

    def possible(self, estimates: list[float], result: Result) -> list[float]:
        return [float(share) for share in onto_simplex(estimates)]

    def written(self, value: float, result: Result, method: Method) -> str:
        return numerals.share(value, numerals.decimals_of(method))

    def layout(self, result: Result, width: str) -> Plan:
        return layout.rows(result, width)


def _row_in_words(row: Mapping[str, str]) -> str:
    share = "" if row["share"] == numerals.NONE else f"{numerals.percentage(row['share'])} "
    return f"{row['option']} {share}({row['simultaneous']})"


def _shares(result: Result) -> str:
    if not has_estimates(result):
        return _("shares of those who were asked, as %(level)s intervals for all answers at once, without estimates.")
    if about_reached(result):
        return _("estimated shares of those who were asked with %(level)s intervals for all answers at once.")
    if target(result) == "respondents":
        return _("estimated shares of the respondents with %(level)s intervals for all answers at once.")
    return _("estimated shares of the population with %(level)s intervals for all answers at once.")


def _table(method: Method) -> list[dict[str, str]]:
    decimals = numerals.decimals_of(method)
    return [
        {
            "option": category["option"],
            "n": numerals.count(category["n_about"]) if "n_about" in category else "",
            "share": numerals.share(category["estimate"], decimals) if is_estimated(category) else numerals.NONE,
            "simultaneous": numerals.span(targeted(category)["simultaneous"], decimals),
            "interval": numerals.span(targeted(category)["interval"], decimals),
            "standard_error": (
                numerals.share(targeted(category)["standard_error"], decimals)
                if is_estimated(category)
                else numerals.NONE
            ),
        }
        for category in method["categories"]
    ]
