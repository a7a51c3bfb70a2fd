"""The outlook on an answer that is more common in one group than in another, for planned numbers of people (M31b)."""

from collections.abc import Sequence
from functools import partial

from django.http import QueryDict
from django.utils.translation import gettext as _

from ldp import search, subgroups
from ldp.planning import groups
from ldp.planning.associations import of_ways
from ldp.planning.expectation import Way
from ldp.planning.regressions import CELLS_MAX
from ldp.subgroup_comparisons import DIFFERENCES_MAX, compared
from surveys.figures import numerals
from surveys.researcher.analyses.frame import planning
from surveys.researcher.analyses.frame.planning import PairOutlook, QuestionPlan
from surveys.researcher.analyses.weighting.pasted import percent_of
from surveys.rules.texts import decimal

POINTS = "10"


def outlook(questions: Sequence[QuestionPlan], data: QueryDict, n: int) -> PairOutlook | None:
    """Return what groups would show; None without two questions for everyone with their form."""
    points = data.get("apart", "").strip() or POINTS
    say = partial(_sentences, questions, points, n)
    shown = planning.outlook_of_two(planning.for_everyone(questions), data, ("groups", "compared"), say)
    return shown and shown._replace(points=points)


def _sentences(
    every: Sequence[QuestionPlan], points: str, n: int, stratum: QuestionPlan, question: QuestionPlan
) -> list[str]:
    apart = _("They are in two different forms: no one is asked both, so they cannot be crossed.")
    many = _("Together they have too many answers to say here what would show.")
    size = percent_of(points)
    if hindering := planning.hindrance(stratum, question, CELLS_MAX, apart, many):
        return [hindering]
    if not size:
        return [_("Type the difference in percentage points, as a number above 0 and at most 100.")]
    share = planning.share((stratum, question))
    ways = planning.ways_of_two((stratum, question))
    own, other = ways[0].first, ways[0].second
    words = {"points": numerals.decimal(decimal(size)), "stratum": own.text, "question": other.text}
    words |= {"answer": other.options[0], "one": own.options[0], "other": own.options[1]}
    words |= {"people": numerals.integer(n), "n": numerals.integer(max(1, int(n * share)))}
    texts = [
        planning.about_both(share),
        *_figures(ways, share, differences_compared(every, stratum), float(size) / 100, n, words),
    ]
    return [sentence % words for sentence in texts]


def _figures(
    ways: Sequence[Way], share: float, together: int, difference: float, n: int, words: dict[str, str]
) -> list[str]:
    """Return sentences about the difference that this many people show. Their figures are added to `words`."""
    expected, shape = of_ways(ways), (len(ways[0].first.options), len(ways[0].second.options))
    about = max(1, int(n * share))
    people = groups.law(groups.sizes(shape[0], 1 / shape[0]), shape[1], difference)
    planned = groups.Planned(expected, people, together)
    words["chance"] = numerals.percent(planning.rounded(planned.chance(about)))
    texts = [
        _(
            "If “%(answer)s” to “%(question)s” is %(points)s points more common among those who answer “%(one)s” to "
            "“%(stratum)s” than among those who answer “%(other)s”, the page of subgroups shows it with a chance of "
            "about %(chance)s, where all groups are equally large."
        )
    ]
    needed = planned.needed()
    if needed is None:
        return [*texts, _("No number of people would show this.")]
    words |= {"needed": numerals.count_up(int(needed / share)), "both": numerals.count_up(needed)}
    words["wanted"] = numerals.percent(search.POWER)
    texts.append(planning.needed_text(share))
    least = groups.smallest_group(expected, shape, difference, about, together)
    if least is None:
        return [*texts, _("With %(people)s people, no group may be smaller than the others.")]
    words["least"] = numerals.percent(least)
    return [
        *texts,
        _("With %(people)s people, one of the two groups may be as small as %(least)s of those who are asked both."),
    ]


def differences_compared(questions: Sequence[QuestionPlan], stratum: QuestionPlan) -> int:
    """Return the number of differences on the subgroups page of this stratum; the maximum if it has too many."""
    built = [each.built for each in questions if each.built and not planning.in_two_forms((each, stratum))]
    try:
        return compared(*subgroups.partners(built, stratum.key))
    except subgroups.NoSubgroups:
        return DIFFERENCES_MAX
