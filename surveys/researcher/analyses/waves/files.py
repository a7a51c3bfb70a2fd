"""The waves of a release as a document and as a table with a row for each answer, wave and confidence."""

from collections.abc import Iterator
from typing import cast

from django.utils.translation import gettext_lazy as _

from ldp.confidences import CONFIDENCES
from ldp.tidy import Row
from surveys.researcher.analyses.frame.derived import WaveNames
from surveys.researcher.analyses.waves import sentences
from surveys.researcher.analyses.waves.changes import WaveChanges, WavesAnswer, WavesQuestion, changes
from surveys.researcher.analyses.waves.document import WavesDocument, WaveSentences, WaveShare, WaveTrend
from surveys.researcher.analyses.waves.sentences import trend
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column, columns_of_type

COLUMNS = columns_of_type(
    WaveShare,
    (
        common.QUESTION,
        common.TEXT,
        Column("reworded", "true or false", _("Other texts than in the last wave")),
        Column("other_pictures", "true or false", _("Other pictures than in the last wave")),
        common.KIND,
        Column("item", "text", _("Item")),
        common.OPTION,
        Column("wave", "whole number", _("Wave")),
        common.SURVEY.meaning_here("The wave's survey: its part of its URL."),
        common.RELEASE.meaning_here("The wave's release: its newest one, or the one that was asked for."),
        common.N_ABOUT,
        Column("of_asked", "true or false", _("Only people who were asked")),
        common.CONFIDENCE,
        common.TOGETHER,
        Column("compared", "whole number", _("Changes at once")),
        common.ESTIMATE.meaning_here("A share as a fraction of 1, a mean in its unit."),
        common.SIMULTANEOUS_LOW.meaning_here("Lower end of the interval that holds at once with those of all waves."),
        common.SIMULTANEOUS_HIGH,
        Column("change", "number", _("Change since the wave before")),
        Column("change_low", "number", _("That change, from"), "Lower end of its interval; all hold at once."),
        Column("change_high", "number", _("That change, to"), "Its upper end."),
        Column("changed", "true or false", _("Changed")),
        Column("since_first", "number", _("Change since the first wave")),
        Column("since_first_low", "number", _("That since the first, from"), "Lower end of its interval."),
        Column("since_first_high", "number", _("That since the first, to"), "Its upper end."),
        Column("trend", "text", _("Over all waves"), words=sentences.TRENDS),
        common.EVERY_RELEASE,
    ),
)


def rows(names: WaveNames) -> Iterator[WaveShare]:
    """Yield each answer in each wave: shares as fractions, means in their unit. Changes are since the previous wave
    that asked the question, and since the first. They are None in the first."""
    for confidence in CONFIDENCES:
        compared = changes(names, confidence)
        for part in compared.parts:
            for answer in part.answers:
                yield from _answer(compared, part, answer)


def _answer(compared: WaveChanges, part: WavesQuestion, answer: WavesAnswer) -> Iterator[WaveShare]:
    question = part.now.question
    same: Row = {"question": question["key"], "kind": question["kind"], "item": part.now.item or None}
    same |= {"option": answer.option, "confidence": compared.confidence}
    same |= {"together": compared.together, "compared": compared.compared}
    for place, (wave, one, share) in enumerate(zip(part.places, part.asked, answer.shares, strict=True)):
        last = answer.change(place - 1, place) if place else None
        first = answer.change(0, place) if place else None
        row: Row = same | {
            "text": one.question["text"],
            "reworded": part.wordings[-1].is_reworded(part.wordings[place]),
            "other_pictures": part.wordings[-1].pictures != part.wordings[place].pictures,
            "wave": wave + 1,
            "survey": one.slug,
            "release": one.number,
            "n_about": one.n_about,
            "of_asked": part.of_asked,
            "estimate": share.estimate,
            "simultaneous_low": share.interval.low,
            "simultaneous_high": share.interval.high,
            "change": last and last.estimate,
            "change_low": last and last.interval.low,
            "change_high": last and last.interval.high,
            "changed": last and last.shows,
            "since_first": first and first.estimate,
            "since_first_low": first and first.interval.low,
            "since_first_high": first and first.interval.high,
            "trend": (trend(part, answer) or None) if place == len(part.places) - 1 else None,
            "every_release": one.watched,
        }
        yield cast(WaveShare, row)


def document(names: WaveNames) -> WavesDocument:
    """Return the document with sentences in the active language."""
    shares = list(rows(names))
    return {
        "waves": [{"survey": slug, "release": number} for slug, number in names],
        "shares": shares,
        "trends": [_trend(row, row["trend"]) for row in shares if row["trend"]],
        "sentences": [_sentences(changes(names, confidence)) for confidence in CONFIDENCES],
    }


def _trend(row: WaveShare, trend: str) -> WaveTrend:
    return {
        "question": row["question"],
        "item": row["item"],
        "option": row["option"],
        "confidence": row["confidence"],
        "trend": trend,
        "sentence": str(sentences.TRENDS[trend]),
    }


def _sentences(compared: WaveChanges) -> WaveSentences:
    return {
        "confidence": compared.confidence,
        "headline": sentences.headline(compared),
        "sentences": sentences.sentences(compared),
    }
