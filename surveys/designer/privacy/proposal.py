"""What is proposed to a designer who knows how strongly a report shall be protected and how many people will answer
(M36): the forms, a sentence for each, and the same survey asked otherwise beside them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.planning import form_prices, thirds
from ldp.planning.form_plans import Comparison, Plans, merit
from ldp.planning.form_prices import Wanted
from ldp.planning.proposals import PlannedForm, Proposal, expected_for
from surveys.designer.privacy.figures import measure
from surveys.designer.privacy.questions import StudioQuestion, forms_of
from surveys.designer.privacy.standing import Standing, standing
from surveys.designer.privacy.verdicts import Verdict, verdict
from surveys.designer.privacy.wish import Wish
from surveys.drafts import proposals
from surveys.drafts.outline import deciding
from surveys.drafts.proposals import Pairs
from surveys.figures import numerals
from surveys.rules.texts import decimal


def plannable(questions: Sequence[StudioQuestion]) -> list[StudioQuestion]:
    """The questions that could be built with some alpha."""
    return [alone for question in questions if (alone := question.without_form).variant.built]


def linked(questions: Sequence[StudioQuestion]) -> Pairs:
    """Which of these depend on which."""
    places = {question.key: place for place, question in enumerate(questions)}
    pairs = [(key, question.key) for question in questions for key in deciding(question.draft)]
    return frozenset((places[decider], places[own]) for decider, own in pairs if decider in places)


class ProposalOffer(NamedTuple):
    """What is proposed, with the other ways to ask beside it, which answer `asked`. `wish` is that of the proposal;
    `stands` where it is what stands, since anything else that could be proposed is worse."""

    plans: Plans
    comparison: Comparison
    asked: Wish
    wish: Wish
    stands: bool

    @property
    def proposal(self) -> Proposal:
        return self.comparison.proposal

    def answer(self, which: str) -> tuple[Proposal | None, Wish]:
        """The proposal, or another way to ask by its name, and the wish that it answers."""
        way = getattr(self.comparison, which) if which in Comparison._fields else None
        return way, self.wish if which == "proposal" else self.asked


def offer(questions: Sequence[StudioQuestion], planned: Sequence[StudioQuestion], wish: Wish) -> ProposalOffer:
    """The offer for the questions that can be planned, among all of a draft. ValueError where nothing can be
    proposed."""
    plans = plans_for(planned, wish)
    comparison, stands = plans.at(wish.n), _standing(questions, planned, plans, wish)
    if stands is None:
        return ProposalOffer(plans, comparison, wish, wish, False)
    kept = wish._replace(own=stands.own)
    new, old = half_widths(planned, comparison.proposal, wish), half_widths(planned, stands.proposal, kept)
    if merit(plans.brief.wanted, new).is_no_worse_than(merit(plans.brief.wanted, old)):
        return ProposalOffer(plans, comparison, wish, wish, False)
    return ProposalOffer(plans, comparison._replace(proposal=stands.proposal), wish, kept, True)


def _standing(
    questions: Sequence[StudioQuestion], planned: Sequence[StudioQuestion], plans: Plans, wish: Wish
) -> Standing | None:
    keys = {question.key for question in planned}
    own = [question for question in questions if question.key in keys]
    return standing(own, len(forms_of(questions)), plans.brief.wanted, wish)


def plans_for(questions: Sequence[StudioQuestion], wish: Wish) -> Plans:
    """What is proposed for each number of people. ValueError where nothing can be."""
    wanted = tuple(_wanted(question, wish.widths.get(place)) for place, question in enumerate(questions))
    together, own = wish.crossed | wish.linked, tuple(sorted(wish.own.items()))
    return proposals.plans(wanted, wish.total, wish.fewest, together, own, wish.apart, wish.target)


def _wanted(question: StudioQuestion, width: float | None) -> Wanted:
    plan = question.variant.plan
    assert plan
    return Wanted(plan, 1.0, width)


def each_answers(proposal: Proposal, wish: Wish, count: int) -> str:
    """How many of the questions one person is asked; empty where everybody is asked all."""
    if len(proposal.forms) < 2:
        return ""
    sizes = [len(form.questions) + len(wish.own) for form in proposal.forms]
    values = {"least": min(sizes), "most": max(sizes), "count": count}
    if min(sizes) == max(sizes):
        return _("Each person gets one form, drawn by lot, with %(most)s of the %(count)s questions.") % values
    return _("Each person gets one form, drawn by lot, with %(least)s to %(most)s of the %(count)s questions.") % values


# Side by side ---------------------------------------------------------------------------------------------------------


class ProposalLine(NamedTuple):
    """A question with its half-widths: now, proposed with what is said of it, and asked of everybody with all the
    others."""

    question: StudioQuestion
    now: str
    proposed: str
    verdict: Verdict
    everything: str
    form: str
    alpha: str
    unit: str


def lines(questions: Sequence[StudioQuestion], now: Mapping[str, str], offered: ProposalOffer) -> list[ProposalLine]:
    """`now` are the half-widths as they stand, by key."""
    comparison, wish = offered.comparison, offered.wish
    proposed = half_widths(questions, comparison.proposal, wish)
    everything, homes = half_widths(questions, comparison.everything, offered.asked), _homes(comparison.proposal)
    made = []
    for place, question in enumerate(questions):
        built = question.variant.built
        assert built
        alpha, its = wish.own[place] if place in wish.own else homes[place][1], measure(built)
        home = _("everybody") if place in wish.own or len(comparison.proposal.forms) == 1 else str(homes[place][0])
        other = its.planned(everything[place], wish.n) if everything else ""
        width, words = its.planned(proposed[place], wish.n), verdict(proposed[place])
        made.append(
            ProposalLine(question, now.get(question.key, ""), width, words, other, home, decimal(alpha), its.unit)
        )
    return made


def half_widths(questions: Sequence[StudioQuestion], proposal: Proposal | None, wish: Wish) -> dict[int, float]:
    """The half-widths that a proposal promises, by the question's place; empty where there is no proposal."""
    if proposal is None:
        return {}
    widths = proposal.half_widths(wish.n, wish.target)
    for place, alpha in wish.own.items():
        plan = questions[place].variant.plan
        assert plan
        widths[place] = thirds.half_width(plan, alpha, wish.n, target=wish.target)
    return widths


def _homes(proposal: Proposal) -> dict[int, tuple[int, Fraction]]:
    """For each question its form, from 1, and its alpha or the form's."""
    return {
        question: (number, form.way.alphas[0 if form.way.joint else place])
        for number, form in enumerate(proposal.forms, 1)
        for place, question in enumerate(form.questions)
    }


# In words -------------------------------------------------------------------------------------------------------------


class ProposalReason(NamedTuple):
    title: str
    titles: list[str]
    text: str


def reasons(questions: Sequence[StudioQuestion], proposal: Proposal, wish: Wish) -> list[ProposalReason]:
    """A sentence for each choice."""
    made = [_everybody(questions, wish)] if wish.own else []
    if len(proposal.forms) == 1:
        return [*made, _single(questions, proposal.forms[0], wish)]
    for number, form in enumerate(proposal.forms, 1):
        people = numerals.integer(max(1, round(wish.n * proposal.part(form))))
        title = _("Form %(n)d, about %(people)s people") % {"n": number, "people": people}
        made.append(ProposalReason(title, _titles(questions, form.questions), _reason(questions, form, wish)))
    return made


def _titles(questions: Sequence[StudioQuestion], places: Sequence[int]) -> list[str]:
    return [questions[place].text or questions[place].key for place in places]


def _everybody(questions: Sequence[StudioQuestion], wish: Wish) -> ProposalReason:
    left = decimal(wish.total - sum(wish.own.values(), Fraction(0)))
    text = _(
        "You want to ask everybody these. They take their alphas from every report, which leaves %(left)s for "
        "each form."
    )
    return ProposalReason(_("Everybody"), _titles(questions, sorted(wish.own)), text % {"left": left})


def _single(questions: Sequence[StudioQuestion], form: PlannedForm, wish: Wish) -> ProposalReason:
    if len(form.questions) == 1:
        text = _("There is nothing to divide: the question gets the whole alpha.")
    elif wish.n < 2 * expected_for(wish.fewest):
        text = _("With so few people, no two forms would surely get the %(least)s reports that a result takes.")
        text %= {"least": numerals.integer(wish.fewest)}
    elif wish.crossed or wish.linked:
        text = _("They must be in the same report, so everybody is asked all of them, each with a part of the alpha.")
    else:
        text = _("Asking each person only some of them would not make anything more precise.")
    return ProposalReason(_("Everybody"), _titles(questions, form.questions), text)


def _reason(questions: Sequence[StudioQuestion], form: PlannedForm, wish: Wish) -> str:
    alpha = {"alpha": decimal(sum(form.way.alphas, Fraction(0)))}
    if len(form.questions) == 1:
        return _("It gets the whole alpha of %(alpha)s.") % alpha
    why = _why(form, wish)
    if not form.way.joint:
        text = _(
            "Each answer is randomized by itself, with an equal part of alpha %(alpha)s: randomized together they "
            "would be less precise."
        )
        text %= alpha
        return f"{why} {text}" if why else text
    text = _(
        "They are randomized together, under alpha %(alpha)s: the browser draws once, and either all these answers "
        "are among what is sent or all of it is random."
    )
    text %= alpha
    if gain := _gain(questions, form):
        text += " " + _("Randomized one by one, intervals would be %(times)s times as wide.") % {"times": gain}
    return f"{why} {text}" if why else text


def _why(form: PlannedForm, wish: Wish) -> str:
    own = set(form.questions)
    if any(own >= set(pair) for pair in wish.linked):
        return _("They stay together, since the answer to one decides whether another is asked.")
    if any(own >= set(pair) for pair in wish.crossed):
        return _("They stay together, since you want to cross them.")
    if wish.n < 2 * expected_for(wish.fewest) * len(own):
        return _("In separate forms, they would get too few reports.")
    return ""


def _gain(questions: Sequence[StudioQuestion], form: PlannedForm) -> str:
    """How much wider intervals would be without the joint draw, at most over the questions."""
    plans = [plan for place in form.questions if (plan := questions[place].variant.plan)]
    try:
        apart = next(way for way in form_prices.ways(plans, form.way.alphas[0]) if not way.joint)
    except StopIteration:
        return ""
    ratio = max(own.variance / one.variance for own, one in zip(apart.prices, form.way.prices, strict=True)) ** 0.5
    return numerals.number(ratio, 1) if ratio > 1.05 else ""


def uncrossed(proposal: Proposal) -> str:
    """A sentence on what the forms give up: which answers cannot be crossed. Empty where there is only one form."""
    count = len(proposal.forms)
    if count < 2:
        return ""
    text = ngettext(
        "Answers can be crossed within a form, and with what everybody is asked; not between %(n)d form.",
        "Answers can be crossed within a form, and with what everybody is asked; not between these %(n)d forms.",
        count,
    )
    return text % {"n": count}


def before_the_end(proposal: Proposal, n: int, first: int) -> str:
    """A sentence where forms get fewer people than the first results of a form take; empty where none does."""
    expected = [n * proposal.part(form) for form in proposal.forms]
    if max(expected) < first:
        text = _("With %(people)s people there are no results before the survey ends.")
        return text % {"people": numerals.integer(n)}
    if min(expected) < first:
        text = _("Forms that fewer than %(first)s people get have no results before the survey ends.")
        return text % {"first": numerals.integer(first)}
    return ""


def own_alphas(questions: Sequence[StudioQuestion], wish: Wish) -> dict[str, Fraction]:
    return {questions[place].key: alpha for place, alpha in wish.own.items()}
