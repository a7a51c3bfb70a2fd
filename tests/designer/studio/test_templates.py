"""The templates for new surveys are complete, protect moderately and need few people."""

import json
from fractions import Fraction

import pytest
from django.contrib.auth.models import User

from ldp.forms import lot, report
from ldp.forms.definition import questionnaire
from ldp.planning import thirds
from surveys.designer.files import shape
from surveys.designer.files.starting import FOLDER, template, templates, templates_for
from surveys.survey import definition as definitions
from tests.support.alpha import words
from tests.support.builder import FRAGMENTS

EVERY_KIND = {"yes_no", "single_choice", "ordered", "multiple_choice", "grid", "histogram", "mean"}
OF_EACH = pytest.mark.parametrize("each", templates(), ids=[each.slug for each in templates()])


@OF_EACH
def test_a_template_could_be_opened_as_it_is_and_protects_moderately(each):
    made = definitions.build(each.draft)
    assert definitions.alpha_total(made) == each.total == "2" and questionnaire(made).strength == "moderate"
    assert not definitions.warnings(made)
    assert shape.draft(each.draft) == each.draft
    assert made["sections"] and made["consent"] and made["thanks"] and made["introduction"]


@OF_EACH
def test_a_template_is_precise_for_the_people_that_its_card_names(each):
    asked = questionnaire(definitions.build(each.draft))
    chances = lot.chances([form.weight for form in asked.forms])
    questions = {question["key"]: question for question in report.alone(definitions.build(each.draft))}

    def half_width(key, n):
        share = float(sum(chances[form] for form in asked.reports_about(key)))
        return thirds.built_half_width(questions[key], n * share)

    assert half_width(each.main, each.people_for_main) <= 0.1 < half_width(each.main, each.people_for_main - 1)
    for more, precise in ((0, True), (-1, False)):
        widest = max(half_width(key, each.people_for_all + more) for key in questions)
        assert (widest <= 0.1) is precise


def test_the_templates_that_need_the_fewest_people_come_first():
    needed = [each.people_for_main for each in templates()]
    assert needed == sorted(needed)


def test_two_templates_suit_300_people_for_their_main_question_and_1000_for_all():
    small = [each for each in templates() if each.people_for_main <= 300 and each.people_for_all <= 1000]
    assert [each.slug for each in small] == ["driving", "team"]
    assert all(len(each.draft["questions"]) in (2, 3) for each in small)


@pytest.mark.django_db
def test_the_templates_that_fit_these_people_come_first(client):
    client.force_login(User.objects.get_or_create(username="ada")[0])
    page = client.post("/surveys/new/", {"people": "400", "total": "2"}, headers=FRAGMENTS).content.decode()
    fitting, larger = (words(part) for part in page.split("6 templates need more people</summary>"))
    assert (
        "Margins for 400 people, about a population." in fitting
        and "Team climate Main question ±8.2 points , weakest ±12" in fitting
    )
    assert "Workplace 1,500 people for ±10 points on its main question" in larger
    assert fitting.count("Begin with this") == 2 and larger.count("Begin with this") == len(templates()) - 2


@pytest.mark.django_db
def test_margins_are_written_in_the_language_of_each_reader(client):
    client.force_login(User.objects.get_or_create(username="ada")[0])
    for language, margin in (("de", "±8,2"), ("en", "±8.2")):
        headers = FRAGMENTS | {"Accept-Language": language}
        assert margin in client.post("/surveys/new/", {"people": "400", "total": "2"}, headers=headers).content.decode()


@pytest.mark.django_db
def test_a_number_of_people_that_cannot_be_read_is_refused_to_a_script_too(client):
    client.force_login(User.objects.get_or_create(username="ada")[0])
    for typed in ("abc", "1000,0"):
        assert client.post("/surveys/new/", {"people": typed, "total": "2"}, headers=FRAGMENTS).status_code == 422


@pytest.mark.parametrize("invited", [False, True])
def test_with_the_people_that_a_card_names_its_main_question_is_as_precise_as_it_says(invited):
    for offer in templates_for(400, Fraction(2), invited):
        enough, fewer = (
            next(each for each in templates_for(n, Fraction(2), invited) if each.template == offer.template)
            for n in (offer.needed, round(0.9 * offer.needed))
        )
        assert enough.fits and not fewer.fits


@OF_EACH
def test_a_template_says_what_it_is_for_and_why_it_protects_so(each):
    assert each.name and each.purpose.endswith(".") and each.reason.endswith(".")
    stored = json.loads((FOLDER / f"{each.slug}.json").read_text(encoding="utf-8"))
    assert "alpha" not in json.dumps(stored["draft"]), "it is proposed"
    count = ["no", "one", "two", "three", "four", "five", "six", "seven"][len(each.draft["questions"])]
    assert each.draft["introduction"].lower().startswith(count)


def test_together_they_show_every_kind():
    assert {question["kind"] for each in templates() for question in each.draft["questions"]} == EVERY_KIND


def test_every_file_is_offered_and_no_one_changes_a_template():
    assert {f"{each.slug}.json" for each in templates()} == {path.name for path in FOLDER.iterdir()}
    template("tax").draft["questions"].clear()
    assert template("tax").draft["questions"]
    assert template("nothing") is None
