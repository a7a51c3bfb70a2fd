"""The picture of a question over the waves. It can be understood without its page."""

from django.utils.translation import gettext as _

from surveys.figures import numerals, waves
from surveys.figures.waves import Mark, WavesField, WavesSheet
from surveys.researcher.analyses.waves.changes import WaveChanges, WavesAnswer, WavesQuestion
from surveys.researcher.analyses.waves.table import remarks, wave_name
from surveys.researcher.results import citation


def sheet(changes: WaveChanges, part: WavesQuestion) -> WavesSheet:
    question = part.now.question
    title = f"{question['text']} — {part.now.item}" if part.now.item else question["text"]
    if part.now.is_mean and question["unit"]:
        title = _("%(question)s (in %(unit)s)") % {"question": title, "unit": question["unit"]}
    fields = tuple(_field(part, answer) for answer in part.answers)
    unit = "" if part.now.is_mean else numerals.percent_sign()
    return WavesSheet(title, fields, len(changes.names), unit, _foot(changes, part))


def _field(part: WavesQuestion, answer: WavesAnswer) -> WavesField:
    times = 1 if part.now.is_mean else 100
    marks = [
        Mark(place + 1, *(times * value for value in (share.estimate, *share.interval)))
        for place, share in zip(part.places, answer.shares, strict=True)
    ]
    return WavesField(_("Mean") if part.now.is_mean else part.now.named(answer.option), tuple(marks))


def _foot(changes: WaveChanges, part: WavesQuestion) -> tuple[str, ...]:
    named = " · ".join(wave_name(release, place) for place, release in enumerate(changes.releases, 1))
    level, newest = numerals.level(changes.confidence), changes.releases[-1]
    text = _("%(level)s intervals for the population that hold at once for all %(together)s estimates of the page.")
    at_once = text % {"level": level, "together": numerals.integer(changes.together)}
    return named, at_once, *remarks(part), f"{newest.survey.title} · {citation.address(newest.survey, newest)}"


def draw(changes: WaveChanges, part: WavesQuestion, theme: str, width: str, format: str) -> bytes:
    return waves.draw(sheet(changes, part), theme, width, format)
