"""Pages with intervals for a population explain the population if anyone with the link could answer."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from tests.accounts.table import TABLE, WEIGHTED
from tests.support.addresses import addresses
from tests.support.analyses import crossed, raked
from tests.support.estimates import released
from tests.support.factories import DRAFT

SENTENCE = "Population figures apply only to people like those who took part"
ADDRESSES = {address.name: address for address in addresses()}
KNOWN = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"} for key in ("sex", "town")]
ABOUT_A_POPULATION = ["release-crossing", "release-comparisons", "release-waves"]
WEIGHTED_TO_ONE = ["release-weighted", "release-raking"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*ABOUT_A_POPULATION, *WEIGHTED_TO_ONE])
def test_a_page_about_a_population_says_who_that_can_be_and_one_that_weights_to_it_does_not(client, name):
    survey = released(20, DRAFT | {"questions": DRAFT["questions"] + KNOWN})
    crossed(survey, "yes", "which")
    raked(survey, WEIGHTED)
    survey.results_public = True
    survey.save()
    path = ADDRESSES[name].filled({"slug": survey.slug, "number": 1, "first": "yes", "second": "which"})
    answer = client.get(f"{path}?{TABLE[name].query}")
    assert answer.status_code == 200
    assert answer.content.decode().count(SENTENCE) == (name in ABOUT_A_POPULATION)


def test_who_was_invited_may_be_a_sample_of_a_population():
    survey = SimpleNamespace(definition={"invitations": {"keys": []}})
    assert SENTENCE not in render_to_string("researcher/results/sample.html", {"survey": survey})
