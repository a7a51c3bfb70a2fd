"""Nothing of an XLSForm is dropped silently: a remark names each part that is not in the draft."""

from time import process_time
from unicodedata import normalize

import pytest

from surveys.designer.xlsform import mending
from surveys.survey import definition as definitions
from tests.support.workbooks import CHOICES, COLOURS, form, imported, named, row, workbook


def test_whatever_else_a_form_says_is_named():
    choices = [
        ["list_name", "name", "label::English", "label::Deutsch", "image", "region"],
        *(["towns", "a", "Aa", "Ah", "a.png", "north"], ["towns", "b", "Aa", "Be", "", "south"]),
        *(["towns", "c", "Prefer not to say", "Keine Angabe", "", ""],),
    ]
    rows = [
        {"type": "select_one towns", "name": "Town", "label::English": "Where, ${x}?", "label::Deutsch": "Wo?"}
        | {"guidance_hint": "aloud", "relevant": "${x} > 1", "appearance": "minimal", "image": "map.png"}
        | {"choice_filter": "region = 'north'", "default": "a", "constraint_message": "No", "note to self": "!"},
        {"type": "integer", "name": "x", "label::English": "A **bold** question", "read_only": "yes"}
        | {"constraint": ". > 1 and . mod 2 = 0"},
        {"type": "begin_repeat", "name": "again", "label::English": "Child", "repeat_count": "3"},
        {"type": "select_one towns", "name": "born", "label::English": "Born", "parameters": "randomize=true"},
        {"type": "end_repeat"},
    ]
    columns = ["type", "name", *dict.fromkeys(c for each in rows for c in each if c not in ("type", "name"))]
    data = workbook(
        survey=[columns, *([each.get(column) for column in columns] for each in rows)],
        choices=choices,
        settings=[["form_title", "default_language", "version", "style"], ["T", "English", "3", "pages"]],
        scratch=[["anything"]],
    )
    read = imported(data)
    town = read.draft["questions"][0]
    assert (town["key"], town["options"]) == ("town", ["Aa", "Aa (b)"])
    assert town["prefer_not_to_say"] is True
    assert read.draft["translations"]["de"]["questions"][0]["options"] == ["Ah", "Be (b)"]
    for words, names in {
        "Pictures, sound and films beside questions": ["Town"],
        "Pictures, sound and films beside options": ["towns"],
        "guidance_hint": ["Town"],
        "Conditions that cannot be expressed here": ["Town: ${x} > 1"],
        "appearance": ["Town"],
        "depend on earlier answers": ["Town"],
        "filled in beforehand": ["Town"],
        "Your own messages for refused answers": ["Town"],
        "The column note to self": ["Town"],
        "quote an earlier answer": ["Town"],
        "Formatting": ["x"],
        "cannot be answered (read_only)": ["x"],
        "(constraint)": ["x"],
        "asked several times": ["again"],
        "How often a repeat is asked": ["again"],
        "parameters": ["born"],
        "look the same as another": ["Town", "born"],
        "“Prefer not to say” has become": ["Town", "born"],
        "not translated into all languages": ["again (de)", "born (de)", "form_title (de)", "x (de)"],
        "Sheets other than": ["scratch"],
        "Settings of the form": ["style", "version"],
        "The codes of options": [],
        "Columns of the sheet choices": ["region"],
        "written differently here": ["Town → town"],
    }.items():
        assert sorted(named(read, words)) == names, words


def test_options_that_look_alike_are_told_apart_by_their_codes():
    choices = [*CHOICES, ["two", "a", "Yes"], ["two", "b", "Y\u200bes"], ["two", "c", "\u03a5es"]]
    read = imported(form(row("select_one two", "q", "?", required="yes"), choices=choices))
    assert read.draft["questions"][0]["options"] == ["Yes", "Y\u200bes (b)", "\u03a5es (c)"]
    assert named(read, "look the same as another") == ["q"]
    assert definitions.refusals(read.draft) == ()


def test_an_override_in_a_form_is_told_with_its_field_and_keeps_the_survey_from_opening():
    draft = imported(form(row("select_one yes_no", "q", "a\u202eb", required="yes"))).draft
    with pytest.raises(definitions.DraftRefused, match=r"order in which it is read \[questions\[0\]\.text\]"):
        definitions.build(draft)


def test_the_questions_after_the_200th_are_named():
    read = imported(form(*(row("select_one yes_no", f"q{i}", "?", required="yes") for i in range(203))))
    assert len(read.draft["questions"]) == 200
    assert named(read, "after the first 200") == ["q200", "q201", "q202"]


def test_options_of_a_refused_list_are_named():
    choices = [*CHOICES, ["one", "1", "Only"], *(["many", str(i), f"Option {i}"] for i in range(257))]
    read = imported(form(row("select_one one", "few", "?"), row("select_one many", "many", "?"), choices=choices))
    assert named(read, "fewer than two options") == ["few"] and named(read, "more than 256") == ["many"]
    assert named(read, "No row of the form became a question") == []


def test_what_a_group_of_lost_questions_and_an_unused_list_said_is_named():
    read = imported(
        form(
            row("begin_group", "lost", "Where you live", hint="Think of your main home", intent="org.example.app"),
            row("text", "street", "Street"),
            row("end_group"),
            row("begin_group", "mixed", "Both", appearance="table-list", hint="Each row"),
            row("select_multiple frequent", "several", "Several"),
            row("select_multiple frequent", "more", "More"),
            row("end_group"),
        )
    )
    assert named(read, "Groups without any question left") == ["lost"]
    assert sorted(named(read, "Lists of options that no question")) == ["colours", "yes_no"]
    assert named(read, "The column intent") == ["lost"]
    assert read.draft["sections"][0]["text"] == "Think of your main home\nEach row"


@pytest.mark.parametrize("columns", [["list_name", "name", "label"], ["List Name", "Value", "label"]])
def test_a_choice_with_the_name_of_another_is_listed_by_its_row_and_the_rest_is_imported(columns):
    choices = [
        columns,
        *COLOURS[:2],
        [None] * 3,
        ["colours", "r", "Crimson"],
        *COLOURS[2:],
        ["frequent", "r", "Rarely"],
    ]
    read = imported(form(row("select_one colours", "q", "Which?"), choices=choices))
    assert read.draft["questions"][0]["options"] == ["Red", "Green", "Blue"]
    assert named(read, "Options with the same name as another", "left out") == ["row 5: colours, r"]


def test_a_form_that_allows_the_same_name_twice_keeps_both():
    choices = [CHOICES[0], *COLOURS, ["colours", "r", "Crimson"]]
    read = imported(form(row("select_one colours", "q", "Which?"), choices=choices, allow_choice_duplicates="yes"))
    assert read.draft["questions"][0]["options"] == ["Red", "Green", "Blue", "Crimson"]


# Bad cells ------------------------------------------------------------------------------------------------------------

GOOD = [row("select_one yes_no", "a", "A?", required="yes"), row("select_one colours", "b", "B?", required="yes")]


@pytest.mark.parametrize(
    ("bad", "words", "names"),
    [
        (
            row("select_one yes_no", "c", "C?", relevant="${nobody} = 'yes'"),
            "Cells that cannot be read",
            ["survey, row 4: relevant ${nobody} = 'yes'"],
        ),
        (row("select_one nowhere", "c", "C?"), "Rows that cannot be read", ["survey, row 4: select_one nowhere c"]),
        (row("begin_group", "c", "Never closed"), "Rows that cannot be read", ["survey, row 4: begin_group c"]),
        (row("end_group"), "Rows that cannot be read", ["survey, row 4: end_group"]),
        (row("calculate", "c"), "Rows that cannot be read", ["survey, row 4: calculate c"]),
        (
            row("select_one yes_no", "a name", "C?"),
            "Names of rows that no form may have",
            ["survey, row 4: name a name → a_name_4"],
        ),
        (row("select_one yes_no", "a", "C?"), "Names of rows that no form may have", ["survey, row 4: name a → a_4"]),
        (row("select_one yes_no", "", "C?"), "Names of rows that no form may have", ["survey, row 4: name → row_4"]),
    ],
)
def test_a_bad_cell_costs_what_it_stands_in_and_the_rest_is_imported(bad, words, names):
    read = imported(form(*GOOD, bad, row("select_one frequent", "d", "D?", required="yes")))
    keys = [question["key"] for question in read.draft["questions"]]
    assert keys[:2] == ["a", "b"] and keys[-1] == "d"
    assert named(read, words) == names
    assert [remark for remark in read.remarks if remark.group == "said"]


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("range", "nan"),
        ("range", "1e999"),
        ("integer", "nan"),
        ("text", "inf"),
        ("image", "nan"),
        ("select_one yes_no", "nan"),
    ],
)
def test_no_number_among_the_parameters_of_a_row_costs_the_rest(kind, number):
    names = ["start", "rows", "max-pixels", "randomize", "seed"]
    bad = row(kind, "c", "C?", parameters=" ".join(f"{name}={number}" for name in names))
    read = imported(form(*GOOD, bad, row("select_one frequent", "d", "D?", required="yes")))
    keys = [question["key"] for question in read.draft["questions"] if question.get("edges") != []]
    assert {"a", "b", "d"} <= set(keys) <= {"a", "b", "c", "d"}
    assert any("c" in remark.names or bad["parameters"] in remark.names[0] for remark in read.remarks if remark.names)


def test_a_question_may_be_named_meta_and_decide_whom_another_is_asked():
    rows = [row("select_one yes_no", "meta", "M?"), row("select_one colours", "b", "B?", relevant="${meta} = 'no'")]
    read = imported(form(*[each | {"required": "yes"} for each in rows]))
    assert [question["key"] for question in read.draft["questions"]] == ["meta", "b"]
    assert read.draft["questions"][1]["asked_if"] == {"question": "meta", "options": [1]}
    assert not [remark for remark in read.remarks if "meta" in remark.text or remark.group == "said"]


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["возраст", "вес", "вопрос_12"], ["q", "q_2", "q_12"]),
        (["السن", "الوزن"], ["q", "q_2"]),
        (["年龄", "ｎ１"], ["q", "n1"]),
        (["Größe", "a\u0302ge", "_x"], ["grosse", "age", "q_x"]),
    ],
)
def test_names_and_codes_of_every_script_keep_their_conditions_and_become_short_keys(names, keys):
    first, *others = names
    choices = [["list_name", "name", "label"], ["выбор", "très", "T"], ["выбор", "нет", "N"]]
    # An accent may be separate from its letter in one cell and combined with it in another.
    relevant = f"${{{normalize('NFD', first)}}} = '{normalize('NFD', 'très')}'"
    rows = [row("select_one выбор", first, "Q?"), *(row("select_one выбор", name, "Q?") for name in others)]
    read = imported(form(*rows, row("select_one выбор", "last", "L?", relevant=relevant), choices=choices))
    assert [question["key"] for question in read.draft["questions"]] == [*keys, "last"]
    assert read.draft["questions"][-1]["asked_if"] == {"question": keys[0], "options": [0]}


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("name", "My survey 2026", "Names of rows that no form may have"),
        ("instance_name", "${nowhere}", "Cells that cannot be read"),
    ],
)
def test_a_setting_that_cannot_be_read_costs_itself_alone(setting, value, words):
    read = imported(form(*GOOD, form_title="T", **{setting: value}))
    assert (read.draft["title"], [question["key"] for question in read.draft["questions"]]) == ("T", ["a", "b"])
    [name] = named(read, words)
    assert name.startswith(f"settings, row 2: {setting} {value}")


def test_of_two_columns_with_one_name_the_first_counts():
    rows = [["type", "name", "label", "label"], ["select_one yes_no", "q", "First", "Second"]]
    read = imported(workbook(survey=rows, choices=CHOICES))
    assert [question["text"] for question in read.draft["questions"]] == ["First"]
    assert named(read, "Columns that are there twice") == ["survey, D1: label"]


def test_of_two_names_of_one_column_a_row_has_what_it_says_in_either():
    rows = [
        ["type", "name", "label", "relevant", "relevance"],
        ["select_one yes_no", "a", "A?", None, None],
        ["select_one yes_no", "b", "B?", None, "${a} = 'yes'"],
        ["select_one yes_no", "c", "C?", "${a} = 'no'", None],
    ]
    read = imported(workbook(survey=rows, choices=CHOICES))
    asked = [question.get("asked_if", {}).get("options") for question in read.draft["questions"]]
    assert asked == [None, [0], [1]]
    assert named(read, "Columns that are there twice") == ["survey, row 1: relevance relevant"]


def test_a_form_with_many_bad_cells_is_still_imported():
    rows = [row("select_one yes_no", f"q{i}", "?", relevant="${nobody} = '1'", required="yes") for i in range(60)]
    read = imported(form(*GOOD, *rows))
    assert len(read.draft["questions"]) == 62
    assert len(named(read, "Cells that cannot be read")) == 60


@pytest.mark.parametrize(
    "said",
    [
        "sheet: 'survey'. Headers that are different names " + " found: 'a', 'b" * 800,
        "sheet: 'survey'. Headers that are different names found: '" + "a', '" * 6_000,
        "Choice names with spaces cannot be. See [" + "a] in [" * 4_000,
        "On the 'survey' sheet, the '" * 1_000,
    ],
)
def test_no_cell_that_an_error_repeats_takes_long(said):
    start = process_time()
    assert mending.mend({"survey": [{"type": "note"}]}, said) is None
    assert process_time() - start < 1
