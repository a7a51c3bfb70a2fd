"""Scales, ranges, other answers and tables of a form are kept, or a remark names what is lost."""

from html import unescape
from time import process_time

import pytest

from surveys.designer.studio import creation, import_remarks
from surveys.designer.xlsform import bounds, steps, texts
from surveys.models import Survey
from surveys.survey import definition as definitions
from tests.support.workbooks import CHOICES, form, imported, named, row, workbook


def listed(name, *labels):
    """Return a list of options with these codes and labels."""
    return [[name, *label] for label in labels]


def of(rows, *lists, **columns):
    return imported(form(*rows, choices=[*CHOICES, *(each for one in lists for each in one)], **columns))


# Scales ---------------------------------------------------------------------------------------------------------------

AGREE = [("1", "Never"), ("2", "Sometimes"), ("3", "Often")]


@pytest.mark.parametrize(
    ("options", "no_steps"),
    [
        ([*AGREE, ("99", "Not applicable")], ["Not applicable"]),
        ([*AGREE, ("98", "Egal"), ("99", "Weiß nicht")], ["Egal", "Weiß nicht"]),
        ([*AGREE, ("4", "Don’t know")], ["Don’t know"]),
        ([("0", "Refused to answer"), *AGREE], ["Refused to answer"]),
        ([*AGREE, ("-1", "Leer")], ["Leer"]),
        ([*AGREE, ("dk", "Pas concerné")], ["Pas concerné"]),
        ([*AGREE, ("4", "Don't know / refused")], ["Don't know / refused"]),
        ([*AGREE, ("4", "No sabe")], ["No sabe"]),
        ([*AGREE, ("4", "لا أعرف")], ["لا أعرف"]),
        ([*AGREE, ("4", "不知道")], ["不知道"]),
        *(
            ([*AGREE, ("4", text)], [text])
            for text in (
                *(
                    "n.a.",
                    "(Not applicable)",
                    "99 – Not applicable",
                    "ＮＯＴ ＡＰＰＬＩＣＡＢＬＥ",
                    "Not applicable\u200b to me",
                ),
                *(
                    "I’d rather not say",
                    "Nicht anwendbar",
                    "Weiß ich nicht",
                    "Möchte ich nicht sagen",
                    "Betrifft mich nicht",
                ),
                *("Ne s’applique pas", "No procede", "Prefiero no decirlo", "Não aplicável", "Non so", "Geçerli değil"),
                *("لا يَنْطَبِقُ", "غير قابل للتطبيق", "Не применимо", "Nie dotyczy", "N.v.t.", "該当なし", "해당 없음"),
                *(
                    "I don't want to answer",
                    "Refusal",
                    "Vet inte",
                    "Δεν ξέρω",
                    "نمی\u200cدانم",
                    "أرفض الإجابة",
                    "Нет ответа",
                ),
            )
        ),
        ([*AGREE, ("99.0", "Leer")], ["Leer"]),
        ([("l_1", "Never"), ("l_2", "Often"), ("l_99", "Leer")], ["Leer"]),
        ([("1", "Trifft nicht zu"), ("2", "Trifft zu")], []),
        ([("1", "Yes"), ("2", "Not sure"), ("3", "No")], []),
        ([("1", "Yes"), ("2", "No"), ("3", "Not sure")], ["Not sure"]),
        ([("1", "Did not apply to me at all"), ("2", "Applied to me")], []),
        ([("1", "I do"), ("2", "I don't")], []),
        ([(str(i), f"Point {i}") for i in range(1, 11)], []),
        ([(str(i), f"{i} in 100") for i in range(0, 101, 10)], []),
        ([("-2", "Worse"), ("-1", "Bad"), ("0", "So so"), ("1", "Good")], []),
        ([("very", "Rather important"), ("not", "Rather not important")], []),
    ],
)
def test_what_is_no_step_of_a_scale_is_found(options, no_steps):
    texts, codes = [text for _code, text in options], [code for code, _text in options]
    assert [texts[i] for i in steps.no_steps(texts, codes)] == no_steps


def test_a_scale_with_what_is_no_step_stays_a_choice_and_a_scale_without_it_is_proposed():
    scale = listed("l", *AGREE, ("98", "Don't know"), ("99", "Refused"))
    read = of([row("select_one l", "how", "How often?", appearance="likert")], scale)
    [question] = read.draft["questions"]
    assert (question["kind"], len(question["options"])) == ("single_choice", 5)
    assert named(read, "no steps of a scale", "choose") == ["how: Don't know", "how: Refused"]
    [decision] = read.decisions
    assert decision.other["kind"] == "ordered" and decision.other["prefer_not_to_say"] is True
    assert (decision.other["options"], decision.left_out) == (
        ["Never", "Sometimes", "Often"],
        ["Don't know", "Refused"],
    )


def test_a_table_whose_options_are_not_all_steps_is_named():
    scale = listed("l", *AGREE, ("9", "n/a"))
    rows = [
        row("begin_group", "g", "G", appearance="table-list"),
        row("select_one l", "a", "A"),
        row("select_one l", "b", "B"),
    ]
    read = of([*rows, row("end_group")], scale)
    assert named(read, "no steps of a scale") == ["g: n/a"] and read.draft["questions"][0]["kind"] == "grid"


def test_an_option_is_no_step_where_its_text_in_any_language_is_none_and_none_where_another_answer_is_asked_for():
    survey = [["type", "name", "label::English (en)", "label::Deutsch (de)", "appearance"]]
    survey += [
        ["select_one l", "how", "How?", "Wie?", "likert"],
        ["select_one m or_other", "why", "Why?", "Wozu?", "likert"],
    ]
    choices = [["list_name", "name", "label::English (en)", "label::Deutsch (de)"], ["l", "1", "Never", "Nie"]]
    choices += [
        ["l", "2", "Often", "Oft"],
        ["l", "3", "–", "Nicht zutreffend"],
        ["m", "1", "A", "A"],
        ["m", "2", "B", "B"],
    ]
    read = imported(workbook(survey=survey, choices=choices))
    assert [each["kind"] for each in read.draft["questions"]] == ["single_choice", "single_choice"]
    assert named(read, "no steps of a scale", "choose") == ["how: –"]


@pytest.mark.django_db
def test_the_proposed_scale_takes_the_conditions_and_translations_along(ada, client):
    scale = listed("l", ("0", "Refused"), *AGREE)
    rows = [row("select_one l", "how", "How often?"), row("select_one yes_no", "why", "Why?", relevant="${how} = '2'")]
    read = of(rows, scale)
    survey = Survey.objects.create(draft=read.draft)
    import_remarks.store(survey, read)
    draft = read.draft
    assert draft["questions"][1]["asked_if"]["options"] == [2]
    assert import_remarks._replace(draft, read.decisions[0])
    assert draft["questions"][0]["options"] == ["Never", "Sometimes", "Often"]
    assert draft["questions"][1]["asked_if"]["options"] == [1]


@pytest.mark.django_db
def test_the_page_offers_the_scale_and_says_what_it_leaves_out(ada, client):
    scale = listed("l", *AGREE, ("98", "Don't know"), ("99", "Refused"))
    rows = [row("select_one l", "how", "How often?", appearance="likert")]
    survey = creation.from_xlsform(ada, form(*rows, choices=[*CHOICES, *scale]), "file")
    address = f"/surveys/{survey.pk}/imported/"
    shown = unescape(client.get(address).content.decode())
    assert "(“Prefer not to say” takes the place of: Don't know, Refused)" in shown
    client.post(address, {"how": "ordered"})
    survey.refresh_from_db()
    [question] = survey.draft["questions"]
    assert (question["kind"], question["options"]) == ("ordered", ["Never", "Sometimes", "Often"])
    assert question["prefer_not_to_say"] is True


# Numbers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "edges", "told"),
    [
        ("start=0 end=10 step=3", "0 3 6 9 12", "r: 3"),
        ("start=1 end=5 step=0.5", "1 1.5 2 2.5 3 3.5 4 4.5 5 5.5", "r: 0.5"),
        ("start=0 end=1 step=25e-2", "0 0.25 0.5 0.75 1 1.25", "r: 0.25"),
        ("start=١ end=٥", "1 2 3 4 5 6", None),
        ("start=1 end=5", "1 2 3 4 5 6", None),
        ("start=0 end=100 step=5", "0 10 20 30 40 50 60 70 80 90 100", "r: 5"),
    ],
)
def test_the_step_of_a_range_makes_its_bins_and_is_named(parameters, edges, told):
    read = of([row("range", "r", "R?", parameters=parameters, required="yes")])
    assert " ".join(read.draft["questions"][0]["edges"]) == edges
    if told:
        assert named(read, "a step apart") == [told] and "limits" not in read.draft["questions"][0]
    else:
        [question] = definitions.build(read.draft)["questions"]
        assert question["limits"] == "whole" and question["options"] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    "parameters",
    [
        *("start=0 end=10 step=20", "start=0,5 end=2,5", "start=5 end=5", "start=0 end=x"),
        *("start=0 end=10 step=nan", "start=-inf end=9", "start=0 end=9999999999999", "start=0 end=1 step=0.0000001"),
    ],
)
def test_a_range_whose_ends_are_not_read_is_none_from_1_to_10(parameters):
    read = of([row("range", "r", "R?", parameters=parameters)])
    assert read.draft["questions"][0]["edges"] == []
    assert named(read, "without a smallest and a largest value") == ["r"]
    assert named(read, "Cells that cannot be read") == [f"survey, row 2: parameters {parameters}"]


def test_every_constraint_that_is_not_kept_is_named():
    rows = [
        row("range", "a", "A?", parameters="start=0 end=10 step=1", constraint=". mod 2 = 0"),
        row("integer", "b", "B?", constraint=". >= 0 and . <= 100 and . mod 5 = 0"),
        row("select_multiple colours", "c", "C?", constraint="count-selected(.) <= 2"),
        row("rank colours", "d", "D?", constraint="position(.) = 1"),
        row("select_one colours", "e", "E?", constraint=". != 'r'"),
        row("integer", "f", "F?", constraint=". >= 0 and . <= 100"),
    ]
    read = of([each | {"required": "yes"} for each in rows])
    assert sorted(named(read, "(constraint)")) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("constraint", "whole", "expected"),
    [
        (". > 0.5 and . < 9.5", True, ("1", "9")),
        (". >= 0.5 and . <= 9.5", True, ("1", "9")),
        (". >= 0 and . >= 18 and . <= 99 and . <= 120", True, ("18", "99")),
        (". >= -0.5 and 3 >= .", False, ("-0.5", "3")),
    ],
)
def test_the_bounds_of_whole_numbers_are_whole_and_the_closest_count(constraint, whole, expected):
    (low, high), complete = bounds.of_constraint(constraint, whole)
    assert (str(low), str(high)) == expected and complete


@pytest.mark.parametrize("constraint", [". > 0 and . <= 3", "0 < . and . <= 3", ". >= 0 and . < 3", "3 > . and 0 <= ."])
def test_an_end_that_a_form_refuses_itself_is_an_end_of_decimals_here_and_named(constraint):
    read = of([row("decimal", "a", "A?", required="yes", constraint=constraint)])
    [question] = read.draft["questions"]
    assert (question["edges"][0], question["edges"][-1]) == ("0", "3")
    assert named(read, "(constraint)") == ["a"]


# Other answers --------------------------------------------------------------------------------------------------------


def test_another_answer_is_offered_by_the_questions_that_ask_for_it_alone():
    rows = [
        row("select_one colours or_other", "a", "A?", required="yes"),
        row("select_one colours", "b", "B?", required="yes"),
        row("select_multiple colours or_other", "c", "C?", required="yes"),
        row("select_one yes_no", "d", "D?", relevant="${a} = 'other'", required="yes"),
    ]
    read = of(rows)
    colours = ["Red", "Green", "Blue"]
    assert [each.get("options") for each in read.draft["questions"]] == [
        *([*colours, "Other"], colours, [*colours, "Other"], None),
    ]
    assert read.draft["questions"][3]["asked_if"] == {"question": "a", "options": [3]}
    assert named(read, "(or_other)", "changed") == ["a", "c"]


# Tables of KoBo -------------------------------------------------------------------------------------------------------


def test_a_score_a_ranking_and_a_matrix_of_kobo_become_grids_and_a_ranking():
    rows = [
        row("begin_score", "sc", "How good?", **{"kobo--score-choices": "frequent"}),
        row("score__row", "s1", "Food", required="true"),
        row("score__row", "s2", "Rooms", required="true"),
        row("end_score"),
        row("begin_rank", "rk", "Which first?", **{"kobo--rank-items": "colours"}),
        row("rank__level", "r1", "1st"),
        row("rank__level", "r2", "2nd"),
        row("end_rank"),
        row("begin_kobomatrix", "mx", "Things", **{"kobo--matrix_list": "colours"}),
        row("select_one yes_no", "have", "Do you have it?", required="true"),
        row("select_one frequent", "use", "How often used?", required="true"),
        row("integer", "count", "How many?"),
        row("end_kobomatrix"),
    ]
    read = of(rows)
    frequent, colours = ["Never", "Sometimes", "Always"], ["Red", "Green", "Blue"]
    said = [
        {name: each.get(name) for name in ("kind", "text", "items", "options", "ranked")}
        for each in read.draft["questions"]
    ]
    nothing = {"items": None, "options": None, "ranked": None}
    assert said == [
        nothing | {"kind": "grid", "text": "How good?", "items": ["Food", "Rooms"], "options": frequent},
        nothing | {"kind": "ranking", "text": "Which first?", "ranked": colours},
        nothing | {"kind": "grid", "text": "Things – Do you have it?", "items": colours, "options": ["Yes", "No"]},
        nothing | {"kind": "grid", "text": "Things – How often used?", "items": colours, "options": frequent},
    ]
    assert named(read, "Columns of a matrix") == ["count"] and named(read, "How many places a ranking has") == ["rk"]
    assert "kobo--" not in " ".join(remark.text for remark in read.remarks)


# Formatting -----------------------------------------------------------------------------------------------------------


def test_only_marks_that_are_shown_as_they_are_count_as_formatting():
    read = of(
        [
            row("note", "hello", "A **bold** start\n- one\n- two"),
            row("select_one yes_no", "a", "Is it **bold**?", hint="Yes: **bold**, [more](https://example.org)"),
            row("select_one yes_no", "b", "Plain?", hint="<b>No</b>"),
            row("select_one yes_no", "c", "_Plain_?", hint="snake_case"),
        ]
    )
    assert named(read, "Formatting") == ["a", "b", "c"]
    read = of([row("note", "hello", "A **bold** start"), row("select_one yes_no", "a", "A?", hint="**Only** this")])
    assert not any("Formatting" in remark.text for remark in read.remarks)


@pytest.mark.parametrize("text", ["<a" * 16_000, "${" * 16_000, "*a " * 10_000, "_a " * 10_000, "[" * 32_000])
def test_no_text_takes_long_to_be_looked_through(text):
    start = process_time()
    assert not texts._MARKUP.search(text) and not texts._REFERENCE.search(text)
    assert process_time() - start < 1
