""" "Prefer not to say" left out: shares among those who said something (M32c)."""

from django.utils.translation import gettext as _

from ldp.inference.reading import among
from surveys.figures import numerals
from surveys.results.question.choices import Choices
from surveys.results.question.parts import Section, Table, decimals, level, span, whose
from surveys.results.question.released import ReleasedQuestion


def section(released: ReleasedQuestion, chosen: Choices) -> Section | None:
    if released.one is None or released.answers in (0, len(released.options)):
        return None
    places, rows = decimals(released, chosen), []
    ratios = among.shares(released.one, released.answers, chosen.confidence, chosen.target, released.items)
    for option, ratio in zip(released.options, ratios, strict=False):
        estimate = _("too few") if ratio.estimate is None else numerals.share(ratio.estimate, places)
        rows.append([option, estimate, span(ratio.simultaneous, places), span(ratio.interval, places)])
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
    notes = [_("The estimate of a quotient is not unbiased, but the intervals hold.")]
    if ratios[0].estimate is None:
        notes = [_("Possibly so few people said something that an estimate would mean nothing. The intervals hold.")]
    title = _("Without “%(refusing)s”") % {"refusing": released.options[-1]}
    return Section("said", title, texts, [Table("said-table", caption, head, rows)], notes)
