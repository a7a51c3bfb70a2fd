"""The reports needed to show a difference between two groups, if a page of subgroups shows none."""

from collections.abc import Sequence

import numpy as np
from django.utils.translation import gettext as _

from ldp import search
from ldp.inference.estimates import onto_simplex
from ldp.inference.variables import Variable, by_channel, part_about
from ldp.planning import groups
from ldp.planning.associations import of_ways
from ldp.planning.expectation import Way
from ldp.planning.regressions import CELLS_MAX
from ldp.subgroups import ByStratum, SubgroupsDocument
from surveys.figures import numerals
from surveys.models import Release
from surveys.researcher.analyses.frame.inputs import option_texts
from surveys.researcher.analyses.frame.reports import forms_about

DIFFERENCE = 0.1


def sentences(
    release: Release, document: SubgroupsDocument, stratum: Variable, others: Sequence[Variable], confidence: float
) -> list[str]:
    """Return a sentence about the power for the first question with two shown groups; none without such a question. The
    shares of the groups are the estimated ones."""
    known = {each.key: each for each in others}
    for question in document["questions"]:
        own = known.get(question["key"])
        if own is not None and _fits(question, stratum, own):
            planned = _planned(release, document, question, (stratum, own), confidence)
            return _sentence(document, question, planned.needed())
    return []


def _fits(question: ByStratum, stratum: Variable, own: Variable) -> bool:
    cells = len(stratum.options) * len(own.options)
    return not own.scale and cells <= CELLS_MAX and sum(each["subgroup"] for each in question["strata"]) >= 2


def _planned(
    release: Release,
    document: SubgroupsDocument,
    question: ByStratum,
    pair: tuple[Variable, Variable],
    confidence: float,
) -> groups.Planned:
    sizes = np.sort(onto_simplex([each["estimate"] for each in question["strata"]]))[::-1]
    law, ways = groups.law(sizes, len(pair[1].options), DIFFERENCE), [_way(release, *each) for each in by_channel(pair)]
    known = [way for way in ways if way.people]
    return groups.Planned(of_ways(known), law, document["compared"], 1 - confidence)


def _way(release: Release, stratum: Variable, own: Variable) -> Way:
    reports = sum(release.tallies[form]["n"] for form in forms_about(release, (stratum, own)))
    return Way(reports * float(part_about((stratum, own))), stratum, own)


def _sentence(document: SubgroupsDocument, question: ByStratum, needed: int | None) -> list[str]:
    if needed is None or needed <= question["n_about"]:
        return []
    names = option_texts(document["stratum"]["options"])
    sizes = [each["estimate"] for each in question["strata"]]
    one, other = sorted(range(len(sizes)), key=lambda group: -sizes[group])[:2]
    words = {"n": numerals.count_up(needed), "question": question["text"], "one": names[one], "other": names[other]}
    words |= {"points": numerals.number(100 * DIFFERENCE, 0), "chance": numerals.percent(search.POWER)}
    text = _(
        "About %(n)s reports about both would show, with a chance of %(chance)s, an answer to “%(question)s” that is "
        "%(points)s points more common among “%(one)s” than among “%(other)s”."
    )
    return [text % words]
