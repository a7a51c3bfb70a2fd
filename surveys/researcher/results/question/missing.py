"""The effect of people who left because of a form's questions, whatever their answers (M35)."""

from django.utils.translation import gettext as _

from ldp.document import Document
from ldp.forms.retention import bounds
from surveys.researcher.results import forms
from surveys.researcher.results.question.parts import PageSection, PageTable, level, scale_span
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion


def section(released: ReleasedQuestion, chosen: QuestionSelection, document: Document) -> PageSection | None:
    """Return the section; None if nothing shows that people left the question's form more than another."""
    left = forms.left(released.question, document)
    if not left:
        return None
    gone, rows = forms.missing(released.question, document), []
    at_once = chosen.confidence if released.is_mean else released.at_once(chosen.confidence)
    for (tallied, j), option in zip(released.rows, released.names, strict=True):
        seen = tallied.interval(j, at_once, "population")
        both = (scale_span(released, chosen, each) for each in (seen, bounds(seen, gone)))
        rows.append([_("Mean") if released.is_mean else option, *both])
    head = [_("Answer"), _("%(level)s interval") % {"level": level(chosen)}, _("with those who are missing")]
    caption = _("Shares of the population in percent, all at once, whatever those who left would have said")
    if released.is_mean:
        caption = _("Mean of the population, whatever those who left would have said")
    notes = [_("The wider intervals hold with a confidence that is lower by 0.1 percentage points.")]
    title = _("People who may be missing")
    return PageSection(
        "missing",
        title,
        [*(forms.leaving(form, k) for k, form in left), *forms.missing_from_several(released.question, document)],
        [PageTable("missing-table", caption, head, rows)],
        notes,
    )
