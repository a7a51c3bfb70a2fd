"""Results and codebook say of whom a question was asked, and what the filler means for the estimate."""

import copy
import html

import pytest
from django.test import Client
from django.urls import reverse

from surveys import definition as definitions
from surveys.models import Release
from surveys.research import codebook
from surveys.results import routing
from tests.support import routing as support_routing
from tests.support.estimates import released

pytestmark = pytest.mark.django_db

DRAFT = {
    "title": "Routed",
    "questions": [
        {"key": "smokes", "kind": "yes_no", "text": "Do you smoke?", "alpha": "1"},
        {
            "key": "often",
            "kind": "ordered",
            "text": "How often?",
            "options": ["never", "at times", "daily"],
            "alpha": "1",
        }
        | {"alpha": "1", "asked_if": {"question": "smokes", "options": [0]}, "filler": 0},
    ],
}
SAID = (
    "Asked only of those who answered “Yes” to “Do you smoke?”. Whoever is not asked counts as “never”: the shares are "
    "those of everybody, and that of “never” includes those who were not asked."
)


def test_the_results_page_says_it_beside_the_question_and_of_no_other():
    survey = released(draft=copy.deepcopy(DRAFT), results_public=True)
    page = html.unescape(Client().get(reverse("results", args=[survey.slug])).content.decode())
    assert page.count(SAID) == 1
    assert "Everyone who took part sent one, whether they were asked this question or not." in page
    assert page.count("Everyone who took part answered this question.") == 1


def test_the_codebook_says_it_to_programs_and_to_people():
    survey = released(draft=copy.deepcopy(DRAFT), results_public=True)
    release = Release.objects.latest_of(survey)
    book = codebook.of_release(release)
    assert [each["estimation"]["asked_of"] for each in book["questions"]] == ["", SAID]
    assert book["questions"][1]["asked_if"] == DRAFT["questions"][1]["asked_if"]
    page = Client().get(reverse("release-codebook", args=[survey.slug, release.number]))
    assert SAID in html.unescape(page.content.decode())


def test_each_kind_of_filler_is_said_in_words():
    questions = definitions.build(support_routing.DRAFT)["questions"]
    by_key = {question["key"]: question for question in questions}
    said = {question["key"]: routing.sentence(question, by_key) for question in questions}
    assert said["smokes"] == said["drinks"] == said["region"] == ""
    assert said["cigarettes"].startswith(
        "Asked only of those who answered “daily” or “always” to “often?”, and were asked that themselves. "
        "Whoever is not asked counts as “under 1 a day”"
    )
    assert "counts as “Prefer not to say”" in said["wish"]
    assert said["liked"].startswith("Asked only of those who named “beer” or “wine” or “spirits” at “drinks?”.")
    assert "counts as “None of these”: the shares are those of everybody" in said["liked"]
    assert said["glasses"].endswith("counts as 0: the mean is that of everybody, including these people.")
    assert "counts as “never”" in said["where"] and "counts as “far”" in said["coast"]
    mixed = support_routing.changed({"questions": questions}, "where", {"filler": [1, 0]})["questions"]
    assert "“home: often; pub: never”" in routing.sentence(mixed[7], by_key)
