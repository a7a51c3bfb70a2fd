"""The figures of one question at an alpha, as text: meaning, gains and costs. All are computed by ldp."""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.exact import ALPHA_WEAK
from ldp.planning import meaning, thirds
from ldp.planning.candidates import PlannedQuestion
from ldp.planning.outlook import HOPELESS
from ldp.planning.plans import Plan, plan
from ldp.planning.routed import Reach
from ldp.question import Drawn
from ldp.scores import Target
from surveys.designer.privacy import plot
from surveys.designer.studio import meaning as words
from surveys.figures import numerals, strengths
from surveys.figures.scale import Scale
from surveys.figures.sentences import within
from surveys.figures.targets import planned_about
from surveys.rules.context import Context
from surveys.rules.texts import decimal
from surveys.survey import kinds
from surveys.survey.mechanisms import MECHANISMS

POINTS = 40


def says_nothing(half_width: float) -> bool:
    """Return whether an interval with this half-width, a share of the scale, covers all possible values."""
    return half_width >= 1 / 2


class WidthUnit(NamedTuple):
    """The unit of a question's half-widths: percentage points, or a mean's unit."""

    times: float
    unit: str

    def text(self, half_width: float) -> str:
        """Return a half-width as text, rounded up to two significant digits. A half-width of half the scale covers all
        possible values; larger ones show as "or more"."""
        if says_nothing(half_width):
            return _("±%(points)s or more") % {"points": numerals.rounded_up(self.times / 2)}
        return numerals.plus_minus(numerals.rounded_up(half_width * self.times))

    def planned(self, half_width: float, n: int) -> str:
        """Return the half-width with n people as text, or words if it means nothing."""
        if says_nothing(half_width):
            return _("says nothing with %(n)s people") % {"n": numerals.integer(n)}
        return self.text(half_width)

    def full(self, half_width: float) -> str:
        return numerals.with_unit(self.text(half_width), self.unit)


def measure(question: Drawn) -> WidthUnit:
    scale: Scale = kinds.of(question).scale(question)
    if scale.quantity == "mean":
        return WidthUnit(scale.width, _("steps") if "steps" in question else scale.unit)
    return WidthUnit(100, _("points"))


def figures(
    question: Drawn, plan: PlannedQuestion, n: int, wished: float, target: Target, whom: Reach | None = None
) -> Context:
    """Return the context of designer/alpha_figures.html for a definition's question. `wished` is a half-width in the
    unit of `measure`."""
    alpha, shown = Fraction(question["alpha"]), measure(question)
    curve = thirds.curve(plan, alpha, *plot.span(n), POINTS, target, whom)
    now, its_plan = thirds.point(plan, alpha, n, target=target, whom=whom), planned(plan, alpha, n)
    named = next(option for option in its_plan.options if option.mechanism == question["mechanism"])
    return _meaning(question, n) | {
        "unit": shown.unit,
        "widths": _widths(now, shown),
        "width": shown.full(now.local),
        "about": planned_about(target, "form" in question),
        "mean_ranks": _mean_ranks(question, n),
        "effective": numerals.count(_effective(plan, alpha, n, whom) if whom else named.effective_n),
        "price": numerals.number(now.local / now.without_privacy, 1) if now.without_privacy else "",
        "price_of_locality": numerals.number(now.local / now.curator, 1),
        "plots": _plots(curve, now, shown),
        "thirds": _thirds(plan, alpha, n, wished, shown, target, whom),
        "ranking": _ranking(its_plan, question, plan, n, shown, target, whom),
        "cautions": _cautions(its_plan, question, plan, alpha, n, whom),
    }


def _effective(plan: PlannedQuestion, alpha: Fraction, n: int, whom: Reach) -> float:
    """Return how many answers without privacy give the same half-width among people who are asked."""
    now = thirds.point(plan, alpha, n, whom=whom)
    assert now.without_privacy
    return n * whom.part * (now.without_privacy / now.local) ** 2


def joint_figures(question: Drawn, plan: PlannedQuestion, n: int, target: Target, whom: Reach | None = None) -> Context:
    """Return the figures of a jointly randomized question that depend on this alpha alone."""
    alpha, shown = Fraction(question["alpha"]), measure(question)
    width = thirds.built_half_width(question, n, target=target, whom=whom)
    now = thirds.point(plan, alpha, n, target=target, whom=whom)
    return _meaning(question, n) | {
        "unit": shown.unit,
        "widths": _widths(now._replace(local=width, bound=None), shown),
        "width": shown.full(width),
        "about": planned_about(target, "form" in question),
    }


def _meaning(question: Drawn, n: int) -> Context:
    """Return the meaning of its alpha for a person."""
    factor, picture = meaning.factor(question), words.picture(question)
    return {
        "people": numerals.integer(n),
        "step": strengths.of_question(Fraction(question["alpha"])),
        "picture": picture,
        "arrays": [plot.hundred(picture.same), plot.hundred(picture.other)],
        "belief": words.belief_line(factor),
        "beliefs": words.beliefs(factor),
        "odds": numerals.odds_factor(question["alpha"]),
        "delta": numerals.chance(Fraction(question["delta"])) if "delta" in question else "",
    }


def planned(planned_question: PlannedQuestion, alpha: Fraction, n: int) -> Plan:
    d, items, sample = planned_question.size
    return plan(planned_question.kind, d, alpha, n, items=items, sample=int(sample), delta=planned_question.delta)


# Interval ---------------------------------------------------------------------------------------------------------


def _widths(now: thirds.Point, shown: WidthUnit) -> list[tuple[str, str, str]]:
    """Return the lines of the plot: style, label, half-width."""
    rows = [
        ("local", _("With this alpha"), now.local),
        ("bound", _("Least possible with this alpha"), now.bound),
        ("curator", _("If a trusted person saw every answer"), now.curator),
        ("without-privacy", _("Without privacy"), now.without_privacy),
    ]
    return [(style, label, shown.text(width)) for style, label, width in rows if width is not None]


def _plots(curve: list[thirds.Point], now: thirds.Point, shown: WidthUnit) -> list[str]:
    title = _("Half-width of the interval against the number of people. For %(n)s people:") % {
        "n": numerals.integer(now.n)
    }
    title += " " + "; ".join(f"{within(label)} {width}" for _style, label, width in _widths(now, shown)) + "."
    label = _("± %(unit)s") % {"unit": shown.unit} if shown.unit else "±"
    drawn = plot.Plot(curve, now, shown.times, label, _("people"), title)
    return [plot.draw(drawn, form) for form in plot.FORMS]


def _mean_ranks(question: Drawn, n: int) -> str:
    """Return the half-width of a ranking's mean ranks; "" for other questions, or if it covers the whole range."""
    if "ranked" not in question:
        return ""
    width = thirds.mean_rank_half_width(question, n)
    return (
        "" if says_nothing(width / (len(question["ranked"]) - 1)) else numerals.plus_minus(numerals.rounded_up(width))
    )


def _thirds(
    plan: PlannedQuestion,
    alpha: Fraction,
    n: int,
    wished: float,
    shown: WidthUnit,
    target: Target,
    whom: Reach | None,
) -> Context:
    """Return each of alpha, people and half-width from the other two. With a delta, no alpha is searched: making the
    tables would take too long."""
    share = wished / shown.times
    people = thirds.people(plan, alpha, share, target=target, whom=whom)
    needed = thirds.alpha(plan, n, share, target=target, whom=whom) if plan.delta is None else None
    return {
        "alpha": decimal(alpha),
        "n": numerals.integer(n),
        "wished": numerals.with_unit(numerals.plus_minus(numerals.local(f"{wished:g}")), shown.unit),
        "width": shown.full(thirds.half_width(plan, alpha, n, target=target, whom=whom)),
        "people": "" if people is None else numerals.integer(people),
        "needed": "" if needed is None else decimal(needed),
        "searched": plan.delta is None,
    }


# Mechanisms -------------------------------------------------------------------------------------------------------


def _ranking(
    its_plan: Plan,
    question: Drawn,
    plan: PlannedQuestion,
    n: int,
    shown: WidthUnit,
    target: Target,
    whom: Reach | None,
) -> list[Context]:
    def width(mechanism: str) -> float:
        named, alpha = plan._replace(mechanism=mechanism), Fraction(question["alpha"])
        return thirds.half_width(named, alpha, n, target=target, whom=whom)

    return [
        {
            "name": option.mechanism,
            "label": MECHANISMS[option.mechanism].name,
            "width": shown.text(width(option.mechanism)),
            "efficiency": "" if option.efficiency is None else numerals.percent(option.efficiency),
            "chosen": option.mechanism == question["mechanism"],
        }
        for option in its_plan.options
    ]


def _cautions(
    its_plan: Plan, question: Drawn, plan: PlannedQuestion, alpha: Fraction, n: int, whom: Reach | None
) -> list[str]:
    """Return the planner's warnings in words and in its order. `_thirds` shows the people that a wished width needs."""
    codes, texts = [caution.code for caution in its_plan.warnings], []
    if alpha > ALPHA_WEAK:
        texts.append(
            _(
                "At this alpha, a report can come close to revealing the answer. Say so to your respondents, or "
                "choose a smaller alpha."
            )
        )
    if "hopeless" in codes or (whom and thirds.half_width(plan, alpha, n, whom=whom) >= HOPELESS):
        needed = thirds.people(plan, alpha, HOPELESS, whom=whom)
        text = _("With so few people an interval spans half of all possible values or more: expect no result.")
        texts.append(
            text
            + (" " + _("From about %(n)s people on there is one.") % {"n": numerals.integer(needed)} if needed else "")
        )
    elif "coarse" in codes:
        texts.append(
            _(
                "If all answers are about equally common, each could also be an answer that no one gives. More people "
                "or fewer options help."
            )
        )
    if its_plan.bins and (advised := its_plan.bins["advised"]) and _far(len(question["edges"]) - 1, advised):
        asks, best = len(question["edges"]) - 1, {"advised": advised}
        text = ngettext("It has %(n)s bin;", "It has %(n)s bins;", asks) % {"n": asks}
        texts.append(text + " " + _("for smoothly spread answers and this many people, %(advised)s are best.") % best)
    return texts


def default_half_width(question: Drawn | None) -> str:
    """Return the default of the wished half-width: five points, or a twentieth of a mean's range."""
    return decimal(Decimal(f"{measure(question).times / 20:g}")) if question else "5"


def _far(bins: int, advised: int) -> bool:
    """Return whether the number of bins is far from the advised one. Round edges seldom match it exactly."""
    return not 2 * advised <= 3 * bins <= 4.5 * advised
