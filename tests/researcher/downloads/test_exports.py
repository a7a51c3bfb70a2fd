"""Downloads have every number of the document, exactly, and nothing that a spreadsheet would run (P9)."""

import csv
import io
import itertools
import json
import math
import subprocess
import unicodedata

import pandas as pd
import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pandas._libs.parsers import STR_NA_VALUES

from ldp import tidy
from ldp.inference.estimates import TARGETS
from ldp.tidy import COLUMNS
from surveys.models import Release
from surveys.researcher.downloads import bundle, catalog, column_docs, estimate_columns
from surveys.researcher.downloads.exports import csv_text
from surveys.researcher.sheets import tables
from surveys.researcher.sheets.column import names
from surveys.researcher.sheets.csv_safety import escape, escape_formula
from surveys.researcher.sheets.tables import json_text
from tests.support.estimates import ODD, document_of, released
from tests.support.factories import DRAFT


def download(survey, name):
    return Client().get(f"/api/v1/surveys/{survey.slug}/{name}")


def table(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


# Contents -------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("draft", [DRAFT, ODD], ids=["three kinds", "odd texts"])
def test_the_csv_holds_every_number_of_the_document_exactly(draft):
    document = document_of(released(30, draft))
    expected = [row for question in document["questions"] for row in expected_rows(document, question)]
    for row, (texts, numbers) in zip(table(csv_text(document)), expected, strict=True):
        assert {name: row[name] for name in texts} == texts
        assert {name: float(row[name]) for name in numbers} == numbers


def expected_rows(document, question):
    """Yield the texts and the numbers of each row, taken from the document by hand."""
    for method in question["methods"]:
        for category in method["categories"]:
            for target in TARGETS:
                about = category[target]
                for level in (0.9, 0.95, 0.99):
                    own = about if level == 0.95 else next(x for x in about["levels"] if x["confidence"] == level)
                    texts = {
                        name: escape_formula(document[name])
                        for name in ("survey", "title", "digest", "date", "software")
                    }
                    texts |= {name: escape_formula(question[name]) for name in ("text", "kind", "alpha", "mechanism")}
                    texts |= {"question": question["key"], "method": method["method"], "target": target}
                    texts |= {
                        "option": escape_formula(category["option"]),
                        "final": "true",
                        "quantity": "share",
                        "unit": "",
                    }
                    texts |= {"delta": "", "realized_delta": "", "score": str(category["score"])}
                    texts |= {"interval_method": "exact", "guarantee": "proved", "n_about": str(document["n"])}
                    texts["default_method"] = "true" if method is question["methods"][0] else "false"
                    numbers = {name: question[name] for name in ("realized_alpha", "risk_bound", "together")}
                    numbers |= {"n": document["n"], "release": document["release"], "confidence": level}
                    numbers |= {name: category[name] for name in ("estimate", "effective_n")}
                    numbers |= {"standard_error": about["standard_error"], "scale_low": 0, "scale_high": 1}
                    for name in ("interval", "simultaneous"):
                        numbers[f"{name}_low"], numbers[f"{name}_high"] = own[name]
                    for place in ("at_equal_shares", "at_estimate"):
                        numbers |= {f"{name}_{place}": value for name, value in method[place].items()}
                    yield texts, numbers


def test_confidences_stand_in_their_order():
    assert [row["confidence"] for row in table(csv_text(flat(0.5)))] == ["0.9", "0.95"] * 2


def flat(number):
    """Return a document with one estimate, this number, at two confidences."""
    about = {"standard_error": number, "interval": [number, number], "simultaneous": [number, number]}
    level = {"confidence": 0.9} | {name: about[name] for name in ("interval", "simultaneous")}
    about |= {"interval_method": "exact", "guarantee": "proved", "levels": [level]}
    category = {"option": "a", "score": 1, "estimate": number, "effective_n": number} | dict.fromkeys(TARGETS, about)
    worth = dict.fromkeys(tidy.WORTH, number)
    method = {"method": "m", "at_equal_shares": worth, "at_estimate": worth}
    names = ("text", "alpha", "realized_alpha", "mechanism", "together", "risk_bound", "informative_n")
    question = dict.fromkeys(names, number) | {
        "key": "q",
        "kind": "single_choice",
        "n_about": number,
        "methods": [method | {"categories": [category]}],
    }
    return dict.fromkeys(tidy.SURVEY, number) | {"n": number, "questions": [question], "confidence": 0.95}


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_number_comes_back_as_it_was(number):
    row = table(csv_text(flat(number)))[0]
    for name in ("estimate", "interval_low", "risk_bound", "efficiency_at_estimate"):
        assert float(row[name]) == number and math.copysign(1, float(row[name])) == math.copysign(1, number)
    assert json.loads(json_text(flat(number))) == flat(number)


@given(st.text())
def test_any_text_stays_in_its_cell(text):
    document = flat(0.5)
    document["questions"][0] |= {"text": text}
    rows = table(csv_text(document))
    assert len(rows) == 4
    for row in rows:
        assert row["text"] == escape(text) and row["kind"] == "single_choice" and row["estimate"] == "0.5"


@pytest.mark.django_db
def test_the_json_is_the_document():
    survey = released(20, results_public=True)
    response = download(survey, "estimates")
    assert response["Content-Type"] == "application/json"
    assert json.loads(response.content) == document_of(survey)


@pytest.mark.django_db
def test_the_csv_comes_as_a_file():
    survey = released(20, results_public=True)
    response = download(survey, "estimates.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="deniable-{survey.slug}.csv"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response.content.decode().split("\r\n")[0] == ",".join(COLUMNS)
    assert response.content.decode() == csv_text(document_of(survey))


def test_both_formats_say_which_definition_how_many_how_private_and_by_what():
    named = {"digest", "n", "alpha", "mechanism", "method", "confidence", "software", "release", "date", "final"}
    assert named < set(COLUMNS)


def test_every_column_is_described_in_its_order():
    assert names(estimate_columns.ESTIMATES) == COLUMNS
    for document, columns in (({}, COLUMNS), ({"forms": []}, tidy.columns({"forms": []}))):
        rows = table(column_docs.columns_file(document).decode("utf-8-sig"))
        assert [row["column"] for row in rows if row["file"] == "estimates"] == list(columns)
        assert all(row["meaning"].endswith(".") for row in rows)


@pytest.mark.django_db
def test_a_file_is_the_same_alone_and_in_the_archive_and_its_text_begins_with_a_byte_order_mark():
    survey = released(20, results_public=True)
    release = Release.objects.get(survey=survey)
    archive = dict(bundle.documents(release))
    for name in archive.keys() & {*catalog.ESTIMATES, "columns.csv"}:
        assert catalog.generated(release, name).plain == archive[name]
    for name in (*catalog.ROWS, *catalog.COVARIANCES, *archive):
        alone = Client().get(f"/r/{survey.slug}/1/downloads/{name}")
        assert alone.status_code == 404 or alone.getvalue().startswith(tables.BOM) == name.endswith(".csv"), name
        assert name not in archive or archive[name].startswith(tables.BOM) == name.endswith(".csv"), name


@pytest.mark.django_db
def test_the_api_puts_a_byte_order_mark_only_where_it_is_asked_for():
    survey = released(20, results_public=True)
    plain, marked = download(survey, "estimates.csv").content, download(survey, "estimates.csv?bom=1").content
    assert marked == b"\xef\xbb\xbf" + plain and not plain.startswith(b"\xef")


# Cells that a spreadsheet would run (P9) ------------------------------------------------------------------------------

STARTS = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"]
RUN = [start for start in STARTS if start not in "\t\r\n"]

# Invisible characters: marks, separators, controls, formats, unassigned and private characters of this Python's
# Unicode, and the letters and symbols that Unicode's DerivedCoreProperties ignores by default, with the blanks of
# braille and music.
INVISIBLE = [c for c in map(chr, range(0x110000)) if unicodedata.category(c)[0] in "MZC"]
INVISIBLE += ["\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\U0001d159"]


def test_nothing_invisible_hides_the_start_of_some_formula():
    """Each invisible character comes once, before one start in turn. Skipping it does not depend on the start."""
    for character, start in zip(INVISIBLE, itertools.cycle(RUN), strict=False):
        cell = character + start + "1+1"
        assert escape_formula(cell) == "'" + cell, hex(ord(character))


@pytest.mark.long  # the test above has every character and every start
@pytest.mark.parametrize("start", RUN, ids=ascii)
def test_nothing_invisible_hides_the_start_of_a_formula(start):
    for character in INVISIBLE:
        cell = character + start + "1+1"
        assert escape_formula(cell) == "'" + cell, hex(ord(character))


@given(st.text(st.sampled_from(INVISIBLE), max_size=10), st.sampled_from(RUN), st.text())
def test_no_run_of_invisible_characters_hides_the_start_of_a_formula(before, start, rest):
    assert escape_formula(before + start + rest) == "'" + before + start + rest


@given(st.sampled_from(["\t", "\r", "\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\x00"]), st.text())
def test_a_text_that_may_split_its_cell_is_neutralised(start, rest):
    assert escape_formula(start + rest) == "'" + start + rest


@given(st.text())
def test_a_neutral_text_is_the_text_itself_or_behind_an_apostrophe(text):
    assert escape_formula(text)[:1] not in STARTS or math.isfinite(float(text.strip("%").replace(",", ".")))
    assert escape_formula(text) in (text, "'" + text)


@pytest.mark.parametrize("number", ["-1", "+1", "-1.5", "-1,5", "+2e5", "-1e-7", "-10%"])
def test_a_text_that_is_a_number_stays_as_it_is(number):
    assert escape(number) == number
    for formula in (number + "+1", number + "(", "=" + number, number + "A1"):
        assert escape(formula) == "'" + formula


def test_no_option_is_a_missing_value_to_pandas_or_r(tmp_path):
    """This includes a spreadsheet's words for an error, in upper and lower case."""
    words = sorted({*STR_NA_VALUES, "NA", "None", "none", "Nan", "NULL", " NA ", "nan", "#N/A", "NONE"} - {""})
    words += ["#REF!", "#NAME?", "T", "F", "TRUE", "false", "01067", "007", "00.5"]
    path = tmp_path / "words.csv"
    path.write_bytes(tables.marked(tables.csv_text(("option", "n"), ({"option": word, "n": 1} for word in words))))
    assert pd.read_csv(path)["option"].tolist() == ["'" + word for word in words]
    program = f'd <- read.csv("{path}", fileEncoding = "UTF-8-BOM")$option; cat(sum(is.na(d)), sub("^.", "", d[1]))'
    done = subprocess.run(["Rscript", "--vanilla", "-e", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == f"0 {words[0]}", done.stderr
    assert all(
        escape(word) == word
        for word in ("Nathan", "Nonetheless", "n.a. yet", "a NA", "t", "True story", "0", "0.5", "10", "1067")
    )


@pytest.mark.parametrize(
    "cell", ["Yes", "under 20", "a=b", "'=1", "−5 minus sign", " x", "\u200fنعم", "\u00a0", "", 5, -5, -1.5, None]
)
def test_everything_else_stays_as_it_is(cell):
    assert escape_formula(cell) == cell


@pytest.mark.django_db
def test_no_cell_of_a_download_begins_like_a_formula_unless_it_is_a_number():
    survey = released(20, ODD, results_public=True)
    rows = list(csv.reader(io.StringIO(download(survey, "estimates.csv").content.decode(), newline="")))
    signed = [cell for row in rows for cell in row if cell[:1] in STARTS]
    assert signed and all(math.isfinite(float(cell)) for cell in signed), "negative numbers only"


def test_a_slug_that_begins_with_a_minus_sign_is_neutralised_like_any_text():
    document = flat(0.5) | {"survey": "-" + "A" * 21}
    assert table(csv_text(document))[0]["survey"] == "'-" + "A" * 21
