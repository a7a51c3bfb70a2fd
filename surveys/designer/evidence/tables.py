"""Tables that several documents share: the largest privacy loss of each question and report, and the integer tables,
which determine every probability."""

from fractions import Fraction

from django.utils.translation import gettext as _

from ldp.forms.report import Part
from ldp.mechanisms import of
from ldp.planning import meaning
from ldp.question import Drawn
from surveys.designer.evidence.facts import Facts, QuestionFacts, ReportFacts
from surveys.designer.evidence.paper import PaperTable, integers, joined
from surveys.designer.studio.meaning import PRIORS
from surveys.figures import numerals
from surveys.rules.texts import decimal
from surveys.survey import kinds, mechanisms


def questions(facts: Facts) -> PaperTable:
    return PaperTable(
        _("The questions"),
        [
            _("Key"), _("Question"), _("Form"), _("Mechanism"), "α", _("α realized"), "δ",
            _("Reported, of 100 with the answer"), _("Reported, of 100 without it"),
        ],
        [_row(each) for each in facts.questions],
    )  # fmt: skip


def _row(each: QuestionFacts) -> list[str]:
    question = each.question
    return [
        question["key"],
        question["text"],
        each.stands_in or _("everyone"),
        str(mechanisms.of(question).name) + (_(", together with others") if "joint" in question else ""),
        each.by_channel(lambda one: one["alpha"]),
        each.by_channel(realized),
        question.get("delta", "0"),
        each.by_channel(lambda one: str(meaning.of_hundred(meaning.frequencies(one).same))),
        each.by_channel(lambda one: str(meaning.of_hundred(meaning.frequencies(one).other))),
    ]


def realized(question: Drawn) -> str:
    """Return the smallest alpha that the question's table satisfies."""
    return exact(of(question).realized().alpha)


def exact(value: float) -> str:
    """Return the number with six decimals and a point, as the API writes it."""
    return f"{value:.6f}"


def drawn_items(facts: Facts) -> list[str]:
    """Return a paragraph that lists the questions with drawn items; [] if there are none."""
    drawn = [f"{each.question['key']} ({each.drawn_items})" for each in facts.questions if each.drawn_items]
    text = _(
        "Of these questions a report is about some items only: %(questions)s. The browser draws them at random, "
        "whatever the answers. The report names the drawn items and has randomized answers about those alone. α holds "
        "whichever items are drawn."
    )
    return [text % {"questions": joined(drawn)}] if drawn else []


def reports(facts: Facts) -> PaperTable:
    return PaperTable(
        _("What one report reveals at most"),
        [
            _("Form"), _("Probability"), _("Questions"), "α", _("α realized"), "δ",
            *(_("A guess of %(prior)s%%") % {"prior": prior} for prior in PRIORS),
        ],
        [_report(each) for each in facts.reports],
    )  # fmt: skip


def _report(each: ReportFacts) -> list[str]:
    beliefs = [
        _("%(low)s%% to %(high)s%%") % dict(zip(("low", "high"), each.belief(one), strict=True)) for one in PRIORS
    ]
    chance = f"{each.share.numerator}/{each.share.denominator}"
    own = [str(each.number), chance, joined(each.keys), each.alpha, exact(each.realized_alpha), delta(each.delta)]
    return [*own, *beliefs]


def integer_tables(facts: Facts) -> PaperTable:
    """Return one row for each draw of the definition: first the draws for everyone, then each form's."""
    parts = {(part.form, part.keys): part for each in facts.reports for part in each.parts}
    head = [_("Form"), _("Key"), _("What a browser sends"), _("What the integers are"), _("Integers")]
    return PaperTable(_("The integer tables of the definition"), head, [_integers(part) for part in parts.values()])


def _integers(part: Part) -> list[str]:
    form = _("everyone") if part.form is None else numerals.integer(part.form + 1)
    sends = _together(part) if part.joint else _sent(part.drawn[0])
    return [form, joined(part.keys), sends, str(mechanisms.of(part.draw).table), integers(part.draw["table"])]


def _sent(question: Drawn) -> str:
    sampling = kinds.of(question).sampling
    sample = f"{question['table']['sample']}/{sampling.all(question)}" if sampling else ""
    return mechanisms.sent(question, sample)


def _together(part: Part) -> str:
    text = _(
        "With a chance of %(keep)s the answers to all of these questions, or to their drawn items, are among what is "
        "sent; otherwise all of it is random."
    )
    return text % {"keep": numerals.chance_percent(mechanisms.keep(part.draw["table"]))}


def delta(value: Fraction) -> str:
    return decimal(value) if value else "0"
