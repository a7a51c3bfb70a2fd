"""The analyses that a question of a release links to, and why the others cannot be computed."""

from collections import Counter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.translation import gettext as _

from surveys.access import has_role
from surveys.models import AnalysisRun, Release, Role
from surveys.researcher.analyses.crossings.pairs import REFUSALS
from surveys.researcher.analyses.frame.counted import Counted
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.frame.views import listing_address, page_address
from surveys.researcher.analyses.registry import COUNTED
from surveys.rules.context import Context

TRIED = 200  # specifications tried for one analysis; if all fail, its form explains why


class AnalysisReader(NamedTuple):
    """The input of a page's links besides the release. `may_ask` is whether the reader may request analyses, `ready`
    are the finished runs."""

    may_ask: bool
    ready: tuple[int, ...]


def state(request: HttpRequest, release: Release) -> AnalysisReader:
    """Return this reader's part of the input of links."""
    ready = AnalysisRun.objects.filter(release=release, document__isnull=False).order_by("pk")
    may_ask = has_role(request.user, release.survey, Role.RESEARCHER) and release.is_newest()
    return AnalysisReader(may_ask, tuple(ready.values_list("pk", flat=True)))


def of_release(release: Release, reader: AnalysisReader) -> dict[str, Context]:
    """Return the result of `of_question` for each question, by key."""
    ready = _ready(reader)
    return {key: _of_question(release, key, reader.may_ask, ready) for key in release.counted}


def of_question(release: Release, reader: AnalysisReader, key: str) -> Context:
    """Return the `links` from a question, item or option to analyses, as text and URL. `refusals` has sentences that
    say why the other analyses are missing."""
    return _of_question(release, key, reader.may_ask, _ready(reader))


def _ready(reader: AnalysisReader) -> list[tuple[Counted[Any], Any]]:
    runs = AnalysisRun.objects.filter(pk__in=reader.ready).order_by("pk").values_list("kind", "specification")
    return [(COUNTED[kind], COUNTED[kind].from_json(data)) for kind, data in runs]


def _of_question(release: Release, key: str, may_ask: bool, ready: list[tuple[Counted[Any], Any]]) -> Context:
    links, refusals = list[tuple[str, str]](), dict[str, list[str]]()
    for analysis in COUNTED.values():
        name, listing = str(analysis.words.link), listing_address(analysis, release)
        variable, reason = _computable(analysis, release, key) if may_ask else ("", "")
        about = [each for kind, each in ready if kind is analysis and any(_is_of(one, key) for one in each.keys)]
        if variable:
            links.append((name, f"{listing}?{urlencode({analysis.subject: variable})}"))
        elif about:
            links.append((name, page_address(analysis, release, about[0]) if len(about) == 1 else listing))
        elif reason:
            refusals.setdefault(reason, []).append(name)
    return {"links": links, "refusals": [f"{_(', ').join(names)}: {reason}" for reason, names in refusals.items()]}


def _is_of(variable: str, key: str) -> bool:
    """Return whether `variable` is `key` itself, or part of the question `key`."""
    return key in (variable, variable.partition(".")[0])


def _computable(analysis: Counted[Any], release: Release, key: str) -> tuple[str, str]:
    """Return the first variable of a question that the analysis can use, or why there is none."""
    if not any(_is_of(variable.key, key) for variable in release.variables):
        return "", str(REFUSALS["noise"])
    reasons: Counter[str] = Counter()
    for variable, specification in analysis.about(release, key.partition(".")[0]):
        if not _is_of(variable, key):
            continue
        try:
            analysis.check(release, specification)
        except AnalysisRefused as refused:
            reasons[refused.reason] += 1
            if reasons.total() < TRIED:
                continue
        return variable, ""
    reason = reasons.most_common(1)[0][0] if reasons else "alone"
    if reason == "pairs":  # the sentence of "pairs" names two questions; here there are many
        reason = "forms"
    return "", str(REFUSALS.get(reason) or analysis.refusals[reason])
