"""Surveys are exported as XLSForms and imported again with all that a form can express."""

import io

import pytest
from openpyxl import load_workbook

from surveys.designer.files.starting import templates
from surveys.designer.xlsform import sandbox, writer
from surveys.survey import definition as definitions
from tests.support import arm_cases, routing
from tests.support.drawn import drawn
from tests.support.workbooks import imported, named


@pytest.mark.parametrize("each", templates(), ids=[each.slug for each in templates()])
def test_a_survey_as_a_form_comes_back_with_what_a_form_can_say(each):
    definition = definitions.build(each.draft)
    back = imported(writer.write(definition, "survey_1")).draft
    assert {name: back[name] for name in ("title", "introduction", "consent", "thanks", "sections")} == {
        name: each.draft[name] for name in ("title", "introduction", "consent", "thanks", "sections")
    }
    for before, after in zip(each.draft["questions"], back["questions"], strict=True):
        same = {"kind", "text", "options", "items", "edges", "low", "high", "unit", "prefer_not_to_say"}
        assert {name: before.get(name) for name in same} == {name: after.get(name) for name in same}
    told = {name for remark in writer.remarks(definition) for name in remark.names}
    assert told >= {
        question["key"] for question in each.draft["questions"] if question["kind"] in ("histogram", "mean")
    }


def test_which_questions_are_versions_of_which_is_listed_as_lost():
    definition = definitions.build(arm_cases.DRAFT)
    lost = {remark.text: remark.names for remark in writer.remarks(definition)}
    assert lost[str(writer._VERSION)] == ["plain / kind", "plain / short", "age / years"]
    sheet = load_workbook(io.BytesIO(writer.write(definition, "versions")))["not in this form"]
    assert (str(writer._VERSION), "plain / kind, plain / short, age / years") in list(sheet.iter_rows(values_only=True))


def test_a_scale_asked_for_its_mean_is_a_scale_in_the_form_and_that_is_listed():
    question = {"key": "q", "kind": "mean", "text": "How often?", "steps": ["never", "at times", "always"], "alpha": 1}
    definition = definitions.build({"title": "x", "questions": [question]})
    back = imported(writer.write(definition, "x")).draft["questions"][0]
    assert (back["kind"], back["steps"]) == ("mean", question["steps"])
    lost = {remark.text: remark.names for remark in writer.remarks(definition)}
    assert lost[str(writer._MEAN)] == ["q"] and str(writer._SCALE) not in lost


def test_texts_that_look_like_formulas_are_texts_in_the_form():
    question = {
        "key": "q",
        "kind": "single_choice",
        "text": "=1+1",
        "options": ["=cmd|' /C calc'!A0", "@b"],
        "alpha": 1,
    }
    data = writer.write(definitions.build({"title": "=HYPERLINK(1)", "questions": [question]}), "x")
    assert not sandbox.read(data)["notes"]
    read = imported(data)
    assert read.draft["title"] == "=HYPERLINK(1)"
    assert (read.draft["questions"][0]["text"], read.draft["questions"][0]["options"]) == ("=1+1", question["options"])


def test_a_survey_with_code_points_that_are_no_characters_goes_out_without_them():
    """The survey was opened before the site refused them."""
    question = {"key": "q", "kind": "single_choice", "text": "Well?", "options": ["a", "b"], "alpha": 1}
    definition = definitions.build({"title": "x", "questions": [question]})
    definition["questions"][0]["options"] = ["a\ufffe", "b\uffff"]
    assert imported(writer.write(definition, "x")).draft["questions"][0]["options"] == ["a", "b"]


def test_whom_a_question_is_asked_is_in_the_form():
    definition = definitions.build(routing.DRAFT)
    sheet = load_workbook(io.BytesIO(writer.write(definition, "routed")))["survey"]
    header, *rows = sheet.iter_rows(values_only=True)
    written = [dict(zip(header, row, strict=True)) for row in rows]
    relevant = {row["name"]: row["relevant"] for row in written if row["relevant"]}
    assert relevant == {
        "often": "${smokes} = 'yes'",
        "cigarettes": "${often} = '2' or ${often} = '3'",
        "wish": "${smokes} = 'yes'",
        "liked": "selected(${drinks}, '1') or selected(${drinks}, '2') or selected(${drinks}, '3')",
        "glasses": "selected(${drinks}, '2')",
        "where": "selected(${drinks}, '1') or selected(${drinks}, '3')",
        "coast": "${region} = '1' or ${region} = '3'",
    }


def test_several_deciding_questions_stand_in_the_form_with_and_or_or_and_come_back():
    definition = definitions.build(routing.SEVERAL)
    sheet = load_workbook(io.BytesIO(writer.write(definition, "several")))["survey"]
    header, *rows = sheet.iter_rows(values_only=True)
    relevant = {row[header.index("name")]: row[header.index("relevant")] for row in rows}
    both = "${smokes} = 'yes' and (selected(${drinks}, '1') or selected(${drinks}, '3')) and ${region} = '3'"
    assert relevant["both"] == both
    assert relevant["either"] == "${often} = '2' or ${often} = '3' or selected(${drinks}, '2')"
    again = imported(writer.write(definition, "several")).draft
    assert [each.get("asked_if") for each in again["questions"]] == [
        each.get("asked_if") for each in definition["questions"]
    ]


def test_a_condition_that_no_cell_holds_is_left_out_whole_and_named_as_lost():
    """Three scales have 250 steps each. Part of the condition would ask other people."""
    keys = [f"scale_with_the_longest_key_of_any_of_{n:03}" for n in range(3)]
    steps = {"options": [f"step {n}" for n in range(250)], "alpha": "1", "mechanism": "randomized_response"}
    scales = [{"key": key, "kind": "single_choice", "text": "?"} | steps for key in keys]
    rules = [{"question": key, "options": list(range(249))} for key in keys]
    last = {"key": "last", "kind": "yes_no", "text": "?", "alpha": "1", "asked_if": {"all": rules}}
    definition = definitions.build({"title": "Long", "questions": [*scales, last]})
    sheet = load_workbook(io.BytesIO(writer.write(definition, "long")))["survey"]
    header, *_questions, row = sheet.iter_rows(values_only=True)
    assert row[header.index("name")] == "last" and not row[header.index("relevant")]
    [lost] = [each for each in writer.remarks(definition) if "too long for a cell" in each.text]
    assert list(lost.names) == ["last"]


def test_whom_a_question_is_asked_comes_back():
    again = imported(writer.write(definitions.build(routing.DRAFT), "routed"))
    rules = {each["key"]: each["asked_if"] for each in routing.DRAFT["questions"] if "asked_if" in each}
    assert {each["key"]: each.get("asked_if") for each in again.draft["questions"] if "asked_if" in each} == rules
    assert named(again, "Questions asked only after certain answers", "choose") == list(rules)
    assert "relevant" not in " ".join(remark.text for remark in again.remarks)


def test_questions_with_the_same_words_and_other_codes_have_lists_of_their_own():
    said = {"kind": "single_choice", "text": "?", "options": ["Yes", "No"], "alpha": "1"}
    draft = {
        "title": "Twice",
        "questions": [
            {"key": "a", "kind": "yes_no", "text": "?", "alpha": "1"},
            {"key": "b"} | said,
            {"key": "c"} | said | {"asked_if": {"question": "b", "options": [1]}},
        ],
    }
    again = imported(writer.write(definitions.build(draft), "twice"))
    assert again.draft["questions"][2]["asked_if"] == {"question": "b", "options": [1]}


def test_a_form_becomes_a_group_and_what_it_cannot_say_is_listed():
    questions = [{"key": key, "kind": "yes_no", "text": f"{key}?", "alpha": "1"} for key in "abc"]
    forms = [{"questions": ["a", "b"]}, {"questions": ["c"]}]
    definition = definitions.build(drawn({"title": "x", "introduction": "", "questions": questions, "forms": forms}))
    rows = list(load_workbook(io.BytesIO(writer.write(definition, "x")))["survey"].values)
    kinds = [(row[0].split(" ")[0], row[1]) for row in rows[1:]]
    assert kinds == [
        *(("begin_group", "form_1"), ("select_one", "a"), ("select_one", "b"), ("end_group", None)),
        *(("begin_group", "form_2"), ("select_one", "c"), ("end_group", None)),
    ]
    assert any("one form only" in remark.text for remark in writer.remarks(definition))


def test_weights_and_what_is_randomized_together_with_its_alpha_are_listed_form_by_form():
    questions = [{"key": key, "kind": "yes_no", "text": f"{key}?"} for key in "abc"]
    questions[2]["alpha"] = "1.5"
    forms = [{"questions": ["a", "b"], "alpha": "2", "weight": 3}, {"questions": ["c"]}]
    definition = definitions.build(drawn({"title": "x", "introduction": "", "questions": questions, "forms": forms}))
    listed = {remark.topic or remark.text: remark.names for remark in writer.remarks(definition)}
    assert listed["How often each form is drawn (its weight)."] == ["form_1: 3", "form_2: 1"]
    (together,) = (text for text in listed if text.startswith("That answers are randomized together"))
    assert listed[together] == ["form_1: alpha 2"]
    sheet = load_workbook(io.BytesIO(writer.write(definition, "x")))["not in this form"]
    assert any(row[1] == "form_1: 3, form_2: 1" for row in sheet.values)
    said = [remark.text for remark in imported(writer.write(definition, "x")).remarks]
    assert any("whose answers are randomized together, are proposed anew" in text for text in said)


@pytest.mark.parametrize(
    "constraint",
    [
        None,
        "not(selected(., '2') and count-selected(.) > 1)",
        'not( selected(.,"2") ) or count-selected(.) = 1',
        "count-selected(.)<=1 or not(selected(., '2'))",
    ],
)
def test_the_option_that_goes_with_no_other_is_a_constraint_both_ways(constraint):
    question = {
        "key": "has",
        "kind": "multiple_choice",
        "text": "?",
        "options": ["car", "no vehicle", "boat"],
        "alpha": "1",
    }
    form = writer.write(definitions.build({"title": "x", "questions": [question | {"exclusive": 1}]}), "x")
    if constraint:
        form = rewritten(form, constraint)
    again = imported(form)
    assert again.draft["questions"][0]["exclusive"] == 1
    assert not any("(constraint)" in remark.text for remark in again.remarks)
    assert any("unmark it if it means anything else" in remark.text for remark in again.remarks)


@pytest.mark.parametrize("constraint", ["count-selected(.) < 3", "not(selected(., '9') and count-selected(.) > 1)"])
def test_another_constraint_of_several_is_named_as_left_out(constraint):
    question = {"key": "has", "kind": "multiple_choice", "text": "?", "options": ["car", "boat"], "alpha": "1"}
    form = writer.write(definitions.build({"title": "x", "questions": [question | {"exclusive": 1}]}), "x")
    again = imported(rewritten(form, constraint))
    assert "exclusive" not in again.draft["questions"][0]
    assert any("(constraint)" in remark.text for remark in again.remarks)


def rewritten(form, constraint):
    """Return the form with another constraint in its question."""
    book = load_workbook(io.BytesIO(form))
    sheet = book["survey"]
    column = [cell.value for cell in sheet[1]].index("constraint") + 1
    sheet.cell(row=2, column=column).value = constraint
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
