"""The most that readers of published results can learn, as sentences (M49). All pages and documents use them. No bound
protects against people who see a report arrive with its sender."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ldp.forms.audiences import Audiences, Readers
from surveys.figures import numerals

TITLE = gettext_lazy("What readers of the results can learn")
LIMIT = gettext_lazy(
    "This does not protect against the people who run this site, or anyone else who sees a report arrive with its "
    "sender: against them, only alpha limits what a report reveals."
)


def sentences(audiences: Audiences) -> list[str]:
    """Return the bounds, the number of reports among which each is hidden, and the readers without a bound."""
    best = audiences.together or audiences.step
    if not best.less:
        return [_("Readers of the results, who see no report arrive, may learn as much as alpha allows."), str(LIMIT)]
    text = _(
        "Readers of the results, who see no report arrive, can change the odds of a guess about a person at most "
        "%(factor)s-fold (ε = %(epsilon)s), apart from a chance (δ) of at most %(chance)s."
    )
    return [_filled(text, _numbers(best)), _hidden(audiences) % _numbers(best), *_known(audiences), str(LIMIT)]


def gain(once: Audiences | None, steps: Audiences | None, people: int) -> str:
    """Return how much less readers learn if a survey publishes once; empty if it is no less."""
    if once is None or steps is None:
        return ""
    best, other = once.together or once.step, steps.step
    if not best.less or best.epsilon >= other.epsilon:
        return ""
    text = _(
        "With %(n)s people, readers of the results can then change the odds of a guess about a person at most "
        "%(factor)s-fold (ε = %(epsilon)s); with releases while the survey runs, %(other)s-fold (ε = %(more)s). Both "
        "leave out a chance (δ) of at most %(chance)s."
    )
    numbers = {"n": numerals.integer(people), "chance": numerals.chance(max(best.delta, other.delta))}
    return _filled(text, _numbers(best) | numbers | {"other": _factor(other), "more": _epsilon(other)})


def _hidden(audiences: Audiences) -> str:
    """Return among which reports a report is hidden, with a placeholder for their number."""
    if audiences.together:
        return _(
            "The results are published once, so a report is hidden among all %(n)s reports, as long as no one knows "
            "which form the person was given."
        )
    if audiences.once and audiences.among == "group":
        return _("The results are published once, so a report is hidden among the %(n)s reports of its group.")
    if audiences.once:
        return _("The results are published once, so a report is hidden among all %(n)s reports.")
    return {
        "survey": _(
            "Two releases can be subtracted, so a report is hidden among the reports that its release added: %(n)s at "
            "the smallest step."
        ),
        "form": _(
            "Two releases can be subtracted, so a report is hidden among the reports of its form that its release "
            "added: %(n)s at the smallest step."
        ),
        "group": _(
            "Two releases can be subtracted, so a report is hidden among the reports of its group that its release "
            "added: %(n)s at the smallest step."
        ),
    }[audiences.among]


def _known(audiences: Audiences) -> list[str]:
    """Return what a reader can learn who knows a person's form."""
    if audiences.together is None:
        return []
    if not audiences.step.less:
        return [_("A reader who knows the person's form may learn as much as alpha allows.")]
    text = _("A reader who knows the person's form can change the odds at most %(factor)s-fold (ε = %(epsilon)s).")
    return [_filled(text, _numbers(audiences.step))]


def _filled(text: str, numbers: dict[str, str]) -> str:
    """Return the sentence with its numbers. No line break separates an epsilon from its number."""
    return (text % numbers).replace("ε = ", "ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")


def _numbers(readers: Readers) -> dict[str, str]:
    return {
        "factor": _factor(readers),
        "epsilon": _epsilon(readers),
        "chance": numerals.chance(readers.delta),
        "n": numerals.integer(readers.n),
    }


def _factor(readers: Readers) -> str:
    return numerals.odds_factor(str(readers.epsilon))


def _epsilon(readers: Readers) -> str:
    """Return epsilon as text, rounded up."""
    return numerals.rounded_up(readers.epsilon)
