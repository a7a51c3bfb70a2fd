"""XLSForms become drafts: every type of the specification becomes a question or is listed as left out."""

import pytest

from surveys.designer.xlsform import bounds
from surveys.survey import definition as definitions
from tests.support.workbooks import form, imported, named, row

# Every type -----------------------------------------------------------------------------------------------------------

KEPT = [
    row("select_one yes_no", "agree", "Do you agree?", hint="Think of today", required="yes"),
    row("select_one colours", "colour", "Which colour?", required="yes"),
    row("select_multiple colours", "colours", "Which colours?"),
    row("rank colours", "order", "Which colour first?"),
    row("select_one frequent", "often", "How often?", appearance="likert"),
    row("integer", "age", "How old are you?", constraint=". >= 18 and . <= 99"),
    row("decimal", "height", "How tall are you?", constraint=". > 0.5 and . < 2.5"),
    row("integer", "free", "Any number?"),
    row("range", "mood", "How is your mood?", parameters="start=1 end=10 step=1"),
]
LEFT_OUT = {
    "Free text": ["text"],
    "Times of day": ["time", "dateTime"],
    "Places": ["geopoint", "geotrace", "geoshape"],
    "Pictures, sound, films and other files": ["image", "audio", "video", "file", "background-audio"],
    "Barcodes": ["barcode"],
    "Calculations": ["calculate", "hidden"],
    "What a device would record": [
        "start",
        "end",
        "today",
        "deviceid",
        "username",
        "phonenumber",
        "email",
        "start-geopoint",
    ],
    "Data from other files": ["csv-external", "xml-external"],
    "in another file": ["select_one_from_file towns.csv", "select_multiple_from_file towns.csv"],
}


@pytest.fixture(scope="module")
def every_type():
    rows = [
        row(kind, f"x{place}_{number}", "Anything", calculation="1 + 1" if kind == "calculate" else "")
        for place, kinds in enumerate(LEFT_OUT.values())
        for number, kind in enumerate(kinds)
    ]
    return imported(form(row("note", "hello", "Welcome"), *KEPT, *rows, row("audit", "audit"), form_title="All of it"))


def test_every_type_that_can_be_asked_privately_becomes_a_question(every_type):
    draft = every_type.draft
    assert (draft["title"], draft["introduction"]) == ("All of it", "Welcome")
    assert [(question["key"], question["kind"]) for question in draft["questions"]] == [
        *(("agree", "yes_no"), ("colour", "single_choice"), ("colours", "multiple_choice"), ("order", "ranking")),
        ("often", "ordered"),
        *(("age", "histogram"), ("height", "histogram"), ("free", "histogram"), ("mood", "histogram")),
    ]
    assert draft["questions"][0]["note"] == "Think of today"
    assert draft["questions"][1]["options"] == ["Red", "Green", "Blue"]
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(draft)
    assert [refusal.field for refusal in refused.value.refusals] == ["questions[7].alpha", "questions[7].edges"]


def test_every_other_type_is_named_as_left_out(every_type):
    for place, (words, kinds) in enumerate(LEFT_OUT.items()):
        names = named(every_type, words, "left out")
        assert [f"x{place}_{number}" for number in range(len(kinds))] == [name for name in names if name != "audit"]
    assert "audit" in named(every_type, "What a device would record")


def test_what_may_be_left_blank_there_is_named(every_type):
    blank = named(every_type, "could be left blank", "changed")
    assert blank == ["colours", "order", "often", "age", "height", "free", "mood"]


# For the designer -----------------------------------------------------------------------------------------------------


def test_nothing_that_only_the_designer_knows_is_guessed(every_type):
    assert [(each.now["key"], each.other["kind"]) for each in every_type.decisions] == [
        *(("colour", "ordered"), ("age", "mean"), ("height", "mean"), ("free", "mean"), ("mood", "mean")),
    ]
    for each in every_type.decisions:
        assert each.now in every_type.draft["questions"]
        if each.now["key"] != "free":
            definitions.build({"title": "x", "questions": [each.other | {"alpha": "1"}]})
    age = every_type.decisions[1]
    assert (age.other["low"], age.other["high"]) == ("18", "99")
    assert named(every_type, "without a smallest and a largest", "choose") == ["free"]


@pytest.mark.parametrize(
    ("constraint", "whole", "expected"),
    [
        (". >= 0 and . <= 120", True, ("0", "120", True)),
        (".>0 and .<10", True, ("1", "9", True)),
        (".>0 and .<10", False, ("0", "10", False)),
        ("(. >= 5) and (20 >= .)", True, ("5", "20", True)),
        ("-5 <= . AND . <= 2.5", False, ("-5", "2.5", True)),
        (". >= 0", True, ("0", "None", True)),
        (". >= 0 and . <= ${other}", True, ("0", "None", False)),
        (". = 1 or . <= 5", True, ("None", "None", False)),
        ("not(. > 3)", True, ("None", "None", False)),
        ("regex(., '^[0-9]$')", True, ("None", "None", False)),
        ("", True, ("None", "None", True)),
    ],
)
def test_bounds_are_read_where_they_can_be(constraint, whole, expected):
    (low, high), complete = bounds.of_constraint(constraint, whole)
    assert (str(low), str(high), complete) == expected


@pytest.mark.parametrize(
    ("low", "high", "whole", "edges"),
    [
        (1, 5, True, "1 2 3 4 5 6"),
        (0, 120, True, "0 10 20 30 40 50 60 70 80 90 100 110 121"),
        (18, 99, True, "18 30 40 50 60 70 80 90 100"),
        (0, 1, False, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"),
        (-5, 999, True, "-5 100 200 300 400 500 600 700 800 900 1000"),
    ],
)
def test_proposed_bins_begin_and_end_where_the_form_does(low, high, whole, edges):
    """For whole numbers, the last edge is the first number beyond the range."""
    ends, step = bounds.Bounds(bounds.Decimal(low), bounds.Decimal(high)), bounds.Decimal(1) if whole else None
    assert " ".join(bounds.bins(ends, step, whole)) == edges


# Groups, notes, tables ------------------------------------------------------------------------------------------------


def test_groups_become_sections_and_notes_stand_where_they_are_read():
    read = imported(
        form(
            row("acknowledge", "ok", "I agree to take part."),
            row("select_one yes_no", "before", "Before?"),
            row("begin_group", "home", "Home"),
            row("note", "about", "About your home."),
            row("integer", "rooms", "How many rooms?", constraint=". >= 1 and . <= 9"),
            row("note", "between", "Nearly there."),
            row("select_one yes_no", "garden", "A garden?"),
            row("begin_group", "inner", "Kitchen"),
            row("select_one colours", "wall", "Its walls?"),
            row("end_group"),
            row("end_group"),
            row("note", "bye", "Thank you!"),
        )
    )
    assert [(section["title"], section["text"], section["questions"]) for section in read.draft["sections"]] == [
        ("Questions", "", ["before"]),
        ("Home", "About your home.", ["rooms", "garden"]),
        ("Home – Kitchen", "", ["wall"]),
    ]
    assert (read.draft["consent"], read.draft["thanks"]) == ("I agree to take part.", "Thank you!")
    assert read.draft["questions"][2]["note"] == "Nearly there."
    assert named(read, "Groups within groups") == ["inner"]
    assert named(read, "Rows to acknowledge") == ["ok"]
    assert named(read, "Questions outside every group") == ["before"]
    definitions.build(read.draft)


def test_a_table_becomes_a_grid_and_keeps_what_else_is_in_its_group():
    read = imported(
        form(
            row("begin_group", "table", "How often do you", appearance="table-list", hint="In a week"),
            row("select_one frequent", "walk", "walk?", relevant="${swim} = '1'"),
            row("select_one frequent", "swim", "swim?"),
            row("end_group"),
        )
    )
    (grid,) = read.draft["questions"]
    assert (grid["kind"], grid["text"], grid["note"]) == ("grid", "How often do you", "In a week")
    assert (grid["items"], grid["options"]) == (["walk?", "swim?"], ["Never", "Sometimes", "Always"])
    assert "sections" not in read.draft
    assert named(read, "Conditions that cannot be expressed here") == ["walk: ${swim} = '1'"]
    definitions.build(read.draft)


RATED = [
    row("select_one frequent", "head", "How often?", appearance="label", hint="In a week"),
    row("select_one frequent", "walk", "Walk", appearance="list-nolabel"),
    row("select_one frequent", "swim", "Swim", appearance="list-nolabel"),
]


@pytest.mark.parametrize(("group", "sections"), [("", []), ("Sport", ["Sport"]), ("How often?", [])])
def test_the_header_row_of_a_table_is_the_grids_question_and_its_groups_label_a_sections_title(group, sections):
    read = imported(form(row("begin_group", "g", group, appearance="field-list"), *RATED, row("end_group")))
    (grid,) = read.draft["questions"]
    assert (grid["kind"], grid["text"], grid["note"]) == ("grid", "How often?", "In a week")
    assert grid["items"] == ["Walk", "Swim"]
    assert [section["title"] for section in read.draft.get("sections", ())] == sections
    assert not [remark for remark in read.remarks if "Texts above a table" in remark.text]


def test_the_label_of_a_group_is_the_grids_question_where_the_header_row_has_none():
    rows = [RATED[0] | {"label": " ", "hint": ""}, *RATED[1:]]
    read = imported(form(row("begin_group", "g", "Sport", appearance="field-list"), *rows, row("end_group")))
    assert [grid["text"] for grid in read.draft["questions"]] == ["Sport"]
    assert "sections" not in read.draft


def test_the_header_row_of_what_is_no_table_stands_above_its_rows():
    rows = [RATED[0], RATED[1], row("select_one colours", "hue", "Hue", appearance="list-nolabel")]
    read = imported(form(row("begin_group", "g", "Sport", appearance="field-list"), *rows, row("end_group")))
    assert [question["key"] for question in read.draft["questions"]] == ["walk", "hue"]
    assert "How often?" in str(read.draft)


def test_the_condition_of_a_header_row_is_listed():
    rows = [RATED[0] | {"relevant": "${b} = 'yes'"}, *RATED[1:]]
    group = [row("begin_group", "g", "", appearance="field-list"), *rows, row("end_group")]
    assert named(
        imported(form(row("select_one yes_no", "b", "B?"), *group)), "Conditions that cannot be expressed"
    ) == ["head: ${b} = 'yes'"]


def test_rows_without_options_are_no_table_whatever_they_look_like():
    rows = [RATED[0], *(row("text", f"t{i}", "T", appearance="list-nolabel") for i in range(2))]
    read = imported(form(row("begin_group", "g", "Sport", appearance="field-list"), *rows, row("end_group")))
    assert named(read, "Free text") == ["t0", "t1"] and read.draft["questions"] == []
