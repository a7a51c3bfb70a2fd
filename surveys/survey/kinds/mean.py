"""A number on a scale of its own, or a step of a scale that counts as a number. Its mean is estimated."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ldp.question import Question
from surveys.figures import layout, numerals
from surveys.figures.display import Category, Method, Result, is_estimated
from surveys.figures.layout import Plan
from surveys.figures.scale import Scale
from surveys.figures.sentences import high, low
from surveys.figures.targets import about_reached, holds_at_every_release, target, targeted
from surveys.rules.context import Context
from surveys.rules.draft_schema import Schema, different, says, text
from surveys.rules.limits import CATEGORIES_MAX, OPTION_MAX, UNIT_MAX
from surveys.rules.refusals import Refusals, broken, known_fields, unit
from surveys.rules.refusals import different_texts as read_different_texts
from surveys.rules.shapes import different_texts, increasing, must
from surveys.rules.texts import decimal, is_text
from surveys.rules.unchecked import Built, Unchecked
from surveys.survey.kinds import numbers
from surveys.survey.kinds.fields import LIMITS, SCALE, UNIT, WHOLE, Field, end
from surveys.survey.kinds.protocol import Fact, Kind

LOW = end(
    "low",
    gettext_lazy("Lowest number"),
    "The lower end of the scale.",
    "",
    gettext_lazy("Give the lowest number."),
)
HIGH = end(
    "high",
    gettext_lazy("Highest number"),
    "The upper end of the scale.",
    "",
    gettext_lazy("Give the highest number."),
)
STEPS = replace(
    SCALE,
    name="steps",
    label=gettext_lazy("Steps"),
    schema=different(text(OPTION_MAX), CATEGORIES_MAX)
    | says("Of a scale asked for its mean alone: they count 1, 2, 3 and so on, instead of low, high and unit."),
    missing=gettext_lazy("Write at least two steps, one on each line."),
)


class Mean(Kind):
    name: Promise = gettext_lazy("Number, mean only")
    purpose: Promise = gettext_lazy("Results show the mean and nothing else: fewer people are enough.")
    typed_fields: tuple[Field, ...] = (UNIT, LIMITS, LOW, HIGH)
    special_fields: tuple[Field, ...] = (STEPS,)
    # Steps need no ends; without steps the scale's ends are required.
    schema: Schema = {
        "if": {"required": ["steps"]},
        "then": {"not": {"anyOf": [{"required": [field]} for field in ("low", "high", "unit", "limits")]}},
        "else": {"required": ["low", "high"]},
    }
    begins: Mapping[str, Any] = {"limits": WHOLE, "low": "", "high": ""}
    optional: frozenset[str] = frozenset({"low", "high", "unit", "limits", "steps"})
    no_refusing: str = gettext_noop(
        "does not exist for a mean, where every answer is a number; a histogram can have it"
    )
    fields: frozenset[str] = frozenset({"low", "high", "unit"})
    texts: frozenset[str] = frozenset({"unit"})
    more: frozenset[str] = frozenset({"steps"})
    voluntary: frozenset[str] = frozenset({"limits"})
    listed: str = "steps"
    lists: Mapping[str, int] = {"steps": CATEGORIES_MAX}
    entered: str = "number"
    invented: Promise = gettext_lazy("Numbers are spread evenly about the mean; left empty it is the middle.")
    has_order: bool = True
    averaged: bool = True

    def build(self, draft: Unchecked, where: str) -> Built:
        """Return the ends of the scale, the unit and the limits. Steps count as 1, 2, 3, ..., so a question with steps
        names none of these."""
        if "steps" in draft:
            known_fields(draft, where, set(), set(draft) - {"low", "high", "unit", "limits"})
            steps = read_different_texts(draft["steps"], f"{where}.steps", OPTION_MAX, CATEGORIES_MAX)
            return {"low": "1", "high": str(len(steps)), "unit": "", "steps": steps}
        known_fields(draft, where, {"low", "high"}, set(draft))
        refusals = Refusals()
        limits = refusals.attempt(numbers.limits, draft, where) or {}
        bottom, top = (refusals.attempt(numbers.end, draft[end], f"{where}.{end}", limits) for end in ("low", "high"))
        its_unit = refusals.attempt(unit, draft, where)
        if bottom is not None and top is not None and Decimal(bottom) >= Decimal(top):
            refusals.refused.append(broken(f"{where}.high", "scale_order", gettext_noop("must be greater than low")))
        refusals.check()
        return {"low": decimal(Decimal(bottom or 0)), "high": decimal(Decimal(top or 0)), "unit": its_unit} | limits

    def check(self, question: Unchecked) -> None:
        increasing([question["low"], question["high"]])
        must(is_text(question["unit"], UNIT_MAX, empty=True) and not question["prefer_not_to_say"])
        if "steps" in question:
            different_texts(question["steps"], CATEGORIES_MAX)
            ends = question["low"], question["high"], question["unit"]
            must(ends == ("1", str(len(question["steps"])), "") and "limits" not in question)
        numbers.check(question, [question["low"], question["high"]])

    def scale(self, result: Question | Result) -> Scale:
        ends = float(result["low"]), float(result["high"])
        return Scale("mean", "beyond the ends of the scale", *ends, result["unit"])

    def filler(self, question: Question) -> str:
        if "steps" in question:
            return question["steps"][0]
        return numerals.with_unit(numerals.decimal(question["low"]), question["unit"])

    def facts(self, question: Question) -> list[Fact]:
        beyond = _("Every answer is a number on this scale; one beyond an end counted as that end.")
        meaning = numbers.limits_in_words(question) or beyond
        if "steps" in question:
            first, *_between, last = question["steps"]
            meaning = _("Every answer is a step, which counts as its number: “%(first)s” as 1, “%(last)s” as %(n)s.")
            meaning %= {"first": first, "last": last, "n": numerals.decimal(question["high"])}
        return [Fact(_("Scale"), _ends(question), meaning)]

    def sentences(self, result: Result) -> list[str]:
        category, unit = result["methods"][0]["categories"][0], result["unit"]
        decimals = numerals.places(numerals.error_of(targeted(category), alone=False))
        mean = numerals.with_unit(numerals.number(category["estimate"], decimals), unit)
        if low(category) >= high(category):
            point = numerals.with_unit(numerals.number(low(category), decimals), unit)
            return [_("The mean is %(mean)s.") % {"mean": point}]
        bottom, top = numerals.outward(low(category), high(category), decimals)
        if is_estimated(category) and low(category) <= category["estimate"] <= high(category):
            words = {"mean": mean, "low": bottom, "high": top}
            return [_("The mean is %(mean)s (likely between %(low)s and %(high)s).") % words]
        words = {"low": bottom, "high": numerals.with_unit(top, unit)}
        return [_("The mean is likely between %(low)s and %(high)s.") % words]

    def numbers(self, result: Result, method: Method) -> Context:
        return {"mean": _mean(result, method["categories"][0]), "at_every_release": holds_at_every_release(method)}

    def alternative(self, result: Result, level: str) -> str:
        mean = _mean(result, result["methods"][0]["categories"][0])
        words = {"scale": _ends(result), "level": level, **mean}
        if not is_estimated(result["methods"][0]["categories"][0]):
            sentence = _(
                "Interval on the scale from %(scale)s, without an estimate: mean of those who were asked, %(level)s "
                "interval %(interval)s."
            )
        elif about_reached(result):
            sentence = _(
                "Dot with interval on the scale from %(scale)s: estimated mean of those who were asked %(estimate)s, "
                "%(level)s interval %(interval)s."
            )
        elif target(result) == "respondents":
            sentence = _(
                "Dot with interval on the scale from %(scale)s: estimated mean of the respondents %(estimate)s, "
                "%(level)s interval %(interval)s."
            )
        else:
            sentence = _(
                "Dot with interval on the scale from %(scale)s: estimated mean %(estimate)s, %(level)s interval "
                "%(interval)s."
            )
        return sentence % words

    def possible(self, estimates: list[float], result: Result) -> list[float]:
        scale = self.scale(result)
        return [min(max(mean, scale.low), scale.high) for mean in estimates]

    def written(self, value: float, result: Result, method: Method) -> str:
        decimals = numerals.places(numerals.error_of(targeted(method["categories"][0]), alone=False))
        return numerals.with_unit(numerals.number(value, decimals), result["unit"])

    def layout(self, result: Result, width: str) -> Plan:
        return layout.number_line(result, width)


def _mean(result: Result, category: Category) -> dict[str, str]:
    about, unit = targeted(category), result["unit"]
    decimals = numerals.places(numerals.error_of(about))
    low_end, high_end = about["interval"]
    bottom, top = numerals.outward(low_end, high_end, decimals)
    own = {
        "estimate": numerals.with_unit(numerals.number(category["estimate"], decimals), unit),
        "standard_error": numerals.with_unit(numerals.number(about["standard_error"], decimals), unit),
    }
    known = own if is_estimated(category) else dict.fromkeys(own, numerals.NONE)
    return known | {"interval": numerals.with_unit(numerals.to(bottom, top), unit)}


def _ends(question: Question | Result) -> str:
    bottom, top = numerals.decimal(question["low"]), numerals.decimal(question["high"])
    return numerals.with_unit(numerals.to(bottom, top), question["unit"])


KIND: Kind = Mean()
