"""XLSForms become drafts: every type of the specification becomes a question or is named as left out."""

import copy
import io
import time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from openpyxl import load_workbook
from pyxform.xls2xform import convert

from surveys import definition as definitions
from surveys.definition.translating import slots
from surveys.design.drafts import mark
from surveys.design.files.starting import NAMES, templates
from surveys.design.xlsform import bounds, conditions, confined, forms, routes, writing
from surveys.design.xlsform.languages import name_with_tag, tag_of
from surveys.lifecycle import open_survey
from surveys.models import Survey
from tests.support import languages, routed
from tests.support.workbooks import CHOICES, form, row, workbook


def imported(data):
    return forms.draft_of(confined.read(data), "the file")


def named(read, words, group=None):
    """The names in the remarks whose sentence has these words."""
    found = [remark for remark in read.remarks if words in remark.text and group in (None, remark.group)]
    assert found, f"no remark says {words!r}: {[remark.text for remark in read.remarks]}"
    return [name for remark in found for name in remark.names]


# Every type -----------------------------------------------------------------------------------------------------------

KEPT = [
    row("select_one yes_no", "agree", "Do you agree?", hint="Think of today", required="yes"),
    row("select_one colours", "colour", "Which colour?", required="yes"),
    row("select_multiple colours", "colours", "Which colours?"),
    row("select_one frequent", "often", "How often?", appearance="likert"),
    row("integer", "age", "How old are you?", constraint=". >= 18 and . <= 99"),
    row("decimal", "height", "How tall are you?", constraint=". > 0.5 and . < 2.5"),
    row("integer", "free", "Any number?"),
    row("range", "mood", "How is your mood?", parameters="start=1 end=10 step=1"),
]
LEFT_OUT = {
    "Free text": ["text"],
    "Dates and times": ["date", "time", "dateTime"],
    "Places": ["geopoint", "geotrace", "geoshape"],
    "Pictures, sound, films and other files": ["image", "audio", "video", "file", "background-audio"],
    "Barcodes": ["barcode"],
    "Rankings": ["rank colours"],
    "Calculations": ["calculate", "hidden"],
    "What a device would tell": [
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
        *(("agree", "yes_no"), ("colour", "single_choice"), ("colours", "multiple_choice"), ("often", "ordered")),
        *(("age", "histogram"), ("height", "histogram"), ("free", "histogram"), ("mood", "histogram")),
    ]
    assert draft["questions"][0]["note"] == "Think of today"
    assert draft["questions"][1]["options"] == ["Red", "Green", "Blue"]
    with pytest.raises(definitions.DraftRefused) as refused:
        definitions.build(draft)
    assert [refusal.field for refusal in refused.value.refusals] == ["questions[6].edges"]


def test_every_other_type_is_named_as_left_out(every_type):
    for place, (words, kinds) in enumerate(LEFT_OUT.items()):
        names = named(every_type, words, "left out")
        assert [f"x{place}_{number}" for number in range(len(kinds))] == [name for name in names if name != "audit"]
    assert "audit" in named(every_type, "What a device would tell")


def test_what_may_be_left_blank_there_is_named(every_type):
    blank = named(every_type, "could be left blank", "changed")
    assert blank == ["colours", "often", "age", "height", "free", "mood"]


# For the designer -----------------------------------------------------------------------------------------------------


def test_nothing_that_only_the_designer_knows_is_guessed(every_type):
    assert [(each.now["key"], each.other["kind"]) for each in every_type.decisions] == [
        *(("colour", "ordered"), ("age", "mean"), ("height", "mean"), ("free", "mean"), ("mood", "mean")),
    ]
    for each in every_type.decisions:
        assert each.now in every_type.draft["questions"]
        if each.now["key"] != "free":
            definitions.build({"title": "x", "questions": [each.other]})
    age = every_type.decisions[1]
    assert (age.other["low"], age.other["high"]) == ("18", "99")
    assert named(every_type, "without a smallest and a largest", "choose") == ["free"]


@pytest.mark.parametrize(
    ("constraint", "whole", "expected"),
    [
        (". >= 0 and . <= 120", True, ("0", "120", True)),
        (".>0 and .<10", True, ("1", "9", True)),
        (".>0 and .<10", False, ("0", "10", True)),
        ("(. >= 5) and (20 >= .)", True, ("5", "20", True)),
        ("-5 <= . AND . < 2.5", False, ("-5", "2.5", True)),
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
        (0, 120, True, "0 10 20 30 40 50 60 70 80 90 100 110 120"),
        (18, 99, True, "18 30 40 50 60 70 80 90 99"),
        (0, 1, False, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"),
        (-5, 999, True, "-5 100 200 300 400 500 600 700 800 900 999"),
    ],
)
def test_proposed_bins_begin_and_end_where_the_form_does(low, high, whole, edges):
    assert " ".join(bounds.bins(bounds.Bounds(bounds.Decimal(low), bounds.Decimal(high)), whole)) == edges


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
    assert named(read, "Conditions that cannot be said here") == ["walk: ${swim} = '1'"]
    definitions.build(read.draft)


# Nothing is dropped silently ------------------------------------------------------------------------------------------


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
        "Conditions that cannot be said here": ["Town: ${x} > 1"],
        "appearance": ["Town"],
        "depend on earlier answers": ["Town"],
        "filled in beforehand": ["Town"],
        "Words of your own for refused answers": ["Town"],
        "The column note to self": ["Town"],
        "quote an earlier answer": ["Town"],
        "Formatting": ["x"],
        "cannot be answered (read_only)": ["x"],
        "(constraint)": ["x"],
        "asked several times": ["again"],
        "How often a repeat is asked": ["again"],
        "parameters": ["born"],
        "same text as another": ["Town", "born"],
        "“Prefer not to say” has become": ["Town", "born"],
        "not translated into all languages": ["again (de)", "born (de)", "form_title (de)", "x (de)"],
        "Sheets other than": ["scratch"],
        "Settings of the form": ["style", "version"],
        "The codes of options": [],
        "Columns of the sheet choices": ["region"],
        "written otherwise here": ["Town → town"],
    }.items():
        assert sorted(named(read, words)) == names, words


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
    assert named(read, "Groups of which no question is left") == ["lost"]
    assert sorted(named(read, "Lists of options that no question")) == ["colours", "yes_no"]
    assert named(read, "The column intent") == ["lost"]
    assert read.draft["sections"][0]["text"] == "Think of your main home\nEach row"


# And back -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("each", templates(), ids=NAMES)
def test_a_survey_as_a_form_comes_back_with_what_a_form_can_say(each):
    definition = definitions.build(each.draft)
    back = imported(writing.write(definition, "survey_1")).draft
    assert {name: back[name] for name in ("title", "introduction", "consent", "thanks", "sections")} == {
        name: each.draft[name] for name in ("title", "introduction", "consent", "thanks", "sections")
    }
    for before, after in zip(each.draft["questions"], back["questions"], strict=True):
        same = {"text", "options", "items"} | ({"prefer_not_to_say"} if before["kind"] != "histogram" else set())
        assert {name: before.get(name) for name in same} == {name: after.get(name) for name in same}
        assert after["kind"] == {"mean": "histogram"}.get(before["kind"], before["kind"])
    told = {name for remark in writing.remarks(definition) for name in remark.names}
    assert told >= {
        question["key"] for question in each.draft["questions"] if question["kind"] in ("histogram", "mean")
    }


def test_texts_that_look_like_formulas_are_texts_in_the_form():
    question = {
        "key": "q",
        "kind": "single_choice",
        "text": "=1+1",
        "options": ["=cmd|' /C calc'!A0", "@b"],
        "alpha": 1,
    }
    data = writing.write(definitions.build({"title": "=HYPERLINK(1)", "questions": [question]}), "x")
    assert not confined.read(data)["formulas"]
    read = imported(data)
    assert read.draft["title"] == "=HYPERLINK(1)"
    assert (read.draft["questions"][0]["text"], read.draft["questions"][0]["options"]) == ("=1+1", question["options"])


def test_whom_a_question_is_asked_stands_in_the_form_and_what_the_others_count_as_is_named_as_lost():
    definition = definitions.build(routed.DRAFT)
    sheet = load_workbook(io.BytesIO(writing.write(definition, "routed")))["survey"]
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
    lost = {remark.text: remark.names for remark in writing.remarks(definition)}
    assert set(lost["As what those count who are not asked. The form leaves their answer blank."]) == set(relevant)


def test_whom_a_question_is_asked_comes_back_and_only_the_fillers_are_to_be_chosen_again():
    again = imported(writing.write(definitions.build(routed.DRAFT), "routed"))
    rules = {each["key"]: each["asked_if"] for each in routed.DRAFT["questions"] if "asked_if" in each}
    assert {each["key"]: each.get("asked_if") for each in again.draft["questions"] if "asked_if" in each} == rules
    assert not any("filler" in each for each in again.draft["questions"])
    assert named(again, "Questions asked only after certain answers", "choose") == list(rules)
    assert "relevant" not in " ".join(remark.text for remark in again.remarks)


def test_questions_with_the_same_words_and_other_codes_have_lists_of_their_own():
    said = {"kind": "single_choice", "text": "?", "options": ["Yes", "No"], "alpha": "1"}
    draft = {
        "title": "Twice",
        "questions": [
            {"key": "a", "kind": "yes_no", "text": "?", "alpha": "1"},
            {"key": "b"} | said,
            {"key": "c"} | said | {"asked_if": {"question": "b", "options": [1]}, "filler": 0},
        ],
    }
    again = imported(writing.write(definitions.build(draft), "twice"))
    assert again.draft["questions"][2]["asked_if"] == {"question": "b", "options": [1]}


# Languages ------------------------------------------------------------------------------------------------------------


def spoken(*texts, columns=("English (en)", "German (de)"), choices=(), **settings):
    """A form of yes-no questions with a text in each language, and of lists with one."""
    labels = [f"label::{column}" for column in columns]
    survey = [["type", "name", *labels], *([f"select_one {kind}", name, *said] for kind, name, *said in texts)]
    lists = [["list_name", "name", *labels], *choices]
    sheets = {"settings": [list(settings), list(settings.values())]} if settings else {}
    return workbook(survey=survey, choices=lists, **sheets)


YES_NO_BOTH = [["yn", "y", "Yes", "Ja"], ["yn", "n", "No", "Nein"]]


def test_texts_in_several_languages_become_the_survey_and_its_translations():
    choices = [*YES_NO_BOTH, ["size", "s", "Small", "Klein"], ["size", "l", "Large", "Gro\u00df"]]
    questions = [
        ("yn", "own", "Do you own it?", "Geh\u00f6rt es Ihnen?"),
        ("size", "how", "How large?", "Wie gro\u00df?"),
    ]
    titled = {"form_title": "Home", "form_title::German (de)": "Zuhause"}
    read = imported(spoken(*questions, choices=choices, default_language="English (en)", **titled))
    assert (read.draft["title"], read.draft["language"]) == ("Home", "en")
    assert [(each["kind"], each["text"]) for each in read.draft["questions"]] == [
        ("yes_no", "Do you own it?"),
        ("single_choice", "How large?"),
    ]
    assert read.draft["translations"] == {
        "de": {
            "title": "Zuhause",
            "questions": [
                {"text": "Geh\u00f6rt es Ihnen?"},
                {"text": "Wie gro\u00df?", "options": ["Klein", "Gro\u00df"]},
            ],
        }
    }
    assert definitions.build(read.draft)["translations"].keys() == {"de"}
    turned = imported(spoken(*questions, choices=choices, default_language="German (de)", **titled)).draft
    assert (turned["language"], turned["questions"][0]["kind"]) == ("de", "yes_no")
    assert turned["translations"]["en"]["questions"][1]["options"] == ["Small", "Large"]


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        *(("German (de)", "de"), ("Deutsch", "de"), ("german", "de"), ("de", "de"), ("Anything ( DE )", "de")),
        *(("Arabic (ar)", "ar"), ("\u0627\u0644\u0639\u0631\u0628\u064a\u0651\u0629", "ar")),
        *(
            ("Portugu\u00eas (pt_br)", "pt-BR"),
            ("Chinese (zh-hant-tw)", "zh-Hant-TW"),
            ("English (GB) (en-gb)", "en-GB"),
        ),
        *(("default", ""), ("Language 1", ""), ("Klingon", ""), ("(x)", ""), ("German (de) old", ""), ("", "")),
        *(("(de-x)", ""), ("(abcd)", ""), ("\u0434\u0435 (\u0434\u0435)", ""), ("(" * 30_000, "")),
    ],
)
def test_a_language_is_known_by_its_tag_or_by_its_name(name, tag):
    assert tag_of(name) == tag
    assert not tag or tag_of(name_with_tag(tag)) == tag


def test_languages_that_a_survey_cannot_have_are_named_as_left_out():
    columns = ("English (en)", "Language 2", "British (en)", "German (de)", "Deutsch")
    choices = [["yn", "y", "Yes", "", "", "", ""], ["yn", "n", "No", "", "", "", ""]]
    read = imported(spoken(("yn", "q", *"abcde"), columns=columns, choices=choices, default_language="English (en)"))
    assert list(read.draft["translations"]) == ["de"]
    assert named(read, "Languages without a tag", "left out") == ["Language 2"]
    assert named(read, "from another column", "left out") == ["British (en)", "Deutsch"]


def test_a_language_that_the_page_does_not_speak_is_taken_and_its_words_of_yes_and_no_too():
    columns = ("English (en)", "French (fr)")
    choices = [["yn", "y", "Yes", "Oui"], ["yn", "n", "No", "Non"]]
    read = imported(spoken(("yn", "q", "Ask?", "Demander ?"), columns=columns, choices=choices))
    assert named(read, "does not speak", "changed") == ["French (fr)"]
    (question,) = read.draft["questions"]
    assert (question["kind"], question["options"]) == ("single_choice", ["Yes", "No"])
    assert read.draft["translations"]["fr"]["questions"] == [{"text": "Demander ?", "options": ["Oui", "Non"]}]


def test_what_is_not_translated_stays_to_be_done_and_is_named():
    choices = [*YES_NO_BOTH, ["size", "s", "Small", "Klein"], ["size", "l", "Large", ""]]
    read = imported(spoken(("size", "q", "Ask?", ""), ("yn", "r", "", "Fragen?"), choices=choices, form_title="T"))
    assert named(read, "not translated", "choose") == ["size (de)", "q (de)", "form_title (de)"]
    assert named(read, "not in the survey's own language", "choose") == ["r"]
    assert read.draft["questions"][1]["text"] == read.draft["translations"]["de"]["questions"][1]["text"] == "Fragen?"
    assert {(each.field, each.rule) for each in definitions.refusals(read.draft)} == {
        ("translations.de.title", "is missing"),
        ("translations.de.questions[0].text", "is missing"),
        ("translations.de.questions[0].options[1]", "is missing"),
    }


def test_a_form_whose_own_language_has_no_tag_counts_as_english_and_says_so():
    read = imported(spoken(("yn", "q", "Ask?", "Fragen?"), columns=("Local", "German (de)"), choices=YES_NO_BOTH))
    assert "language" not in read.draft and list(read.draft["translations"]) == ["de"]
    assert named(read, "counts as English", "choose") == []
    plain = imported(form(row("select_one yes_no", "q", "?"), default_language="German (de)")).draft
    assert plain["language"] == "de" and "translations" not in plain
    assert "language" not in imported(form(row("select_one yes_no", "q", "?"))).draft


def test_what_is_put_together_from_several_rows_is_so_in_each_language():
    columns = ["type", "name", "label::English (en)", "label::German (de)", "hint::English (en)", "hint::German (de)"]
    rows = [
        ["note", "one", "Hello", "Hallo"],
        ["note", "two", "You", "Sie", "there", "da"],
        ["begin_group", "outer", "Home", "Zuhause"],
        ["begin_group", "inner", "Kitchen", "K\u00fcche"],
        ["note", "about", "On it.", "Dazu."],
        ["integer", "age", "How old is it?", "Wie alt ist sie?", "Years", "Jahre"],
        ["note", "more", "More", "Mehr"],
        ["select_one yn", "new", "New?", "Neu?"],
        *(["end_group"], ["end_group"], ["note", "bye", "Bye", "Tsch\u00fcss"]),
    ]
    choices = [["list_name", "name", *columns[2:4]], *YES_NO_BOTH]
    draft = imported(workbook(survey=[columns, *rows], choices=choices)).draft
    assert draft["introduction"] == "Hello\n\nYou\nthere"
    assert draft["translations"]["de"] | {"title": ""} == {
        "title": "",
        "introduction": "Hallo\n\nSie\nda",
        "thanks": "Tsch\u00fcss",
        "sections": [{"title": "Zuhause \u2013 K\u00fcche", "text": "Dazu."}],
        "questions": [{"text": "Wie alt ist sie?", "note": "Jahre"}, {"text": "Neu?", "note": "Mehr"}],
    }


def test_a_survey_in_three_languages_comes_back_from_a_form_that_other_tools_read():
    data = writing.write(definitions.build(languages.DRAFT), "city")
    assert all(
        f'<translation lang="{name}"' in convert(io.BytesIO(data)).xform for name in ("Deutsch (de)", "English (en)")
    )
    read = imported(data)
    assert read.draft["language"] == "de" and set(read.draft["translations"]) == {"en", "ar"}
    assert named(read, "not translated") == ["form_title (ar, en)"]
    lost = {remark.text: remark.names for remark in writing.remarks(definitions.build(languages.DRAFT))}
    assert lost["The title in other languages."] == [name_with_tag("ar"), "English (en)"]
    for tag, texts in languages.DRAFT["translations"].items():
        back = read.draft["translations"][tag]
        assert {name: back[name] for name in ("introduction", "consent", "thanks")} == {
            name: texts[name] for name in ("introduction", "consent", "thanks")
        }
        assert [each["title"] for each in back["sections"]] == [each["title"] for each in texts["sections"]]
        for before, after in zip(texts["questions"], back["questions"], strict=True):
            note = "\n".join(filter(None, (before["note"], f"({before['unit']})" if "unit" in before else "")))
            assert after.get("note", "") == note
            assert {name: before.get(name) for name in ("text", "options", "items")} == {
                name: after.get(name) for name in ("text", "options", "items")
            }


def test_options_that_are_the_same_in_one_language_alone_have_lists_of_their_own():
    draft = {"title": "T", "language": "de", "translations": {"en": {"title": "T", "questions": []}}, "questions": []}
    for key, said in (("a", ["bank", "shore"]), ("b", ["bench", "shore"])):
        draft["questions"].append(
            {"key": key, "kind": "single_choice", "text": "?", "options": ["Bank", "Ufer"], "alpha": "1"}
        )
        draft["translations"]["en"]["questions"].append({"text": "?", "options": said})
    back = imported(writing.write(definitions.build(draft), "t")).draft
    assert [each["options"] for each in back["translations"]["en"]["questions"]] == [
        ["bank", "shore"],
        ["bench", "shore"],
    ]


def test_a_thousand_languages_become_sixteen():
    tags = [f"{a}{b}" for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz"]
    columns = [f"L (q{tag})" for tag in tags] + [f"L{i} \u202e<b>\u0000".replace("\u0000", "") for i in range(324)]
    texts = [f"Text {i}" for i in range(len(columns))]
    began = time.monotonic()
    read = imported(
        spoken(("yn", "q", *texts), columns=columns, choices=[["yn", "y", *texts], ["yn", "n", *texts[::-1]]])
    )
    assert time.monotonic() - began < confined.SECONDS
    assert (read.draft["language"], len(read.draft["translations"])) == ("qaa", 15)
    assert len(named(read, "after the first 16")) == 676 - 16
    assert len(named(read, "without a tag")) == 324
    assert not definitions.refusals(read.draft | {"title": "T"}) or all(
        each.rule == "is missing" for each in definitions.refusals(read.draft)
    )


# Conditions -----------------------------------------------------------------------------------------------------------

ASKED = [
    row("select_one colours", "One", "One of three"),
    row("select_multiple colours", "several", "Some of three"),
    row("select_one yes_no", "then", "Only sometimes?", relevant="${One} = 'r'"),
    row("select_one numbers", "n", "By number"),
    row("integer", "age", "A number"),
]
NUMBERED = [["list_name", "name", "label"], ["numbers", "-99", "None"], ["numbers", "1", "A"], ["numbers", "02", "B"]]


def routed_by(relevant, *before):
    """What becomes of a question with this condition."""
    choices = [*CHOICES, *NUMBERED[1:]]
    return imported(
        form(*ASKED, *before, row("select_one yes_no", "last", "Last?", relevant=relevant), choices=choices)
    )


SAID = [
    ("${One} = 'r'", "one", [0]),
    ("'g'=${One}", "one", [1]),
    ('${One} = "b"', "one", [2]),
    ("selected(${One}, 'g')", "one", [1]),
    ("${One} = 'r' or ${One} = 'b'", "one", [0, 2]),
    ("(${One} = 'r') or ((selected( ${One} ,'b')))", "one", [0, 2]),
    ("${One} != 'r'", "one", [1, 2]),
    ("not(${One} = 'r' or ${One} = 'g')", "one", [2]),
    ("${One} != 'r' and ${One} != 'b'", "one", [1]),
    ("${One} = 'r' or ${One} = 'g' and ${One} = 'b'", "one", [0]),
    ("selected(${several}, 'g')", "several", [1]),
    ("selected(${several}, 'r') or selected(${several}, 'g') or selected(${several}, 'b')", "several", [0, 1, 2]),
    ("${then} = 'no'", "then", [1]),
    ("${then} != ''", "one", [0]),
    ("${One} = 'r' and ${then} = 'yes'", "then", [0]),
    ("${then} = 'yes' and (${One} = 'r' or ${One} = 'b')", "then", [0]),
    ("${n} = 1", "n", [1]),
    ("${n} = 2 or ${n} = -99", "n", [0, 2]),
    ("${n} = '02'", "n", [2]),
]
UNSAID = [
    *("${age} > 17", "${age} = 17", "${One} > 'a'", "${One} = ${n}", "1 = 1", "true()", "${One}", "${u7} = 'yes'"),
    *("${later} = 'r'", "${One} = 'x'", "${n} = '2'", "${One} = 'r' and ${One} = 'g'", "${One} = 'r' or ${n} = 1"),
    *("${One} = 'g' and ${n} = 1", "${One} = 'g' and ${then} = 'yes'", "${then} != 'no'", "not(${then} = 'no')"),
    *("${One} = 'r' or ${One} = 'g' or ${One} = 'b'", "${One} != ''", "${One} = ''", "${several} = 'r'"),
    *("not(selected(${several}, 'r'))", "selected(${several}, 'r') and selected(${several}, 'g')"),
    *("count-selected(${several}) > 1", "selected(${One}, 'r g')", "selected(${One}, '')", "selected('r', ${One})"),
]
UNREAD = [
    *("", " ", "or", "${One} = 'r' or", "((${One} = 'r')", "${One} = 'r')", "selected(${One}, 'r", "${} = 'r'", "not"),
    *("${One} = 'r' ${One} = 'g'", "${One} = 'r' OR ${One} = 'g'", "${One} == 'r'", "${One} = 1e3", "${One} = 'r' - 1"),
    *("(" * 21 + "${One} = 'r'" + ")" * 21, "(" * 30_000, "not(" * 9_000, "$" * 9_000, "'" * 9_999, " " * 9_999),
    *(" or ".join(["${One} = 'r'"] * 2_000), "${One} = '\0", "${One\u202e} == 1", "selected(" * 2_000, "${" * 4_000),
]
DEEP = "(" * 3_000 + "${One} = 'r'" + ")" * 3_000


def test_a_condition_that_answers_to_one_question_decide_says_whom_to_ask():
    asked = [row("select_one yes_no", f"s{i}", "?", relevant=relevant) for i, (relevant, _k, _o) in enumerate(SAID)]
    read = imported(form(*ASKED, *asked, choices=[*CHOICES, *NUMBERED[1:]]))
    rules = {each["key"]: each.get("asked_if") for each in read.draft["questions"]}
    for i, (relevant, key, options) in enumerate(SAID):
        assert rules[f"s{i}"] == {"question": key, "options": options}, relevant
    assert named(read, "asked only after certain answers", "choose") == ["then", *(f"s{i}" for i in range(len(SAID)))]
    assert "Conditions that cannot be said" not in " ".join(remark.text for remark in read.remarks)


def test_every_other_condition_is_left_out_with_its_row_and_its_words():
    unsaid = [*UNSAID, DEEP]
    asked = [row("select_one yes_no", f"u{i}", "?", relevant=relevant) for i, relevant in enumerate(unsaid)]
    later = row("select_one colours", "later", "Later")
    began = time.monotonic()
    read = imported(form(*ASKED, *asked, later, choices=[*CHOICES, *NUMBERED[1:]]))
    assert time.monotonic() - began < confined.SECONDS
    assert [each["key"] for each in read.draft["questions"] if "asked_if" in each] == ["then"]
    names = named(read, "Conditions that cannot be said here", "left out")
    assert len(names) == len(unsaid)
    for i, (name, relevant) in enumerate(zip(names, unsaid, strict=True)):
        whole = f"u{i}: {relevant}"
        assert name == whole or (len(whole) > 80 and whole.startswith(name[:-1]) and name.endswith("\u2026")), whole


@pytest.mark.parametrize("expression", UNREAD, ids=range(len(UNREAD)))
def test_what_is_no_condition_is_refused_in_no_time(expression):
    began = time.monotonic()
    with pytest.raises(conditions.Unsaid):
        conditions.read(expression)
    assert time.monotonic() - began < 1


def test_conditions_are_found_as_trying_every_answer_finds_them():
    def holds(condition, answer):
        if isinstance(condition, conditions.Is):
            return answer == condition.code
        if isinstance(condition, conditions.Not):
            return not holds(condition.part, answer)
        combine = any if isinstance(condition, conditions.Either) else all
        return combine(holds(part, answer) for part in condition.parts)

    codes = {"", "a", "b", "c"}
    leaves = ["${q} = 'a'", "${q} != 'b'", "selected(${q}, 'c')", "${q} = ''"]
    pairs = [f"{one} {word} {other}" for one in leaves for word in ("and", "or") for other in leaves]
    for text in [*pairs, *(f"not({each}) or ({each}) and {leaves[1]}" for each in pairs)]:
        condition = conditions.read(text)
        assert conditions.answers(condition, codes) == {code for code in codes if holds(condition, code)}, text


def test_a_question_is_asked_where_the_groups_around_it_are():
    group = [row("begin_group", "g", "G", relevant="${One} = 'r' or ${One} = 'g'"), row("select_one yes_no", "a", "A?")]
    inner = [
        row("select_one yes_no", "b", "B?", relevant="${a} = 'yes'"),
        row("select_one yes_no", "c", "C?", relevant="${One} = 'g' or ${One} = 'b'"),
        row("select_one yes_no", "d", "D?", relevant="${n} = 1"),
        row("begin_group", "h", "H", relevant="${b} = 'no'", appearance="table-list"),
        *(row("select_one frequent", "e", "E?"), row("select_one frequent", "f", "F?"), row("end_group")),
    ]
    read = routed_by("${a} = 'no'", *group, *inner, row("end_group"))
    rules = {each["key"]: each.get("asked_if") for each in read.draft["questions"]}
    assert rules["a"] == rules["d"] == {"question": "one", "options": [0, 1]}
    assert rules["b"] == {"question": "a", "options": [0]}
    assert rules["c"] == {"question": "one", "options": [1]}
    assert rules["h"] == {"question": "b", "options": [1]}
    assert rules["last"] == {"question": "a", "options": [1]}
    assert named(read, "Conditions that cannot be said here") == ["d: ${n} = 1"]


def test_of_several_answers_two_conditions_are_one_only_where_the_first_says_all_of_the_second():
    some = "selected(${several}, 'r') or selected(${several}, 'g')"
    inner = [
        row("begin_group", "g", "G", relevant=some),
        row("select_one yes_no", "narrow", "?", relevant="selected(${several}, 'g')"),
        row("select_one yes_no", "wide", "?", relevant=f"{some} or selected(${{several}}, 'b')"),
        row("select_one yes_no", "other", "?", relevant="selected(${several}, 'g') or selected(${several}, 'b')"),
        row("end_group"),
    ]
    read = routed_by("", *inner)
    rules = {each["key"]: each["asked_if"]["options"] for each in read.draft["questions"] if "asked_if" in each}
    assert rules == {"then": [0], "narrow": [1], "wide": [0, 1], "other": [0, 1]}
    (left_out,) = named(read, "Conditions that cannot be said here")
    assert left_out.startswith("other: ")


def test_a_condition_of_a_text_or_of_a_group_without_questions_is_named():
    texts = [
        row("note", "hello", "Hello", relevant="${One} = 'r'"),
        row("begin_group", "only", "Texts", relevant="${One} = 'g'"),
        *(row("note", "inside", "Inside"), row("end_group")),
    ]
    read = routed_by("${One} = 'b'", *texts)
    left_out = ["hello: ${One} = 'r'", "only: ${One} = 'g'"]
    assert named(read, "Conditions that cannot be said here") == left_out


def test_yes_is_the_first_answer_in_whichever_order_the_form_has_them():
    choices = [
        ["list_name", "name", "label"],
        ["no_yes", "1", "No"],
        ["no_yes", "2", "Yes"],
        ["no_yes", "9", "Prefer not to say"],
    ]
    asked = [row("select_one no_yes", "a", "A?"), row("select_one no_yes", "b", "B?", relevant="${a} = 2 or ${a} = 9")]
    first, second = imported(form(*asked, choices=choices)).draft["questions"]
    assert (first["kind"], second["asked_if"]) == ("yes_no", {"question": "a", "options": [0, 2]})


def test_more_conditions_than_a_person_writes_are_left_out_unread():
    many = [["many", str(i), f"Option {i}"] for i in range(250)]
    long = " or ".join(f"${{q}} = '{i}'" for i in [*range(249), *range(249)])
    rows = [row("select_one many", "q", "?")]
    for i in range(100):
        rows += [row("begin_group", f"g{i}", "G", relevant=long), row("select_one yes_no", f"x{i}", "?")]
        rows.append(row("end_group"))
    began = time.monotonic()
    read = imported(form(*rows, choices=[*CHOICES, *many]))
    assert time.monotonic() - began < confined.SECONDS
    first, *_between, last = read.draft["questions"][1:]
    assert first["asked_if"] == {"question": "q", "options": list(range(249))} and "asked_if" not in last
    asked = sum("asked_if" in each for each in read.draft["questions"])
    assert asked == routes.CHARACTERS_MAX // len(long)
    assert len(named(read, "Conditions that cannot be said here")) == 100 - asked


def test_a_kind_is_still_for_the_designer_to_decide_where_a_note_or_a_condition_stands_with_the_question():
    read = routed_by("", row("note", "n1", "Note"), row("integer", "x", "X?", relevant="${One} = 'r'"))
    for each in read.decisions:
        assert each.now in read.draft["questions"]
    (decision,) = (each for each in read.decisions if each.now["key"] == "x")
    assert decision.now["note"] == "Note" and decision.other["asked_if"] == decision.now["asked_if"]


@pytest.mark.django_db
def test_a_form_with_languages_and_conditions_is_completed_in_the_studio_and_opened():
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    columns = ["type", "name", "label::German (de)", "label::English (en)", "relevant"]
    questions = [
        ["select_one yn", "smokes", "Rauchen Sie?", "Do you smoke?"],
        ["select_one size", "size", "Wie viel?", "How much?", "${smokes} = 'y'"],
    ]
    choices = [
        ["yn", "y", "Ja", "Yes"],
        ["yn", "n", "Nein", "No"],
        ["size", "0", "Nichts", "None"],
        ["size", "1", "Viel", "Much"],
    ]
    settings = [["form_title", "default_language"], ["Rauchen", "German (de)"]]
    data = workbook(
        survey=[columns, *questions], choices=[["list_name", "name", *columns[2:4]], *choices], settings=settings
    )
    file = io.BytesIO(data)
    file.name = "smoking.xlsx"
    address = client.post("/surveys/new/", {"begin": "file", "file": file})["Location"]
    page = client.get(address).content.decode()
    assert "choose as which answer everybody else counts" in page and "form_title (en)" in page
    client.post(address)
    survey = Survey.objects.get()
    assert {each.field for each in definitions.refusals(survey.draft)} == {
        "questions[1].filler",
        "translations.en.title",
    }
    texts = survey.draft["translations"]["en"]
    said = {slot.name: "Smoking" for slot in slots(survey.draft) if slot.name == "title"}
    said |= {"questions.0.text": "Do you smoke?", "questions.1.text": "How much?"}
    said |= {"questions.1.options.0": "None", "questions.1.options.1": "Much"}
    client.post(f"/surveys/{survey.pk}/languages/", {"tag": "en", "save": "1", "mark": mark(texts)} | said)
    question = copy.deepcopy(survey.draft["questions"][1])
    sent = {"mark": mark(question), "asked_if": ["smokes", "0"], "filler": "0"}
    client.post(f"/surveys/{survey.pk}/questions/size/", sent)
    opened = Survey.objects.get()
    open_survey(opened)
    frozen = Survey.objects.get().definition
    assert frozen["language"] == "de" and frozen["translations"]["en"]["title"] == "Smoking"
    assert frozen["translations"]["en"]["questions"][1]["options"] == ["None", "Much"]
    assert frozen["questions"][1]["asked_if"] == {"question": "smokes", "options": [0]}
    assert frozen["questions"][1]["filler"] == 0
