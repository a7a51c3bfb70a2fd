"""Usual scales, with their steps in each language of the site. In a question they are ordinary options."""

from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.drafts import options, outline, ready
from surveys.drafts.kinds import kind_of, title
from surveys.rules.draft import Draft
from surveys.rules.unchecked import Unchecked, as_list
from surveys.survey.kinds.fields import OPTIONS
from surveys.survey.kinds.mean import STEPS


class Preset(NamedTuple):
    name: Promise
    steps: Sequence[Promise | str]


PRESETS: dict[str, Preset] = {
    "agreement": Preset(
        _("Agreement"),
        (
            *(_("Strongly disagree"), _("Disagree"), _("Neither agree nor disagree")),
            *(_("Agree"), _("Strongly agree")),
        ),
    ),
    "frequency": Preset(
        _("How often"),
        (pgettext_lazy("step of a scale", "Never"), _("Rarely"), _("Sometimes"), _("Often"), _("Always")),
    ),
    "satisfaction": Preset(
        _("Satisfaction"),
        (
            *(_("Very dissatisfied"), _("Dissatisfied"), _("Neither satisfied nor dissatisfied")),
            *(_("Satisfied"), _("Very satisfied")),
        ),
    ),
    "quality": Preset(_("Quality"), (_("Very poor"), _("Poor"), _("Fair"), _("Good"), _("Very good"))),
    "importance": Preset(
        _("Importance"), (_("Not important"), _("Slightly important"), _("Important"), _("Very important"))
    ),
    "likelihood": Preset(
        _("Likelihood"),
        (
            *(_("Very unlikely"), _("Unlikely"), _("Neither likely nor unlikely")),
            *(_("Likely"), _("Very likely")),
        ),
    ),
    "eleven": Preset(_("0 to 10"), tuple(map(str, range(11)))),
    "recommendation": Preset(
        _("Recommendation, 0 to 10"),
        (_("0, not at all likely"), *map(str, range(1, 10)), _("10, extremely likely")),
    ),
}


def translations(draft: Draft, tag: str) -> dict[str, str]:
    """Return the texts of the draft's usual scales and ready-made questions in a language, by slot name; {} for a
    language that the site lacks."""
    own, other = _known(draft.get("language")), _known(tag) if ready.speaks(tag) else []
    texts: dict[str, str] = {}
    for place, question in enumerate(draft["questions"]):
        for name in ("text", "options", "steps"):
            lines = [question.get(name)] if name == "text" else question.get(name)
            if other and isinstance(lines, list) and lines in own:
                slots = [f"questions.{place}.{name}" + ("" if name == "text" else f".{i}") for i in range(len(lines))]
                texts |= dict(zip(slots, map(str, other[own.index(lines)]), strict=True))
    return texts


def _known(language: object) -> list[list[object]]:
    """Return the steps of all usual scales and the texts of all ready-made questions in a language."""
    known: list[list[object]] = [list(preset.steps) for preset in PRESETS.values()]
    known += [[question.fields["text"]] for question in ready.READY.values()]
    return [as_list(dict(ready.in_language({"lines": lines}, language))["lines"]) for lines in known]


def fill(draft: Draft, key: str, name: str) -> str:
    """Replace a scale's steps, also in the translations; return a message."""
    question, before = outline.question_of(draft, key), deepcopy(draft)
    kind, steps = kind_of(question), list(PRESETS[name].steps)
    fields: Unchecked = {(STEPS if kind and STEPS in kind.typed_fields else OPTIONS).name: steps}
    question |= ready.in_language(fields, draft.get("language"))
    options.follow(draft, next(each for each in before["questions"] if each["key"] == key), question)
    ready.translate(before, draft, key, fields)
    return _now("Changed “%(title)s”.") % {"title": title(question)}
