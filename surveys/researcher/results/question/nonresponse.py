"""Shares among people who gave an answer, without "Prefer not to say" (M32c)."""

from django.utils.translation import gettext as _

from surveys.figures import numerals
from surveys.researcher.results.question import readings
from surveys.researcher.results.question.parts import PageSection, PageTable, decimals, level, share_row, whose
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion


def section(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection | None:
    if not readings.leaves_out(released):
        return None
    places = decimals(released, chosen)
    shares = list(readings.among_answers(released, chosen.confidence, chosen.target))
    rows = [share_row(released, share, places) for share in shares]
    head = [_("Answer"), _("Share"), _("%(level)s interval, all at once"), _("%(level)s interval, one alone")]
    head = [text % {"level": level(chosen)} if "%" in text else text for text in head]
    caption = _("Shares %(whose)s among those who said something, in percent") % {"whose": whose(released, chosen)}
    texts = [
        _(
            "The table above counts “%(refusing)s” as an answer like any other. This table leaves it out: its shares "
            "are of those who said something. How many said something is uncertain too, and the intervals allow for "
            "that."
        )
        % {"refusing": released.options[-1]}
    ]
    notes = [_("The estimate of a ratio is biased, but the intervals hold.")]
    if shares[0].estimate is None:
        notes = [str(readings.TOO_FEW)]
    texts += [_worst_case(released)]
    title = _("Without “%(refusing)s”") % {"refusing": released.options[-1]}
    return PageSection(
        "said", title, texts, [PageTable("said-table", caption, head, rows), _bounds(released, chosen, places)], notes
    )


def _worst_case(released: ReleasedQuestion) -> str:
    return _(
        "We do not know what those who chose “%(refusing)s” would have said. The second table gives bounds for each "
        "share: from none of them giving this answer to all of them."
    ) % {"refusing": released.options[-1]}


def _bounds(released: ReleasedQuestion, chosen: QuestionSelection, places: int) -> PageTable:
    rows = [
        bounds_row(released, bounds, places) for bounds in readings.bounds(released, chosen.confidence, chosen.target)
    ]
    head = [_("Answer"), _("If none of them"), _("If all of them")]
    head += [_("%(level)s interval, all at once") % {"level": level(chosen)}]
    head += [_("%(level)s interval, one alone") % {"level": level(chosen)}]
    caption = _("Shares %(whose)s if everyone had said something, in percent") % {"whose": whose(released, chosen)}
    return PageTable("bounds-table", caption, head, rows)


def bounds_row(released: ReleasedQuestion, bounds: readings.Reading, places: int) -> list[str]:
    """Return the option, both bounds, and their intervals, as text."""
    assert bounds.estimate_high is not None
    option, low, *spans = share_row(released, bounds, places)
    return [option, low, numerals.share(bounds.estimate_high, places), *spans]
