"""The effect of forged reports (M26): how many change the conclusion, and whether the totals look right (M15b)."""

from math import log10

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.inference.reading import forged
from ldp.question import has_channels
from surveys.figures import numerals
from surveys.researcher.results.question.parts import PageSection, PageTable, level, scale_span
from surveys.researcher.results.question.selection import QuestionSelection
from surveys.researcher.results.released import ReleasedQuestion
from surveys.survey import kinds

SLIDER_STEPS = 50


def section(released: ReleasedQuestion, chosen: QuestionSelection) -> PageSection:
    """Return the section on forged reports, for the population only: respondents would include the forgers."""
    m, rows, at_once = chosen.forged, [], level_at_once(released, chosen.confidence)
    for (tallied, j), option in zip(released.rows, released.names, strict=True):
        name = _("Mean") if released.is_mean else option
        both = (forged.interval(tallied, j, each, at_once) for each in (0, m))
        rows.append([name, *(scale_span(released, chosen, interval) for interval in both)])
    head = [_("Answer"), _("%(level)s interval") % {"level": level(chosen)}]
    if m:
        head.append(
            ngettext("if at most %(m)s report is forged", "if at most %(m)s reports are forged", m)
            % {"m": numerals.count(m)}
        )
    rows = rows if m else [row[:2] for row in rows]
    caption = _("The honest population's share in percent, all at once, whatever forged reports say")
    if released.is_mean:
        caption = _("The honest population's mean, whatever forged reports say")
    texts = [
        _(
            "No one can distinguish a forged report from an honest one. But forged reports can move a result only so "
            "far, whatever they contain: if at most this many are forged, these intervals still hold what honest "
            "people answered."
        ),
        *_breaking(released, chosen, at_once),
        *_together(released),
    ]
    table = PageTable("forged-table", caption, head, rows)
    return PageSection("forged", _("Forged reports"), texts, [table], _health(released), "forged", open=bool(m))


def level_at_once(released: ReleasedQuestion, confidence: float) -> float:
    """Return the confidence of each interval, so that all hold at once."""
    return confidence if released.is_mean else released.at_once(confidence)


def _together(released: ReleasedQuestion) -> list[str]:
    """Return what else a forged report changes besides this question."""
    if not released.is_joint:
        return []
    return [
        _(
            "One report of this form speaks about all questions that were randomized together. So the same forged "
            "reports can move every one of them by this much at once."
        )
    ]


def slider(n: int) -> dict[str, int]:
    """Return the slider's range: up to a tenth of the reports, in steps of 1, 2 or 5 with zeros."""
    most = max(min(n, 10), n // 10)
    step = 10 ** int(log10(max(most // SLIDER_STEPS, 1)))
    step *= next(factor for factor in (1, 2, 5, 10) if factor * step * SLIDER_STEPS >= most)
    return {"max": most // step * step, "step": step}


def _breaking(released: ReleasedQuestion, chosen: QuestionSelection, at_once: float) -> list[str]:
    """Return m*: how many forged reports would hide the most common answer, or the comparison with the value."""
    sentences = [_leader(released, at_once)]
    if chosen.value is not None and chosen.target == "population":
        sentences.append(_value(released, chosen))
    return [text for text in sentences if text]


def leader(released: ReleasedQuestion) -> int | None:
    """Return the place of the most common answer; None for a mean, for options that are not answers, and if an answer
    lacks reports."""
    are_answers = kinds.of(released.question).options_are_answers
    if released.is_mean or not are_answers or len(released.options) < released.result(0.95)["d"]:
        return None
    return max(range(len(released.rows)), key=lambda j: released.rows[j][0].shares[released.rows[j][1]])


def breaking_lead(released: ReleasedQuestion, first: int, at_once: float) -> int | None:
    """Return how many forged reports hide that this answer is the most common; None if it is not known anyway."""
    rows = list(released.rows)
    most = min(tallied.n for tallied, _j in rows)
    return forged.breaking(lambda m: forged.leads(rows, first, m, at_once), most)


def _leader(released: ReleasedQuestion, at_once: float) -> str:
    first = leader(released)
    if first is None:
        return ""  # nothing is known about an answer without reports
    m = breaking_lead(released, first, at_once)
    if m is None:
        return _("Which answer is the most common is not known even if no report is forged.")
    words = {"option": released.names[first], "m": numerals.count(m)}
    sentence = ngettext(
        "“%(option)s” is the most common answer. %(m)s forged report would be enough to make that uncertain.",
        "“%(option)s” is the most common answer. It would take %(m)s forged reports to make that uncertain.",
        m,
    )
    return sentence % words


def _value(released: ReleasedQuestion, chosen: QuestionSelection) -> str:
    assert chosen.value is not None
    tallied, j = released.rows[chosen.option]
    value = float(chosen.value) / 100
    if released.is_mean:
        low, high = float(released.question["low"]), float(released.question["high"])
        value = (float(chosen.value) - low) / (high - low)

    def holds(m: int) -> bool:
        interval = forged.interval(tallied, j, m, chosen.confidence)
        return interval.low > value if chosen.than == "more" else interval.high < value

    m = forged.breaking(holds, tallied.n)
    if m is None:
        return ""
    sentence = ngettext(
        "%(m)s forged report would be enough to undo the comparison with the value.",
        "It would take %(m)s forged reports to undo the comparison with the value.",
        m,
    )
    return sentence % {"m": numerals.count(m)}


# Health ---------------------------------------------------------------------------------------------------------------


def _health(released: ReleasedQuestion) -> list[str]:
    checks = [
        (
            _("the sum over all answers"),
            None if released.shared_totals is None else forged.sum_p_value(released.shared_totals),
        ),
        (_("how often each item was drawn"), _drawn(released)),
    ]
    done = [(name, p) for name, p in checks if p is not None]
    if not done:
        return [
            _(
                "Health check: with this mechanism there is nothing to check, since honest reports of some answers "
                "could produce any of the totals."
            )
        ]
    odd = [name for name, p in done if p < forged.LEVEL]
    names = {"names": _(" and ").join(name for name, _p in done), "odd": _(" and ").join(odd)}
    if odd:
        return [
            _(
                "Health check: %(odd)s is so far from what honest browsers send that chance alone causes it in fewer "
                "than 1 of 1,000 surveys. Some reports may be forged, or sent by a broken program. No report is "
                "dropped because of that."
            )
            % names
        ]
    return [
        _(
            "Health check: %(names)s could well come from honest browsers. This check finds broken programs and crude "
            "forgeries, never all: a report that was drawn for an invented answer looks like any other."
        )
        % names
    ]


def _drawn(released: ReleasedQuestion) -> float | None:
    if has_channels(released.question):
        return None
    table = released.question["table"]
    if "ranked" in released.question:
        places = np.array(released.totals["places"]).reshape(len(released.question["ranked"]), -1)
        return forged.drawing_p_value(places.sum(axis=1), released.n, table["sample"])
    if released.is_several:
        return forged.drawing_p_value(released.totals["drawn"], released.n, table["sample"])
    if released.place:
        d = len(released.question["options"])
        counts = next(iter(released.totals.values()))
        drawn = [sum(counts[i * d : (i + 1) * d]) for i in range(len(released.question["items"]))]
        return forged.drawing_p_value(drawn, released.n, table["sample"])
    return None
