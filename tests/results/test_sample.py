"""Pages whose intervals are for a population say what that can mean where anybody with the link could answer."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from tests.support.addresses import addresses
from tests.support.crossings import crossed
from tests.support.estimates import released
from tests.support.factories import DRAFT

SENTENCE = "where this page says “population”, read “people like those who took part”"
ADDRESSES = {address.name: address for address in addresses()}

PAGES = ["release-cross", "release-weighted", "release-contrasts", "release-waves"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_a_page_about_a_population_says_who_that_can_be(client, name):
    survey = released(20, DRAFT)
    crossed(survey, "yes", "which")
    survey.results_public = True
    survey.save()
    path = ADDRESSES[name].filled({"slug": survey.slug, "number": 1, "first": "yes", "second": "which"})
    body = client.get(path + "?question=which").content.decode()
    assert body.count(SENTENCE) == 1


def test_who_was_invited_may_be_a_sample_of_a_population():
    survey = SimpleNamespace(definition={"invitations": {"keys": []}})
    assert SENTENCE not in render_to_string("results/sample.html", {"survey": survey})
