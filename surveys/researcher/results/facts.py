"""The numbers beside a plot: term, value, and a sentence of explanation."""

from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ldp.document import ReleaseHeader
from ldp.inference.estimates import TARGETS
from ldp.question import Drawn, asked_in, channels, has_channels, of_asked
from surveys.figures import numerals
from surveys.figures.display import Method, Result
from surveys.figures.sentences import within
from surveys.researcher.results import anchors, forms, routing
from surveys.researcher.results.glossary import INTERVALS, METHODS
from surveys.survey import kinds, mechanisms
from surveys.survey.kinds import Fact


def of_question(question: Drawn, part: Result, document: ReleaseHeader, by_key: dict[str, Drawn]) -> list[Fact]:
    """Return the facts that are the same for all its parts, of which `part` is one; `by_key` has all questions."""
    first = part["methods"][0]
    method = Fact(_("Method"), *METHODS[first["method"]])
    lines = [
        *forms.fact(question, document),
        _reports(question, document),
        *routing.facts(question, by_key, part),
        *anchors.facts(question),
    ]
    return [*lines, _privacy(question), _mechanism(question), method, intervals(first, asked_in(question) is not None)]


def of_method(method: Method, result: Result) -> list[Fact]:
    """Return how informative the method is, if known. The effective sample size counts everyone, asked or not."""
    efficiency = method["at_equal_shares"]["efficiency"]
    worth = [_efficiency(efficiency, result.get("joint", False))]
    if result.get("of_asked", False):
        return [fact for fact in worth if fact]
    worth.append(_effective(method, result["n_about"]))
    if kinds.of(result).options_are_answers:
        worth.append(_by_share(method))
    return [fact for fact in worth if fact]


def about_item(result: Result, document: ReleaseHeader) -> str:
    """Return a sentence with the number of reports about an item. The effective sample size counts everyone, asked or
    not."""
    counts = {"n": numerals.count(result["n_about"]), "everyone": numerals.count(forms.reports(result, document))}
    if result.get("of_asked", False):
        return _("%(n)s of the %(everyone)s reports are about this item.") % counts
    text = _(
        "%(n)s of the %(everyone)s reports are about this item. They are as precise as %(effective)s answers without "
        "any privacy would be (effective sample size, at the estimated shares)."
    )
    effective = numerals.count(result["methods"][0]["at_estimate"]["effective_n"])
    return text % (counts | {"effective": effective})


def apart_from(delta: Fraction | int) -> str:
    """Return what (alpha, delta) promises less than alpha alone; empty without a delta."""
    if not delta:
        return ""
    text = _(", apart from a chance (δ) of at most %(chance)s that it happens to reveal more")
    return text % {"chance": numerals.chance(Fraction(delta))}


def intervals(method: Method, in_form: bool = False) -> Fact:
    """Return the kind of the population's intervals, and the respondents' kind if it differs."""
    population, respondents = (method["categories"][0][target]["interval_method"] for target in TARGETS)
    name, meaning = map(str, INTERVALS[population])
    if respondents != population:
        other, its = map(str, INTERVALS[respondents])
        text = _("The intervals for only these respondents are of another kind, %(kind)s: %(meaning)s")
        if in_form:
            text = _("The intervals for only those who were asked are of another kind, %(kind)s: %(meaning)s")
        meaning += " " + text % {"kind": within(other), "meaning": within(its)}
    return Fact(_("Intervals"), name, meaning)


def _reports(question: Drawn, document: ReleaseHeader) -> Fact:
    everyone, in_form = SENDERS[_report_about(question)]
    text = in_form if asked_in(question) is not None else everyone
    number = numerals.count(forms.reports(question, document))
    return Fact(_("Reports"), number, _(text) % {"sample": _sample(question)})


def _report_about(question: Drawn) -> str:
    """Return the subject of a report, if it is not the answer of everyone who was asked; else "answer"."""
    sampling = kinds.of(question).sampling
    if sampling:
        return sampling.elements
    return "asked or not" if "asked_if" in question else "answer"


# The sender of a report, by its subject: in a survey without forms, and about a question of one form.
SENDERS = {
    "answers": (
        gettext_noop("Everyone who took part sent one. It is about %(sample)s answers, drawn by chance."),
        gettext_noop("Everyone who got this form sent one. It is about %(sample)s answers, drawn by chance."),
    ),
    "entries": (
        gettext_noop("Everyone who took part sent one. It is about %(sample)s entries, drawn by chance."),
        gettext_noop("Everyone who got this form sent one. It is about %(sample)s entries, drawn by chance."),
    ),
    "items": (
        gettext_noop("Everyone who took part sent one. It is about %(sample)s items, drawn by chance."),
        gettext_noop("Everyone who got this form sent one. It is about %(sample)s items, drawn by chance."),
    ),
    "asked or not": (
        gettext_noop("Everyone who took part sent one, whether they were asked this question or not."),
        gettext_noop("Everyone who got this form sent one, whether they were asked this question or not."),
    ),
    "answer": (
        gettext_noop("Everyone who took part answered this question."),
        gettext_noop("Everyone who got this form and took part answered this question."),
    ),
}


def _sample(question: Drawn) -> str:
    """Return how many parts a report is about; empty if it is about the whole answer."""
    sampling = kinds.of(question).sampling
    if not sampling:
        return ""
    numbers = sorted({own["table"]["sample"] for own in channels(question)})
    *others, some = map(numerals.integer, numbers)
    if others:
        some = _("%(others)s or %(last)s") % {"others": _(", ").join(others), "last": some}
    return _("%(some)s of the %(all)s") % {"some": some, "all": sampling.all(question)}


def _most(question: Drawn) -> str:
    """Return the largest alpha of the question's draws."""
    return max((each["alpha"] for each in question.get("asked", [question])), key=Fraction)


def _privacy(question: Drawn) -> Fact:
    value = f"α = {forms.alpha(question)}" + (f", δ = {question['delta']}" if "delta" in question else "")
    meaning = {
        "answers": _(
            "From this one answer, the odds between two answers change by a factor of at most %(many)s%(but)s."
        ),
        "sets of answers": _(
            "From this one question, the odds between two sets of answers change by a factor of at most "
            "%(many)s%(but)s."
        ),
        "orders": _(
            "From this one question, the odds between two orders change by a factor of at most %(many)s%(but)s."
        ),
        "a joint form": _(
            "From the answers to these questions together, the odds between two sets of answers change by a factor of "
            "at most %(many)s%(but)s; so do those between two answers to one of them."
        ),
    }["a joint form" if question.get("joint") else kinds.of(question).answer]
    but = apart_from(Fraction(question.get("delta", "0")))
    term = _("Privacy parameters") if "delta" in question else _("Privacy parameter")
    return Fact(term, value, meaning % {"many": numerals.odds_factor(_most(question)), "but": but})


def _mechanism(question: Drawn) -> Fact:
    if not has_channels(question):
        sent = _sent(question)
    else:
        each = ((forms.name(own["form"]), _sent(of_asked(question, [own]))) for own in question["asked"])
        sent = " ".join(f"{name}: {text}" for name, text in each)
    return Fact(_("Mechanism"), mechanisms.of(question).name, sent)


def _sent(question: Drawn) -> str:
    """Return what each browser sent through one channel, in words."""
    sent = mechanisms.sent(question, _sample(question))
    if not question.get("joint"):
        return sent
    counts = {len(each["together"]) for each in question.get("asked", [question])}
    if len(counts) > 1:
        return sent + " " + _("One draw decided for all questions that were randomized together.")
    return (
        sent + " " + _("One draw decided for all %(n)d questions that were randomized together.") % {"n": counts.pop()}
    )


def _efficiency(efficiency: float | None, joint: bool) -> Fact | None:
    if efficiency is None:
        return None
    share = numerals.percent(efficiency)
    if joint:
        meaning = _(
            "The best mechanism possible that spent all of the form's α on this one question would need %(share)s as "
            "many reports for the same precision (minimax bound, equal shares, many reports)."
        ) % {"share": share}
    elif efficiency > 1 - 1e-6:
        meaning = _("No mechanism with the same α is more precise (minimax bound, equal shares, many reports).")
    else:
        meaning = _(
            "The best mechanism possible with the same α needs %(share)s as many reports for the same "
            "precision (minimax bound, equal shares, many reports)."
        ) % {"share": share}
    return Fact(_("Efficiency"), share, meaning)


def _effective(method: Method, n: int) -> Fact | None:
    """Return the effective sample size at the estimated shares. Noise hides a rare answer more than a common one."""
    here, equal = method["at_estimate"]["effective_n"], method["at_equal_shares"]["effective_n"]
    if here is None:
        return None
    text = _(
        "At the estimated shares, these %(n)s reports are as precise as this many answers without any privacy would "
        "be. If all shares were equal, it would be %(equal)s."
    )
    meaning = text % {"n": numerals.count(n), "equal": numerals.count(equal)}
    return Fact(_("Effective sample size"), numerals.count(here), meaning)


def _by_share(method: Method) -> Fact | None:
    """Return the effective sample sizes of single shares, from the rarest to the most common answer."""
    known = [(category, n) for category in method["categories"] if (n := category.get("effective_n"))]
    if len(known) < 2:
        return None
    rarest, its = min(known, key=lambda each: each[0]["estimate"])
    least, most = (bound(n for _category, n in known) for bound in (min, max))
    text = _(
        "Each share alone is as precise as this many answers without any privacy would make it. For “%(answer)s”, the "
        "least common answer by its estimate, it is %(effective)s."
    )
    meaning = text % {"answer": rarest["option"], "effective": numerals.count(its)}
    value = numerals.to(numerals.count(least), numerals.count(most))
    return Fact(_("Effective sample size of a share"), value, meaning)
