"""The templates that new surveys begin with are whole, and ask for little."""

import json

import pytest
from django.contrib.auth.models import User

from ldp.forms import lot, report
from ldp.forms.definition import questionnaire
from ldp.planning import thirds
from surveys.designer.files import shape
from surveys.designer.files.starting import FOLDER, template, templates
from surveys.figures import numerals
from surveys.survey import definition as definitions
from tests.support.alpha import words

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
@OF_EACH
def test_the_card_names_the_main_question_and_how_many_people_it_and_all_need(client, each):
    client.force_login(User.objects.get_or_create(username="ada")[0])
    page = client.get("/surveys/new/").content.decode()
    card = words(page.partition(f"<bdi>{each.name}</bdi>")[2].partition("<form")[0])
    main, everything = map(numerals.count_up, (each.people_for_main, each.people_for_all))
    assert f"±10 points about a population (95%): {main} for the main question, {everything} for all questions." in card
    [text] = [question["text"] for question in each.draft["questions"] if question["key"] == each.main]
    assert f"{text} Main question" in card and card.count("Main question") == 1


@OF_EACH
def test_a_template_says_what_it_is_for_and_why_it_protects_so(each):
    assert each.name and each.purpose.endswith(".") and each.reason.endswith(".")
    stored = json.loads((FOLDER / f"{each.slug}.json").read_text(encoding="utf-8"))
    assert "alpha" not in json.dumps(stored["draft"]), "it is proposed"
    count = ["no", "one", "two", "three", "four", "five", "six", "seven"][len(each.draft["questions"])]
    assert each.draft["introduction"].lower().startswith(count)


def test_together_they_show_every_kind():
    assert {question["kind"] for each in templates() for question in each.draft["questions"]} == EVERY_KIND


def test_every_file_is_offered_and_nobody_changes_a_template():
    assert {f"{each.slug}.json" for each in templates()} == {path.name for path in FOLDER.iterdir()}
    template("tax").draft["questions"].clear()
    assert template("tax").draft["questions"]
    assert template("nothing") is None
