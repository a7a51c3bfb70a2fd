"""Cells are read as a spreadsheet shows them, or a remark names the cell."""

import io
import zipfile
from contextlib import suppress
from datetime import date, datetime, time

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.styles.numbers import BUILTIN_FORMATS
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from surveys.designer.xlsform import formatcode, numberformat, sandbox
from tests.support.workbooks import CHOICES, form, imported, named, row, workbook

ACCOUNTING = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'
# The texts that an English spreadsheet program shows. Rows with False look different in other languages.
SHOWN = [
    (1067, "00000", "01067", True),
    (2, "0.00", "2.00", False),
    (0.1, "0%", "10%", True),
    (0.125, "0.0%", "12.5%", False),
    (0.5, "0 %", "50 %", True),
    (123456789, "000-00-0000", "123-45-6789", True),
    (1234567890, "(000) 000-0000", "(123) 456-7890", True),
    (1000, '"€"#,##0', "€1,000", False),
    (1000, "#,##0.00 [$€-407]", "1,000.00 €", False),
    (1000, "[$$-409]#,##0", "$1,000", False),
    (100, "[$£-809]0", "£100", True),
    (100, "0 [$CHF-807]", "100 CHF", True),
    (1234.5, ACCOUNTING, "$1,234.50", False),
    (-1234.5, ACCOUNTING, "$(1,234.50)", False),
    (0, ACCOUNTING, "$-", True),
    (-1234, "#,##0;[Red]-#,##0", "-1,234", False),
    (1234567, '0.0,,"M"', "1.2M", False),
    (12, "0,000", "0,012", False),
    (1234, "#\\ ##0", "1 234", True),
    (2, "#.##", "2.", False),
    (0.285, "0.00", "0.29", False),
    (2.5, "0", "3", True),
    (7, '0" years"', "7 years", True),
    (3, '"Level" 0', "Level 3", True),
    (41, '0"°C"', "41°C", True),
    (5, 'General" kg"', "5 kg", True),
    (12345, "@", "12345", True),
    (0.00001, "0.00E+00", "1.00E-05", False),
    (12345678, "##0.0E+0", "12.3E+6", False),
    (0, "0.00E+00", "0.00E+00", False),
    (1.5, "# ?/?", "1 1/2", True),
    (3.75, "?/?", "15/4", True),
    (1 / 3, "# ??/??", "1/3", True),
    (0.375, "# ?/8", "3/8", True),
    (5, "# ?/?", "5", True),
    (1, '"Yes";"No";"None"', "Yes", True),
    (-1, '"Yes";"No";"None"', "No", True),
    (0, '"Yes";"No";"None"', "None", True),
    (5, '[<10]"few";[>=10]"many"', "few", True),
    (50, '[<10]"few";[>=10]"many"', "many", True),
    (-5, "[<0]0;0.0", "5", True),
    (-5, "0;@", "-5", True),
    (0, "0.00;-0.00;@", "0.00", False),
    (1, "dddd", "Sunday", False),
    (46054, "d.m.yyyy", "1.2.2026", True),
    (46054, "yyyy-mm-dd", "2026-02-01", True),
    (46054, "dd/mm/yy", "01/02/26", False),
    (46054, "dddd, d mmmm yyyy", "Sunday, 1 February 2026", False),
    (46054, "[$-407]d.m.yy", "1.2.26", True),
    (46054.6, "yyyy-mm-dd hh:mm", "2026-02-01 14:24", True),
    (0.5, "hh:mm", "12:00", True),
    (0.604166666666667, "h:mm AM/PM", "2:30 PM", False),
    (1.5, "[h]:mm", "36:00", True),
    (0.0007, "mm:ss.0", "01:00.5", False),
    (59, "d.m.yyyy", "28.2.1900", True),
    (0.3, "General", "0.3", False),
    (0.1 + 0.2, "General", "0.3", False),
    (12345678901, "General", "12345678901", True),
]


@pytest.mark.parametrize(("value", "code", "text", "alike"), SHOWN)
def test_a_number_is_the_text_that_its_format_shows(value, code, text, alike):
    assert numberformat.of_number(value, code) == (text, alike)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (46054, "[$-407]d. mmmm yyyy"),
        (46054, "[$-F800]dddd, mmmm dd, yyyy"),
        (46054, "[$-1170000]d/m/yyyy"),
        (46054, "ggge"),
        (60, "d.m.yyyy"),
        (-1, "d.m.yyyy"),
        (-1, "yyyy-mm-dd;@"),
        (491721234567, "h:mm"),
        (3, ";;;"),
        (0, "#"),
        (3, "kg"),
        (3, "[DBNum1]0"),
        (3, "0" * 300),
    ],
)
def test_what_a_format_shows_is_not_guessed(value, code):
    with pytest.raises(formatcode.UnknownFormat):
        numberformat.of_number(value, code)


@pytest.mark.parametrize(
    "code",
    [
        "d.m.yyyy",
        "[h]:mm:ss.000",
        "General",
        "0" * 250,
        '"' * 250,
        "_" * 250,
        "[" * 250,
        "?/" * 120,
        ";" * 250,
        "E+0" * 80,
        "0," * 120,
    ],
)
@pytest.mark.parametrize("value", [0, -1.5, 1e308, 1e30, 5e-324, 1067, float("inf")])
def test_no_format_makes_the_reader_fail(value, code):
    with suppress(formatcode.UnknownFormat):
        assert numberformat.of_number(value, code).text


# In a form ------------------------------------------------------------------------------------------------------------

# Each cell, the text of the option, and the words of the remark that names the cell, if there is one.
TABLE = [
    (1067, "00000", "01067", None),
    (0.1, "0%", "10%", None),
    (2, "0.00", "2.00", "in spreadsheets of other languages"),
    (1000, '"€"#,##0', "€1,000", "in spreadsheets of other languages"),
    (1e-05, "0.00E+00", "1.00E-05", "in spreadsheets of other languages"),
    (5, BUILTIN_FORMATS[5], "$5", "in spreadsheets of other languages"),
    (1.5, "# ?/?", "1 1/2", None),
    (date(2026, 2, 3), "d.m.yyyy", "3.2.2026", None),
    (date(2026, 2, 3), "mm-dd-yy", "2026-02-03", "is not read here"),  # number 14: the computer's short date
    (datetime(2026, 2, 3, 14, 30), "[$-407]d. mmmm yyyy h:mm", "2026-02-03 14:30", "is not read here"),  # noqa: DTZ001
    (time(9, 5), "hh:mm", "09:05", None),
    (time(9, 5), "h:mm:ss", "9:05:00", None),
    (True, "General", "TRUE", "in spreadsheets of other languages"),
    (491721234567, "General", "491721234567", "is not read here"),
    (12, "General", "12", None),
    (7, ";;;", "7", "is not read here"),
    ("x", '"about "@', "about x", None),
    ("y", ";;;", "y", None),
    ("z\u00a0z", "@", "z\u00a0z", None),
    ("“so”  it is", "General", "“so”  it is", None),
    ("#N/A", "General", "code20", "show an error"),
    ("=1+1", "General", "code21", "value was not saved"),
    ("a_x000D_\nb", "General", "a\nb", None),
    ("${q}", "General", "${q}", None),
]


def with_cells(cells):
    """Return a form with one list, whose labels are these cells in their formats."""
    book = Workbook()
    survey, choices = book.active, book.create_sheet("choices")
    survey.title = "survey"
    for each in (["type", "name", "label"], ["select_one c", "q", "Q?"]):
        survey.append(each)
    choices.append(["list_name", "name", "label"])
    for i, (value, code, *_rest) in enumerate(cells):
        choices.append(["c", f"code{i}", value])
        choices.cell(i + 2, 3).number_format = code
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_every_option_is_as_its_cell_shows_it_or_its_cell_is_named():
    read = imported(with_cells(TABLE))
    options = read.draft["questions"][0]["options"]
    for i, (each, option) in enumerate(zip(TABLE, options, strict=True)):
        value, code, text, words = each
        assert option == text, (value, code)
        place = f"choices, C{i + 2}"
        told = [name for remark in read.remarks for name in remark.names if name.partition(":")[0] == place]
        assert bool(told) == bool(words), (value, code, told)
        if words:
            assert told[0] in named(read, words)


def test_every_question_and_hint_is_as_its_cell_shows_it_or_its_cell_is_named():
    book = load_workbook(io.BytesIO(form(*[row("select_one yes_no", f"q{i}") for i in range(len(TABLE))])))
    survey = book["survey"]
    survey["D1"] = "hint"
    for i, (value, code, *_rest) in enumerate(TABLE):
        for column in (3, 4):
            survey.cell(i + 2, column).value = value
            survey.cell(i + 2, column).number_format = code
    file = io.BytesIO()
    book.save(file)
    read = imported(file.getvalue())
    for i, (_value, _code, text, words) in enumerate(TABLE):
        question = read.draft["questions"][i]
        is_empty = text.startswith("code")
        assert (question["text"], question.get("note", "")) == ((f"q{i}", "") if is_empty else (text, text))
        if words:
            told = [name.partition(":")[0] for name in named(read, words)]
            assert {f"survey, C{i + 2}", f"survey, D{i + 2}"} <= set(told)


def test_a_sheet_since_1904_has_other_days():
    book = load_workbook(io.BytesIO(with_cells([("", "d.m.yyyy"), (True, "d.m.yyyy")])))
    book.epoch = CALENDAR_MAC_1904
    for number in (2, 3):
        book["choices"].cell(number, 3).value = datetime(1904, 1, number)  # noqa: DTZ001
        book["choices"].cell(number, 3).number_format = "d.m.yyyy"
    file = io.BytesIO()
    book.save(file)
    assert imported(file.getvalue()).draft["questions"][0]["options"] == ["2.1.1904", "3.1.1904"]


def changed(data, change):
    """Return the workbook with its parts as `change` leaves them."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return file.getvalue()


def test_a_formulas_value_is_read_with_its_cell_and_its_error_is_none():
    cells = [("=1+1", "0.00"), ("=A1", "General"), ("=B1", "General"), ("plain", "General")]

    def cached(name, content):
        if name != "xl/worksheets/sheet2.xml":
            return content
        for formula, kind, value in ((b"1+1", b"", b"2"), (b"A1", b' t="e"', b"#REF!"), (b"B1", b' t="str"', b"said")):
            start = content.index(b"<f>" + formula)
            cell = content.rindex(b"<c ", 0, start)
            end = content.index(b"</c>", start)
            made = (
                content[cell:end]
                .replace(b"<v />", b"<v>" + value + b"</v>")
                .replace(b"<v></v>", b"<v>" + value + b"</v>")
            )
            content = content[:cell] + made.replace(b"<c ", b"<c" + kind + b" ", 1) + content[end:]
        return content

    read = imported(changed(with_cells(cells), cached))
    assert read.draft["questions"][0]["options"] == ["2.00", "code1", "said", "plain"]
    assert named(read, "Cells with formulas. Their values") == [
        "choices, C2: 2",
        "choices, C3: #REF!",
        "choices, C4: said",
    ]
    assert named(read, "show an error") == ["choices, C3: #REF!"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
def test_strict_open_xml_is_read(encoding):
    good = form(row("select_one yes_no", "q", "Q?"))

    def strict(name, content):
        for ours, theirs in (
            (
                b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
                b"http://purl.oclc.org/ooxml/spreadsheetml/main",
            ),
            (
                b"http://schemas.openxmlformats.org/officeDocument/2006/",
                b"http://purl.oclc.org/ooxml/officeDocument/",
            ),
        ):
            content = content.replace(ours, theirs)
        return content.replace(b"UTF-8", b"UTF-16").decode().encode(encoding) if encoding != "utf-8" else content

    assert [each["text"] for each in imported(changed(good, strict)).draft["questions"]] == ["Q?"]


def test_dates_that_a_file_writes_out_are_read_as_shown_or_named():
    dates = {b"x0": b"2026-02-03", b"x1": b"2026-02-03T14:30:00", b"x2": b"2026-02-03"}
    cells = [("x0", "General"), ("x1", "General"), ("x2", "d.m.yyyy")]

    def dated(name, content):
        for text, value in dates.items() if name == "xl/worksheets/sheet2.xml" else ():
            start = content.index(text)
            cell, end = content.rindex(b"<c ", 0, start), content.index(b"</c>", start)
            begin = content[cell : content.index(b">", cell)].replace(b't="inlineStr"', b't="d"')
            content = content[:cell] + begin + b"><v>" + value + b"</v>" + content[end:]
        return content

    read = imported(changed(with_cells(cells), dated))
    assert read.draft["questions"][0]["options"] == ["2026-02-03", "2026-02-03 14:30", "3.2.2026"]
    assert named(read, "is not read here") == ["choices, C2: 2026-02-03", "choices, C3: 2026-02-03 14:30"]


def archive(*names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name in names:
            made.writestr(name, b"x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (sandbox.OLD + b"\0" * 600, "old format .xls"),
        (sandbox.OLD + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"), "has a password"),
        (archive("mimetype", "content.xml"), ".ods"),
        (archive("[Content_Types].xml", "xl/workbook.bin"), ".xlsb"),
        (archive("Index/Document.iwa"), "Numbers"),
        (workbook(survey=[], choices=CHOICES), "'survey' is empty"),
    ],
)
def test_another_kind_of_file_is_refused_by_its_name(data, words):
    with pytest.raises(sandbox.Unreadable, match=words):
        sandbox.read(data)


# Places of texts ------------------------------------------------------------------------------------------------------


def merged(data, sheet, *ranges):
    book = load_workbook(io.BytesIO(data))
    for each in ranges:
        book[sheet].merge_cells(each)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_headings_may_stand_below_other_rows_which_are_named():
    read = imported(
        workbook(
            survey=[["A form", None], [], ["type", "name", "label"], ["select_one c", "q", "Q?"], ["end_group"]],
            choices=[[None], ["list_name", "name", "label"], ["c", "a", "A"], ["c", "a", "B"], ["c", "b", "B"]],
            settings=[[None], [None], ["form_title"], [None], ["T"]],
        )
    )
    assert (read.draft["title"], read.draft["questions"][0]["options"]) == ("T", ["A", "B"])
    assert named(read, "above the row of the headings") == ["survey, A1: A form"]
    assert named(read, "Rows that cannot be read") == ["survey, row 5: end_group"]
    assert named(read, "Options with the same name as another") == ["row 4: c, a"]


def test_a_lists_name_counts_for_the_options_below_it_each_of_which_is_named():
    choices = [
        ["list_name", "name", "label"],
        [None, "z", "Z"],
        ["c", "a", "A"],
        ['"', "b", "B"],
        [],
        [None, "d", "D"],
    ]
    read = imported(form(row("select_one c", "q", "Q?"), choices=[*choices, ["e"], [None, "f", "F"], ["e", "g", "G"]]))
    assert read.draft["questions"][0]["options"] == ["A", "B", "D"]
    assert named(read, "Options without a list_name") == [
        *("choices, A4: b, B → c", "choices, A6: d, D → c", "choices, A8: f, F → e"),
    ]
    assert named(read, "that are in no list") == ["choices, A2: z, Z"]


def test_a_merged_cell_counts_in_each_row_that_it_spans():
    choices = [["list_name", "name", "label"], ["c", "a", "A"], [None, "b", "B"], [None, "d", "D"], ["e", "f", "F"]]
    data = merged(form(row("select_one c", "q", "Q?"), choices=choices), "choices", "A2:A4")
    read = imported(data)
    assert read.draft["questions"][0]["options"] == ["A", "B", "D"]
    assert named(read, "Merged cells") == ["choices, A2:A4: c"]


def test_names_of_sheets_are_read_whatever_their_case_and_spaces():
    read = imported(
        workbook(**{" Survey": [["type", "name", "label"], ["select_one yes_no", "q", "Q?"]], "CHOICES\u200b": CHOICES})
    )
    assert [each["key"] for each in read.draft["questions"]] == ["q"]
    alone = imported(workbook(Sheet1=[["type", "name", "label"], ["integer", "q", "Q?"]]))
    assert [each["key"] for each in alone.draft["questions"]] == ["q"]
    assert not [remark for each in (read, alone) for remark in each.remarks if "Sheets other" in remark.text]


def test_headings_and_types_are_read_whatever_their_width_and_capitals_and_without_what_is_not_seen():
    headings = ["\ufefftype:", '"ｎａｍｅ"', "label*\u200b"]
    survey = [headings, ["Select One Yes_No", "q\u200e", "Q?"], ["Integer", "i", "I?"]]
    choices = [["\u200elist_name", "Name", "label\u00a0"], ["Yes_No", "y", "Yes\u200b"], ["Yes_No", "n", "No"]]
    read = imported(workbook(survey=survey, choices=choices))
    assert [(each["key"], each["text"]) for each in read.draft["questions"]] == [("q", "Q?"), ("i", "I?")]
    assert read.draft["questions"][0]["options"] == ["Yes\u200b", "No"]


def test_cells_without_a_heading_rows_that_are_hidden_and_rows_after_a_long_gap_are_not_lost_without_a_word():
    rows = [["type", "name", "label"], ["select_one yes_no", "q", "Q?", "a remark"], *[[]] * 80]
    book = load_workbook(io.BytesIO(workbook(survey=[*rows, ["select_one yes_no", "r", "R?"]], choices=CHOICES)))
    book["survey"].row_dimensions[2].hidden = True
    file = io.BytesIO()
    book.save(file)
    read = imported(file.getvalue())
    assert [each["key"] for each in read.draft["questions"]] == ["q", "r"]
    assert named(read, "without a heading") == ["survey, D2: a remark"]
    assert named(read, "Hidden rows") == ["survey, row 2: select_one yes_no, q, Q?"]


def test_of_very_many_cells_of_one_sort_two_hundred_are_named():
    read = imported(form(row("select_one yes_no", "q", "Q?"), *[row("note", f"n{i}", "=1") for i in range(250)]))
    assert named(read, "value was not saved")[-2:] == ["survey, C202", "50 more"]
