"""What forged reports could do (M26), how many would break the conclusion, and whether the totals look right (M15b)."""

from math import log10

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ldp.inference.intervals import Interval
from ldp.inference.reading import forged, health
from ldp.inference.reading.tallied import Tallied
from surveys.figures import numerals
from surveys.results.question.choices import Choices
from surveys.results.question.parts import Section, Table, decimals, level, mean_decimals, number_span, span
from surveys.results.question.released import ReleasedQuestion

SLIDER_STEPS = 50


def section(asked: ReleasedQuestion, chosen: Choices) -> Section:
    """Of the population: how forgers change what is known of given respondents, of whom they are some, means
    nothing."""
    m, rows = chosen.forged, []
    at_once = chosen.confidence if asked.kind == "mean" else asked.at_once(chosen.confidence)
    for (tallied, j), option in zip(asked.rows, asked.options, strict=True):
        name = _("Mean") if asked.kind == "mean" else option
        both = (forged.interval(tallied, j, each, at_once) for each in (0, m))
        rows.append([name, *(_span(asked, chosen, interval) for interval in both)])
    head = [_("Answer"), _("%(level)s interval") % {"level": level(chosen)}]
    if m:
        head.append(
            ngettext("if at most %(m)s report is forged", "if at most %(m)s reports are forged", m)
            % {"m": numerals.count(m)}
        )
    rows = rows if m else [row[:2] for row in rows]
    caption = _("The honest population's share in percent, all at once, whatever forged reports say")
    if asked.kind == "mean":
        caption = _("The honest population's mean, whatever forged reports say")
    texts = [
        _(
            "Nobody can tell a forged report from an honest one. But forgers, whatever they send, can move a result "
            "only so far: if at most so many reports are forged, these intervals still hold what honest people "
            "answered."
        ),
        *_breaking(asked, chosen, at_once),
    ]
    table = Table("forged-table", caption, head, rows)
    return Section("forged", _("Forged reports"), texts, [table], _health(asked), "forged", open=bool(m))


def slider(n: int) -> dict[str, int]:
    """Up to a tenth of the reports, in steps of 1, 2 or 5 with zeros."""
    most = max(min(n, 10), n // 10)
    step = 10 ** int(log10(max(most // SLIDER_STEPS, 1)))
    step *= next(factor for factor in (1, 2, 5, 10) if factor * step * SLIDER_STEPS >= most)
    return {"max": most // step * step, "step": step}


def _span(asked: ReleasedQuestion, chosen: Choices, interval: Interval) -> str:
    if asked.kind != "mean":
        return span(interval, decimals(asked, chosen))
    low, high = float(asked.question["low"]), float(asked.question["high"])
    ends = Interval(*(low + (high - low) * end for end in interval))
    return number_span(ends, mean_decimals(asked, chosen), asked.question["unit"])


def _breaking(asked: ReleasedQuestion, chosen: Choices, at_once: float) -> list[str]:
    """m*: with how many forged reports the most common answer would no longer be known, or the value passed."""
    found = []
    if asked.kind != "mean":
        found.append(_leader(asked, at_once))
    if chosen.value is not None and chosen.target == "population":
        found.append(_value(asked, chosen))
    return [text for text in found if text]


def _leader(asked: ReleasedQuestion, at_once: float) -> str:
    if len(asked.options) < asked.result(0.95)["d"]:
        return ""  # of an answer that no report is about nothing is known
    rows = list(asked.rows)
    leader = max(range(len(rows)), key=lambda place: rows[place][0].shares[rows[place][1]])
    m = forged.breaking(lambda m: forged.leads(rows, leader, m, at_once), min(tallied.n for tallied, _j in rows))
    if m is None:
        return _("Which answer is the most common is not known even if no report is forged.")
    words = {"option": asked.options[leader], "m": numerals.count(m)}
    said = ngettext(
        "“%(option)s” is the most common answer. %(m)s forged report would be enough that it could not be said "
        "any more.",
        "“%(option)s” is the most common answer. It would take %(m)s forged reports until that could not be said "
        "any more.",
        m,
    )
    return said % words


def _value(asked: ReleasedQuestion, chosen: Choices) -> str:
    assert chosen.value is not None
    tallied, j = asked.rows[chosen.option]
    value = float(chosen.value) / 100
    if asked.kind == "mean":
        low, high = float(asked.question["low"]), float(asked.question["high"])
        value = (float(chosen.value) - low) / (high - low)

    def holds(m: int) -> bool:
        interval = forged.interval(tallied, j, m, chosen.confidence)
        return interval.low > value if chosen.than == "more" else interval.high < value

    m = forged.breaking(holds, tallied.n)
    if m is None:
        return ""
    said = ngettext(
        "For what was asked of a value, %(m)s forged report would be enough to undo the answer.",
        "For what was asked of a value, it would take %(m)s forged reports to undo the answer.",
        m,
    )
    return said % {"m": numerals.count(m)}


# Health ---------------------------------------------------------------------------------------------------------------


def _health(asked: ReleasedQuestion) -> list[str]:
    checks = [(_("the sum over all answers"), _of_sum(asked.one)), (_("how often each item was drawn"), _drawn(asked))]
    done = [(name, p) for name, p in checks if p is not None]
    if not done:
        return [
            _(
                "Health check: with this mechanism the totals leave nothing to check, since every one of them "
                "could come from honest reports of some answers."
            )
        ]
    odd = [name for name, p in done if p < health.LEVEL]
    names = {"names": _(" and ").join(name for name, _p in done), "odd": _(" and ").join(odd)}
    if odd:
        return [
            _(
                "Health check: %(odd)s is further from what honest browsers send than in 1 of 1,000 surveys. Some "
                "reports may be forged, or sent by a broken program. No report is dropped for it."
            )
            % names
        ]
    return [
        _(
            "Health check: %(names)s could well come from honest browsers. This check finds broken programs and crude "
            "forgeries, never all: who draws a report for an invented answer looks like everybody else."
        )
        % names
    ]


def _of_sum(tallied: Tallied | None) -> float | None:
    return None if tallied is None else health.of_sum(tallied)


def _drawn(asked: ReleasedQuestion) -> float | None:
    table = asked.question["table"]
    if asked.kind == "multiple_choice":
        return health.of_drawing(asked.totals["drawn"], asked.n, table["sample"])
    if asked.place:
        d = len(asked.question["options"])
        counts = next(iter(asked.totals.values()))
        drawn = [sum(counts[i * d : (i + 1) * d]) for i in range(len(asked.question["items"]))]
        return health.of_drawing(drawn, asked.n, table["sample"])
    return None
