"""A survey as the next wave of an earlier one, and the waves before it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext_noop as _

from ldp.forms.definition import draws, forms, questionnaire
from surveys.models import Survey
from surveys.rules.refusals import refuse
from surveys.rules.texts import decimal
from surveys.survey.definition.document import Definition
from surveys.survey.definition.waves import FIELD

MOST = 12  # waves that are compared with each other
DELTAS_MOST = Fraction(1, 10)  # as the field of the next wave may say (surveys/survey/definition/waves.py)


def can_be_followed(survey: Survey) -> bool:
    """Whether a page could state the privacy parameter of this survey's reports and the next wave's together."""
    return deltas_together(survey.definition) < DELTAS_MOST


def declared(earlier: Survey) -> dict[str, str]:
    """The earlier wave's fields for the draft of the next one."""
    named = {"survey": earlier.slug or "", "digest": earlier.digest, "alpha": decimal(together(earlier.definition))}
    delta = deltas_together(earlier.definition)
    return named | ({"delta": decimal(delta)} if delta else {})


def together(definition: Definition) -> Fraction:
    """The privacy parameter of all reports of a person who answered this wave and all before it (M11, M39)."""
    return questionnaire(definition).alpha + Fraction(definition["wave_of"]["alpha"] if "wave_of" in definition else 0)


def deltas_together(definition: Definition) -> Fraction:
    """The chance that any of these reports reveals more than its alpha allows (M11); 0 where none can."""
    return delta(definition) + Fraction(definition["wave_of"].get("delta", 0) if "wave_of" in definition else 0)


def delta(definition: Definition) -> Fraction:
    """The sum of one report's deltas, the largest over the forms."""
    reports = [draws(definition, form) for form in range(len(forms(definition)))]
    return max(sum((Fraction(each.get("delta", 0)) for each in one), Fraction(0)) for one in reports)


def before(definition: Mapping[str, Any]) -> Survey | None:
    """The survey that a definition or a draft names, None where this site has it no more, or never had."""
    named = definition.get(FIELD)
    if not isinstance(named, dict) or not all(isinstance(each, str) for each in named.values()):
        return None
    named = {"slug": named.get("survey"), "digest": named.get("digest")}
    return Survey.objects.filter(**named).exclude(state=Survey.State.DRAFT).first()


def check(definition: Mapping[str, Any]) -> None:
    """DraftRefused unless the survey before, if one is named, is as it is said to be."""
    if FIELD in definition:
        earlier = before(definition)
        if earlier is None or not can_be_followed(earlier) or declared(earlier) != definition[FIELD]:
            rule = _("must name an opened survey of this site, with the alphas and deltas of all waves added up")
            raise refuse(FIELD, "wave_unknown", rule)


def waves(survey: Survey) -> list[Survey]:
    """All waves up to this one, the oldest first: as far as they are still there, and the last ones of many."""
    chain = [survey]
    while len(chain) < MOST and (earlier := before(chain[0].definition)):
        chain.insert(0, earlier)
    return chain
