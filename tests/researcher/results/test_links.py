"""A question's card links to the analyses that can be computed with it, and gives the reason for each other one."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.models import Membership, Release, Role
from surveys.researcher.analyses.links import AnalysisReader, of_question, of_release
from tests.researcher.results.test_forms import ended
from tests.support.analyses import crossed
from tests.support.calls import calls
from tests.support.drawn import drawn
from tests.support.estimates import collect, released
from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db

YES_NO = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "2"} for key in ("one", "two", "three")]
NOISE = {
    "key": "pay",
    "kind": "mean",
    "text": "Pay?",
    "low": "0",
    "high": "9",
    "alpha": "1",
    "mechanism": "laplace_mean",
}
ALL, NOBODY_ELSE = ["Cross-tables", "Subgroups", "Models", "Weighted questions"], AnalysisReader(False, ())


def researcher(survey):
    client, user = Client(), User.objects.create_user("r")
    Membership.objects.create(survey=survey, user=user, role=Role.RESEARCHER)
    client.force_login(user)
    return client


def links(release, key, reader=None):
    return dict(of_question(release, reader or AnalysisReader(True, ()), key)["links"])


def test_a_researcher_is_led_to_every_analysis_with_the_question_filled_in():
    survey = released(60, {"title": "Three", "questions": YES_NO}, results_public=True)
    client, release = researcher(survey), Release.objects.get(survey=survey)
    offered = links(release, "two")
    assert list(offered) == ALL
    page = client.get(reverse("results", args=[survey.slug])).content.decode()
    for address in offered.values():
        assert address.endswith("=two") and f'href="{address}"' in page
        assert client.get(address).status_code == 200
    form = client.get(offered["Cross-tables"]).content.decode()
    assert '<option value="two" selected>' in form and form.count('<option value="two"') == 1, "not by itself"


def test_five_times_the_questions_are_less_than_ten_times_the_work():
    """The test counts calls, not seconds. Each question is paired with each other one, so work grows faster."""

    def work(count):
        questions = [YES_NO[0] | {"key": f"q{k}"} for k in range(count)]
        release = Release.objects.get(survey=released(60, {"title": "Many", "questions": questions}))
        return calls(lambda: of_release(release, AnalysisReader(True, ())))[0]

    work(8)  # the first page loads the site
    assert work(40) < 10 * work(8)


def test_what_cannot_be_computed_of_a_question_is_said_in_a_line_and_not_offered():
    survey = released(60, {"title": "Noise", "questions": [*YES_NO, NOISE]}, results_public=True)
    offered = of_release(Release.objects.get(survey=survey), AnalysisReader(True, ()))
    assert offered["pay"]["links"] == [] and len(offered["pay"]["refusals"]) == 1
    assert offered["pay"]["refusals"][0].startswith(f"{', '.join(ALL)}: Reports about this mean are numbers")
    assert not offered["one"]["refusals"]
    page = researcher(survey).get(reverse("release-question", args=[survey.slug, 1, "pay"])).content.decode()
    assert offered["pay"]["refusals"][0] in page


def test_a_question_that_no_form_asks_with_another_has_no_analysis_of_two():
    forms = [{"questions": ["one", "two"]}, {"questions": ["three"]}]
    survey = ended((60, 60), drawn({"title": "Forms", "questions": YES_NO, "forms": forms}))
    release = Release.objects.get(survey=survey)
    alone = of_question(release, AnalysisReader(True, ()), "three")
    assert alone["links"] == [] and "No form asks these questions together" in alone["refusals"][0]
    both = of_question(release, AnalysisReader(True, ()), "one")
    assert "Cross-tables" in dict(both["links"]) and "Weighted questions: No form" in both["refusals"][0]
    client = researcher(survey)
    models = client.get(reverse("release-regressions", args=[survey.slug, 1]), {"outcome": "one"}).content.decode()
    assert 'name="as.two"' in models and 'name="as.three"' not in models and "because no form asks both" in models
    groups = client.get(reverse("release-all-subgroups", args=[survey.slug, 1])).content.decode()
    assert 'value="three"' not in groups and "three?”</bdi>" in groups


def test_a_number_that_no_form_asks_with_another_has_no_model_and_the_sentence_has_no_gap():
    number = {"key": "hours", "kind": "histogram", "text": "Hours?", "edges": ["0", "20", "40", "60"], "alpha": "2"}
    forms = [{"questions": ["one", "two"]}, {"questions": ["hours"]}]
    survey = ended((60, 60), drawn({"title": "Forms", "questions": [*YES_NO[:2], number], "forms": forms}))
    refusals = of_question(Release.objects.get(survey=survey), AnalysisReader(True, ()), "hours")["refusals"]
    assert any("Models" in text.partition(":")[0] and "No form asks these questions" in text for text in refusals)
    assert not any("%(" in text for text in refusals)


def test_what_holds_of_every_question_is_said_once_and_forms_with_other_channels_can_be_chosen_from():
    """“One” has one alpha together with “two”, and another alpha together with “three”."""
    forms = [{"questions": ["one", "two"], "alpha": "2"}, {"questions": ["one", "three"], "alpha": "1"}]
    survey = ended((60, 60), drawn({"title": "Pairs", "questions": YES_NO, "forms": forms}))
    client = researcher(survey)
    page = client.get(reverse("results", args=[survey.slug])).content.decode()
    assert page.count("Weighted questions: No form asks these questions together") == 1
    for key in ("one", "two", "three"):
        assert client.get(reverse("release-crossings", args=[survey.slug, 1]), {"first": key}).status_code == 200


def test_a_reader_is_led_to_what_was_computed_and_to_nothing_empty():
    survey = released(60, {"title": "Three", "questions": YES_NO}, results_public=True)
    release = Release.objects.get(survey=survey)
    results = reverse("results", args=[survey.slug])
    assert of_question(release, NOBODY_ELSE, "one") == {"links": [], "refusals": []}
    assert "/cross/" not in Client().get(results).content.decode()
    crossed(survey, "one", "two")
    table = reverse("release-crossing", args=[survey.slug, 1, "one", "two"])
    assert Client().get(results).content.decode().count(f'href="{table}"') == 2, "at both of its questions"
    crossed(survey, "one", "three")
    listing = reverse("release-crossings", args=[survey.slug, 1])
    assert Client().get(results).content.decode().count(f'href="{listing}"') == 1, "of several tables the list"


def test_of_an_older_release_nothing_new_is_offered():
    survey = opened_survey({"title": "Three", "questions": YES_NO}, results_public=True)
    for _release in range(2):
        collect(survey, 300)
    client = researcher(survey)
    pages = [client.get(reverse("release", args=[survey.slug, number])).content.decode() for number in (1, 2)]
    assert ["?first=one" in page for page in pages] == [False, True]
