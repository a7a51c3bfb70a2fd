"""The rows of a release's comparisons: for each question the pairs of answers that the page shows at first."""

from collections.abc import Iterator
from functools import lru_cache

from ldp.confidences import CONFIDENCES
from ldp.inference.reading import pairs
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.comparisons import options, power
from surveys.researcher.analyses.comparisons.family import Family, family
from surveys.researcher.analyses.comparisons.selection import ALL_MOST, ComparisonSelection
from surveys.researcher.analyses.frame.comparison import TOLD_APART, row, with_reason
from surveys.researcher.analyses.versions.table import OTHER_VERSION
from surveys.researcher.analyses.versions.table import rows as version_rows
from surveys.researcher.results import reached, response_cache
from surveys.researcher.results.released import of_release
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import names

COLUMNS = (
    common.QUESTION,
    common.TEXT,
    common.KIND,
    common.N_ABOUT.meaning_here("The reports that it is based on."),
    common.OPTION.meaning_here("The first answer of the pair."),
    OTHER_VERSION.meaning_here("Another version of the question, if the second answer is its; empty where it is not."),
    common.OTHER_OPTION,
    common.DIFFERENCE.meaning_here(
        "The share of the first in the population less that of the second, unbiased; of versions of a mean, in its "
        "unit. Of a question that only some people were asked, among those who were; no row if reports do not show "
        "how many."
    ),
    common.CONFIDENCE.meaning_here("At which all pairs of the question are compared together: 0.9, 0.95 or 0.99."),
    common.TOGETHER.meaning_here("How many pairs that are."),
    common.SIMULTANEOUS_LOW.meaning_here("Lower end of the interval that holds at once with those of all pairs."),
    common.SIMULTANEOUS_HIGH,
    TOLD_APART,
    common.P_VALUE.meaning_here("Exact and two-sided, of equal shares, for this pair alone."),
    common.CORRECTED_P_VALUE.meaning_here("The same by Holm for all pairs of the question."),
    common.REPORTS_NEEDED.meaning_here(
        "How many reports would show a difference of 5 points between the two in 80 of 100 surveys, for a single look "
        "and all pairs compared; empty where no number would, or it is not known."
    ),
    common.EVERY_RELEASE,
    common.GUARANTEE,
    common.REASON.meaning_here("Why there is no p-value."),
)
NAMES = names(COLUMNS)
QUESTIONS_KEPT = 128


def rows(release: Release, language: str = "en") -> Iterator[Row]:
    """Yield one for each pair of a question's answers and each confidence, by COLUMNS; what does not exist is None. A
    mean has no answers to compare. Then one for each difference between versions of a question. Reasons are in the
    language."""
    comparable = {key for _, parts in options.of_release(release) for key, _ in parts}
    for result in response_cache.document(release)["questions"]:
        if result["key"] in comparable:
            about = {"question": result["key"], "text": result["text"], "kind": result["kind"]}
            for pair in _of_question(release.survey.slug or "", release.number, result["key"]):
                whole = about | with_reason(pair, language)
                yield {name: whole.get(name) for name in NAMES}
    for difference in version_rows(release, language):
        yield {name: difference.get(name) for name in NAMES}


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_question(slug: str, number: int, key: str) -> tuple[Row, ...]:
    """Return the rows of all pairs of a question's answers, cached: each pair takes some milliseconds."""
    many = len(of_release(slug, number, key).options)
    usual = ComparisonSelection(key, against=None if many <= ALL_MOST else 0)
    every = (family(slug, number, usual._replace(confidence=confidence)) for confidence in CONFIDENCES)
    return tuple(row for each in every for row in _rows(each))


def _rows(family: Family) -> Iterator[Row]:
    released, own = family.released, family.released.shared_totals
    checked = own is not None and not released.watched and not pairs.proved(own)
    same: Row = {"confidence": family.chosen.confidence, "together": family.together, "every_release": released.watched}
    proved = not checked and (family.deciding is None or reached.proved(released, "population"))
    same |= {"guarantee": "proved" if proved else "checked"}
    for one in family.pairs:
        assert one.second is not None
        yield (
            same
            | row(one)
            | {
                "n_about": released.n_about,
                "option": released.options[one.first],
                "other_option": released.options[one.second],
                "reports_needed": power.needed(family, one.first, one.second),
            }
        )
