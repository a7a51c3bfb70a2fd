"""The field for protection that a designer leaves to the planner: the alpha of a report, and the important questions. A
definition has the resulting alphas and forms (surveys/drafts/protection.py)."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.rules.refusals import Refusals, as_text, broken, known_fields, refuse
from surveys.survey.definition.randomization import parsed_alpha

FIELD: Final = "protection"
ALPHA, IMPORTANT = "alpha", "important"


def check(draft: Mapping[str, object], refusals: Refusals) -> None:
    """Add the field's errors to the refusals."""
    if FIELD in draft:
        refusals.attempt(_check, draft[FIELD])


def _check(protection: object) -> None:
    if not isinstance(protection, dict):
        raise refuse(FIELD, "not_an_object", _("must be an object"))
    refusals = Refusals()
    refusals.attempt(known_fields, protection, FIELD, {ALPHA}, {ALPHA, IMPORTANT})
    if ALPHA in protection:
        refusals.attempt(parsed_alpha, as_text(protection[ALPHA]), f"{FIELD}.{ALPHA}")
    keys = protection.get(IMPORTANT, [])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        rule = _("must be a list of keys of questions")
        refusals.refused.append(broken(f"{FIELD}.{IMPORTANT}", "not_an_object", rule))
    refusals.check()
