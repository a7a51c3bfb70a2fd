"""The templates that new surveys begin with are whole, and ask for little."""

from fractions import Fraction

import pytest

from surveys import definition as definitions
from surveys.design.files import shape
from surveys.design.files.starting import FOLDER, NAMES, template, templates

# Beyond it a survey's protection is weak.
TOTAL_MODERATE = 4
EVERY_KIND = {"yes_no", "single_choice", "ordered", "multiple_choice", "grid", "histogram", "mean"}


@pytest.mark.parametrize("each", templates(), ids=NAMES)
def test_a_template_could_be_opened_as_it_is_and_protects_at_least_moderately(each):
    made = definitions.build(each.draft)
    assert Fraction(definitions.alpha_total(made)) <= TOTAL_MODERATE
    assert max(Fraction(question["alpha"]) for question in made["questions"]) <= 1
    assert not definitions.warnings(made)
    assert shape.draft(each.draft) == each.draft
    assert made["sections"] and made["consent"] and made["thanks"] and made["introduction"]


@pytest.mark.parametrize("each", templates(), ids=NAMES)
def test_a_template_says_what_it_is_for_and_why_its_alphas_are_so(each):
    assert each.name and each.purpose.endswith(".")
    assert {question["alpha"] for question in each.draft["questions"]} == {"0.5", "1"}
    assert "0.5" in each.reason and " 1" in each.reason
    count = ["no", "one", "two", "three", "four", "five", "six", "seven"][len(each.draft["questions"])]
    assert each.draft["introduction"].lower().startswith(count)


def test_together_they_show_every_kind():
    assert {question["kind"] for each in templates() for question in each.draft["questions"]} == EVERY_KIND


def test_every_file_is_offered_and_nobody_changes_a_template():
    assert {path.stem for path in FOLDER.iterdir()} == set(NAMES)
    template("tax").draft["questions"].clear()
    assert template("tax").draft["questions"]
    assert template("nothing") is None
