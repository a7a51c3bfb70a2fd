"""The templates that new surveys begin with are whole, and ask for little."""

import json

import pytest

from ldp.forms import lot, report
from ldp.forms.definition import questionnaire
from ldp.planning import thirds
from surveys.designer.files import shape
from surveys.designer.files.starting import FOLDER, NAMES, template, templates
from surveys.survey import definition as definitions

EVERY_KIND = {"yes_no", "single_choice", "ordered", "multiple_choice", "grid", "histogram", "mean"}


@pytest.mark.parametrize("each", templates(), ids=NAMES)
def test_a_template_could_be_opened_as_it_is_and_protects_moderately(each):
    made = definitions.build(each.draft)
    assert definitions.alpha_total(made) == each.total == "2" and questionnaire(made).strength == "moderate"
    assert not definitions.warnings(made)
    assert shape.draft(each.draft) == each.draft
    assert made["sections"] and made["consent"] and made["thanks"] and made["introduction"]


@pytest.mark.parametrize("each", templates(), ids=NAMES)
def test_a_template_is_precise_for_the_people_that_its_card_names(each):
    asked = questionnaire(definitions.build(each.draft))
    chances = lot.chances([form.weight for form in asked.forms])
    for question in report.alone(definitions.build(each.draft)):
        share = sum(chances[form] for form in asked.reports_about(question["key"]))
        assert thirds.built_half_width(question, int(each.precise * share), target="respondents") <= 0.0501
    assert int(each.people.replace(",", "")) >= each.precise


@pytest.mark.parametrize("each", templates(), ids=NAMES)
def test_a_template_says_what_it_is_for_and_why_it_protects_so(each):
    assert each.name and each.purpose.endswith(".") and each.reason.endswith(".")
    stored = json.loads((FOLDER / f"{each.slug}.json").read_text(encoding="utf-8"))
    assert "alpha" not in json.dumps(stored["draft"]), "it is proposed"
    count = ["no", "one", "two", "three", "four", "five", "six", "seven"][len(each.draft["questions"])]
    assert each.draft["introduction"].lower().startswith(count)


def test_together_they_show_every_kind():
    assert {question["kind"] for each in templates() for question in each.draft["questions"]} == EVERY_KIND


def test_every_file_is_offered_and_nobody_changes_a_template():
    assert {f"{name}.json" for name in NAMES} == {path.name for path in FOLDER.iterdir()}
    template("tax").draft["questions"].clear()
    assert template("tax").draft["questions"]
    assert template("nothing") is None
