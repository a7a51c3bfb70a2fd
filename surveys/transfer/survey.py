"""Check the survey: its link, its frozen definition and its terms."""

import hashlib
import re
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.utils import timezone

from ldp.forms import definition as forms
from ldp.forms.schema import Draw
from ldp.mechanisms import MECHANISMS, SIZED, randomized_response
from ldp.question import Question
from surveys.designer.evidence.inputs import LONGEST
from surveys.models import Disclosure, Survey
from surveys.survey import definition as definitions
from surveys.survey.definition.document import Definition
from surveys.survey.definition.waves import PATTERNS
from surveys.transfer.rules import BrokenField, must

AHEAD = timedelta(days=1)  # how far another site's clock may be ahead
SLUG = re.compile(PATTERNS["survey"], re.ASCII)


def check_survey(survey: Survey) -> None:
    """Raise BrokenField if the row of an ended survey breaks a rule."""
    must(survey.state == Survey.State.CLOSED, "survey.state", "must be “closed”")
    link = "must be a link of 1 to 32 letters, digits, “-” and “_” that does not begin with “-”"
    must(isinstance(survey.slug, str) and SLUG.fullmatch(survey.slug), "survey.slug", link)
    _check_definition(survey)
    _check_draft(survey)
    _check_terms(survey)


def _check_definition(survey: Survey) -> None:
    canonical = survey.canonical.encode()
    sha = hashlib.sha256(canonical).hexdigest()
    must(
        survey.digest == sha,
        "survey.digest",
        "must be that of survey.canonical: the definition is another one than its digest",
    )
    rule = "must be the canonical JSON of a definition that a respondent's page would ask"
    must(definitions.certified(canonical), "survey.canonical", rule)
    definition = survey.definition
    must(survey.title == definition["title"], "survey.title", "must be the definition's title")
    for field, stated, made in _tables(definition):
        must(stated == made, f"survey.canonical: {field}", "must be the alpha of its table")


def _tables(definition: Definition) -> Iterator[tuple[str, Any, Any]]:
    """Yield the path of each draw's alpha, with the draw's table and the table for that alpha (M1, M44)."""
    questions = {question["key"]: question for question in definition["questions"]}
    lists = [("", definition["draws"])]
    lists += [(f"forms[{place}].", form["draws"]) for place, form in enumerate(definition.get("forms", ()))]
    for where, draws in lists:
        for place, draw in enumerate(draws):
            own = [questions[key] for key in draw["questions"]]
            yield f"{where}draws[{place}].alpha", draw["table"], _table(draw, own)


def _table(draw: Draw, questions: list[Question]) -> Any:
    """Return the table for the draw's alpha, delta, sample and sizes."""
    mechanism, table, alpha = MECHANISMS[draw["mechanism"]], draw["table"], Fraction(draw["alpha"])
    if len(questions) > 1:
        return randomized_response.table(alpha, forms.counts(questions), table["sizes"])
    given = {"sample": table.get("sample"), "delta": Fraction(draw.get("delta", 0))}
    extras = {name: given[name] for name in mechanism.EXTRAS}
    if draw["mechanism"] in SIZED:
        extras["size"] = table["sizes"][0] if "sizes" in table else table["size"]
    return mechanism.table(alpha, len(questions[0].get("options", ())), **extras)


def _check_draft(survey: Survey) -> None:
    """Raise BrokenField if the draft could not be opened: a new version begins with it."""
    for refusal in definitions.refusals(survey.draft):
        raise BrokenField(f"survey.draft: {refusal.field}", refusal.rule)


def _check_terms(survey: Survey) -> None:
    opening, ended = survey.opened_at, survey.closed_at
    must(opening and ended, "survey.closed_at", "must be there, and survey.opened_at too")
    assert opening is not None and ended is not None
    # If its reports ended the survey, the end is stored as a day, which begins before the opening.
    in_order = opening.date() <= ended.date() and max(opening, ended) <= timezone.now() + AHEAD
    must(in_order, "survey.closed_at", "must not be before survey.opened_at or in the future")
    least = f"must be at least {settings.BATCH}, this site's batch"
    must(survey.batch is not None and survey.batch >= settings.BATCH, "survey.batch", least)


def check_disclosure(survey: Survey) -> None:
    disclosure, most = Disclosure.of(survey), f"must have at most {LONGEST} characters"
    for name in Disclosure.FIELDS:
        must(len(getattr(disclosure, name)) <= LONGEST, f"disclosure.{name}", most)
