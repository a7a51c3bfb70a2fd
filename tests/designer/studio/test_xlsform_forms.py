"""A survey's forms are exported as groups of an XLSForm and imported again as forms."""

from copy import deepcopy
from fractions import Fraction

import pytest

from surveys.designer.xlsform import writer
from surveys.drafts import forms
from surveys.survey import definition as definitions
from tests.support import routing
from tests.support.drawn import drawn
from tests.support.workbooks import form, imported, named, row


def survey(*homes, **more):
    """Return a definition of yes/no questions a, b, c and so on; each word has the keys of one form."""
    keys = sorted({key for home in homes for key in home} | {*more.pop("everyone", "")})
    questions = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"} for key in keys]
    listed = [{"questions": [*home], "weight": 1 + place} for place, home in enumerate(homes)]
    return definitions.build(drawn({"title": "x", "introduction": "", "questions": questions, "forms": listed} | more))


def total(draft):
    alphas = [forms.alpha_of(each) for each in draft["forms"]]
    everyone = sum(Fraction(each["alpha"]) for each in forms.everyone(draft))
    return {alpha + everyone for alpha in alphas}


@pytest.mark.parametrize(
    "homes", [("ab", "cd"), ("ac", "bd"), ("a", "b", "cd"), ("abcdefgh", "i")], ids=lambda homes: "-".join(homes)
)
def test_forms_come_back_wherever_their_questions_stand(homes):
    read = imported(writer.write(survey(*homes), "x"))
    assert [forms.keys_of(each) for each in read.draft["forms"]] == [[*home] for home in homes]
    definition = survey(*homes)
    assert definitions.build(read.draft)["forms"] == definition["forms"], "with their weights, draws and alphas"
    assert named(read, "Here they are forms", "changed")[0] == "form_1"


def test_what_everyone_is_asked_stays_so_and_takes_its_part_of_the_total():
    read = imported(writer.write(survey("ab", "cd", everyone="xy"), "x"))
    assert [each["key"] for each in forms.everyone(read.draft)] == ["x", "y"]
    assert total(read.draft) == {4}


def test_questions_of_several_forms_and_draws_of_several_come_back():
    keys, pair = "abcd", {"questions": ["a", "b"], "alpha": "2", "sizes": [1, 1]}
    questions = [{"key": key, "kind": "yes_no", "text": f"{key}?"} for key in keys]
    questions.append({"key": "e", "kind": "multiple_choice", "text": "e?", "options": ["x", "y", "z"], "alpha": "0.5"})
    one, other, last = ({"questions": [key], "alpha": alpha} for key, alpha in ("c1", "c3", "d1"))
    listed = [{"draws": [pair, one]}, {"weight": 3, "draws": [other, last]}]
    draft = {"title": "x", "introduction": "", "questions": questions, "forms": listed}
    definition = definitions.build(draft)
    read = imported(writer.write(definition, "x")).draft
    made = definitions.build(read)
    assert (made["draws"], made["forms"]) == (definition["draws"], definition["forms"])


def test_forms_come_back_from_sections_and_from_several_languages():
    sections = [
        {"title": "One", "text": "", "questions": ["a", "b", "c"]},
        {"title": "Two", "text": "", "questions": ["d"]},
    ]
    definition = survey("ad", "bc", sections=sections, language="en")
    read = imported(writer.write(definition, "x")).draft
    assert [forms.keys_of(each) for each in read["forms"]] == [["a", "d"], ["b", "c"]]
    assert [each["title"] for each in read["sections"]] == ["One", "Two"]


def test_conditions_within_a_form_come_back_with_it():
    draft = deepcopy(routing.DRAFT)
    chained = [each["key"] for each in draft["questions"]]
    draft["questions"].append({"key": "apart", "kind": "yes_no", "text": "Apart?", "alpha": "1"})
    draft = drawn(draft | {"forms": [{"questions": chained}, {"questions": ["apart"]}]})
    read = imported(writer.write(definitions.build(draft), "x")).draft
    assert [sorted(forms.keys_of(each)) for each in read["forms"]] == [sorted(chained), ["apart"]]


def test_a_group_with_the_name_of_a_form_and_a_heading_of_its_own_is_a_section():
    rows = [
        row("begin_group", "form_1", "Household"),
        row("select_one yes_no", "a", "A?"),
        row("end_group"),
        row("begin_group", "form_2", "Work"),
        row("select_one yes_no", "b", "B?"),
        row("end_group"),
    ]
    read = imported(form(*rows)).draft
    assert [each["title"] for each in read["sections"]] == ["Household", "Work"]


def test_a_question_that_depends_on_one_of_another_form_leaves_who_is_asked_what_to_a_proposal():
    rows = [
        row("begin_group", "form_1", "Form 1"),
        row("select_one yes_no", "a", "A?"),
        row("end_group"),
        row("begin_group", "form_2", "Form 2"),
        row("select_one yes_no", "b", "B?", relevant="${a} = 'yes'"),
        row("end_group"),
    ]
    read = imported(form(*rows)).draft
    homes = [forms.homes(read, key) for key in "ab"]
    assert homes[0] == homes[1]


def test_a_histogram_whose_bins_are_to_be_chosen_stays_in_its_form():
    questions = [
        {"key": "a", "kind": "yes_no", "text": "A?", "alpha": "1"},
        {"key": "b", "kind": "histogram", "text": "B?", "edges": ["0", "1", "2"], "alpha": "1"},
        {"key": "c", "kind": "yes_no", "text": "C?", "alpha": "2"},
    ]
    listed = [{"questions": ["a", "b"]}, {"questions": ["c"]}]
    definition = definitions.build(drawn({"title": "x", "introduction": "", "questions": questions, "forms": listed}))
    assert [forms.keys_of(each) for each in imported(writer.write(definition, "x")).draft["forms"]] == [
        ["a", "b"],
        ["c"],
    ]


def test_a_single_form_is_none_and_that_is_named():
    rows = [row("begin_group", "form_1", "Form 1"), row("select_one yes_no", "a", "A?"), row("end_group")]
    read = imported(form(*rows, row("select_one yes_no", "b", "B?")))
    assert named(read, "A group named as a form, without a second one", "changed") == ["form_1"]
    assert not any("Here they are forms" in remark.text for remark in read.remarks)
