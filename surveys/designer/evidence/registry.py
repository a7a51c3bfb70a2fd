"""The survey's entry in the registry of deployments of differential privacy (opendp/deployments-registry-data, tier 3).

Each text is one line, as the registry's checks require. "epsilon" is alpha.
"""

import math
import re
from typing import NotRequired, TypedDict

import yaml
from django.conf import settings
from django.urls import reverse

from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.files import File
from surveys.designer.evidence.paper import missing
from surveys.researcher.results import citation
from surveys.rules.texts import decimal
from surveys.survey import mechanisms


class Parameters(TypedDict):
    epsilon: float
    delta: NotRequired[float]


RegistryPart = dict[str, str | Parameters | list[str]]


class RegistryEntry(TypedDict):
    url_slug: str
    status: str
    tier: int
    deployment: dict[str, RegistryPart]


def text(facts: Facts, data: list[File]) -> str:
    """Return the entry as YAML. The survey needs a release."""
    dumped = yaml.safe_dump(dict(entry(facts)), allow_unicode=True, sort_keys=False, width=10**6)
    assert isinstance(dumped, str)
    return dumped


def entry(facts: Facts) -> RegistryEntry:
    basic = _basic(facts)
    return {
        "url_slug": _slug(facts, str(basic["publication_date"])),
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "basic": basic,
            "dp_variant": _variant(facts),
            "privacy_loss": _loss(facts),
            "deployment_model": _model(facts),
            "accounting": _accounting(facts),
            "implementation": _implementation(facts),
            "administrative": _administrative(facts),
        },
    }


def _slug(facts: Facts, day: str) -> str:
    parts = (facts.title, _curator(facts), day.split("-")[0])
    return "_".join(re.sub(r"\W+", "_", part.lower()) for part in parts).replace("_", "-")


def _curator(facts: Facts) -> str:
    return _line(missing(facts.disclosure.conductor))


def _line(words: str) -> str:
    return " ".join(words.split())


def _basic(facts: Facts) -> RegistryPart:
    assert facts.release
    limits = _line(facts.disclosure.limitations)
    intended = f"Shares and means of {_line(missing(facts.disclosure.population))}. {limits}".strip()
    return {
        "name": facts.title,
        "data_curators": [_curator(facts)],
        "description": f"A survey of {len(facts.questions)} questions whose answers are randomized in the respondent's "
        f"browser; release {facts.release.number} has {facts.release.n} reports.",
        "intended_use": intended,
        "data_product_type": "Dataset" if facts.survey.microdata_public else "Summary statistics",
        "data_product_region": _line(missing(facts.disclosure.population)),
        "publication_date": facts.releases[0].day.isoformat(),
    }


def _variant(facts: Facts) -> RegistryPart:
    unprotected = "That a report was sent, and the number of reports"
    if facts.has_forms:
        unprotected += "; the form of each report, which is drawn before anything is asked"
    return {
        "variant_name": "Approximate DP" if facts.delta else "Pure DP",
        "data_domain": "All combinations of answers that the questionnaire takes, of one person.",
        "unprotected_quantities": f"{unprotected}.",
    }


def _loss(facts: Facts) -> RegistryPart:
    parameters: Parameters = {"epsilon": float(facts.alpha)}
    if facts.delta:
        parameters["delta"] = float(facts.delta)
    return {
        "privacy_unit": "One person's whole report",
        "privacy_unit_details": "Local model: two persons are adjacent whatever each of them answers. The parameter is "
        "for all answers together of one browser in this survey. A person who sends two reports spends it twice.",
        "privacy_parameters": parameters,
        "privacy_parameters_details": _parameters(facts) + _readers(facts),
    }


def _parameters(facts: Facts) -> str:
    each = ", ".join(f"{one.question['key']} {one.by_channel(lambda each: each['alpha'])}" for one in facts.questions)
    forms = ", ".join(f"form {one.number} {one.alpha}" for one in facts.reports)
    alphas = f"By report: {forms}. By question, where those that are randomized together share one: {each}."
    return alphas + (f" With all earlier waves: {decimal(facts.alpha_of_waves)}." if facts.is_wave else "")


def _readers(facts: Facts) -> str:
    """Return the bound on readers, who see no report arrive (M49); "" if it equals alpha."""
    if facts.readers is None or not (best := facts.readers.together or facts.readers.step).less:
        return ""
    return (
        f" Readers of the releases alone face at most epsilon {math.ceil(100 * best.epsilon) / 100:g}, delta "
        f"{float(best.delta):g} (shuffled reports, {best.n} at the smallest step). Alpha bounds everyone else."
    )


def _model(facts: Facts) -> RegistryPart:
    many = len(facts.releases) > 1 or not facts.survey.closed_at
    return {
        "model_name": "Local",
        "model_name_details": "The respondent's browser randomizes; the server gets and stores randomized reports.",
        "actors": "Respondents trust their own browser and device. Operator, staff, researchers, readers, thieves and "
        "courts are all adversaries and see randomized reports at most. Published fingerprints of the code and a "
        "public log with witnesses let outsiders notice manipulated code.",
        "release_type": "Many releases" if many else "One release",
        "release_type_details": "All releases are computed from the same private reports and spend nothing more. Two "
        f"releases have the same reports of a form or differ by at least {facts.batch}.",
        "data_source_type": "Static" if facts.survey.closed_at else "Dynamic",
        "access_type": "Non-interactive",
        "access_type_details": "Researchers can request models and cross-tables, which read randomized reports only.",
    }


def _accounting(facts: Facts) -> RegistryPart:
    return {
        "post_processing": "Unbiased estimates are published as they are; projected ones beside them are named so.",
        "composition": "Sequential over the draws of a report; a draw may randomize several questions; a person "
        "has one form. Repeated participation adds, and is not prevented by an open link."
        if not facts.by_invitation
        else "Sequential over the draws of a report; a draw may randomize several questions; a person has one "
        "form. Each invitation lets in one report.",
    }


def _implementation(facts: Facts) -> RegistryPart:
    used = dict.fromkeys(str(mechanisms.of(each.question).name) for each in facts.questions)
    source = f" Source: {settings.SOURCE_URL}." if settings.SOURCE_URL else ""
    return {
        "preprocessing_and_hyperparameter_tuning": "None: all parameters are frozen before the first report.",
        "mechanisms": f"{', '.join(used)}. Own implementation in the browser, in whole numbers out of 2^53 without "
        "floating point; channels are enumerated exactly in tests, in the browser too. Reports have one length for all "
        f"answers. {facts.software}; fingerprints of the code served: {settings.SITE_URL}{reverse('check')}.{source}",
        "justification": "The designer chose the total alpha on a page that shows what a report reveals about a person "
        "beside the width of the intervals; mechanisms are those of least error at that alpha.",
    }


def _administrative(facts: Facts) -> RegistryPart:
    assert facts.release
    return {
        "sources": citation.address(facts.survey, facts.release),
        "notes": f"SHA-256 of the definition {facts.digest}, of the totals of the newest release "
        f"{facts.release.digest}.",
        "registry_authors": [_curator(facts)],
    }
