"""A survey as a wave: the earlier waves, and their total privacy parameter."""

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

MOST = 12  # waves that can be compared
DELTAS_MOST = Fraction(1, 10)  # the next wave's field takes less than this (surveys/survey/definition/waves.py)


def can_be_followed(survey: Survey) -> bool:
    """Return whether a page could state the joint privacy parameter of this survey and a next wave."""
    return deltas_together(survey.definition) < DELTAS_MOST


def declared(earlier: Survey) -> dict[str, str]:
    """Return the field `wave_of` for the draft of the next wave."""
    named = {"survey": earlier.slug or "", "digest": earlier.digest, "alpha": decimal(together(earlier.definition))}
    delta = deltas_together(earlier.definition)
    return named | ({"delta": decimal(delta)} if delta else {})


def together(definition: Definition) -> Fraction:
    """Return the total alpha of a person who answered this wave and all earlier ones (M11, M39)."""
    return questionnaire(definition).alpha + Fraction(definition["wave_of"]["alpha"] if "wave_of" in definition else 0)


def deltas_together(definition: Definition) -> Fraction:
    """Return the sum of the deltas of this wave and all earlier ones; 0 if none has a delta. It bounds the chance that
    one of these reports reveals more than its alpha allows (M11)."""
    return delta(definition) + Fraction(definition["wave_of"].get("delta", 0) if "wave_of" in definition else 0)


def delta(definition: Definition) -> Fraction:
    """Return the sum of a report's deltas, for the form with the largest sum."""
    reports = [draws(definition, form) for form in range(len(forms(definition)))]
    return max(sum((Fraction(each.get("delta", 0)) for each in one), Fraction(0)) for one in reports)


def before(definition: Mapping[str, Any]) -> Survey | None:
    """Return the earlier wave that a definition or a draft names; None if this site does not have it."""
    named = definition.get(FIELD)
    if not isinstance(named, dict) or not all(isinstance(each, str) for each in named.values()):
        return None
    named = {"slug": named.get("survey"), "digest": named.get("digest")}
    return Survey.objects.filter(**named).exclude(state=Survey.State.DRAFT).first()


def check(definition: Mapping[str, Any]) -> None:
    """Raise DraftRefused if the named earlier wave does not exist with the stated digest, alpha and delta."""
    if FIELD in definition:
        earlier = before(definition)
        if earlier is None or not can_be_followed(earlier) or declared(earlier) != definition[FIELD]:
            rule = _("must name an opened survey of this site, with the alphas and deltas of all waves added up")
            raise refuse(FIELD, "wave_unknown", rule)


def waves(survey: Survey) -> list[Survey]:
    """Return the waves up to this one, oldest first: at most MOST, as far as this site has them."""
    chain = [survey]
    while len(chain) < MOST and (earlier := before(chain[0].definition)):
        chain.insert(0, earlier)
    return chain
