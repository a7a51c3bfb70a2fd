"""The scripts that come with the microdata recompute every published number from the files alone."""

import csv
import io
import json
import re
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from django.conf import settings
from pandas.testing import assert_frame_equal

import ldp
from ldp.mechanisms import FITTING
from surveys.researcher.downloads import estimate_columns, exports
from surveys.researcher.sheets.column import names
from tests.support.exports import PAIRS, as_coded, closed, every_pair, going_on

pytestmark = pytest.mark.django_db

REPORTS = 150


@pytest.fixture(scope="module")
def files(taken_away):
    """Return the files of a survey with every kind and mechanism."""
    return taken_away(lambda: closed(every_pair(), REPORTS))


@pytest.fixture(scope="module")
def files_of_every_release(taken_away):
    """Return the files of an open survey with every kind and mechanism."""
    return taken_away(lambda: going_on(every_pair(), 2 * settings.BATCH))


TWO = {"text": "?", "options": ["a", "b"], "alpha": "2"}
TWO_ANSWERS = {
    "yes_no": {"kind": "yes_no", "text": "?", "alpha": "2"},
    "sized": TWO | {"kind": "single_choice", "size": 1},
    "bitwise": TWO | {"kind": "single_choice", "mechanism": "bitwise"},
    "exponential": TWO | {"kind": "ordered", "mechanism": "exponential"},
    "laplace": {"kind": "histogram", "text": "?", "edges": [0, 1, 2], "mechanism": "laplace", "alpha": "2"},
    "several": TWO | {"kind": "multiple_choice"},
    "grid": TWO | {"kind": "grid", "items": ["x", "y"]},
}


@pytest.fixture(scope="module")
def files_of_two_answers(taken_away):
    """Return the files of a survey whose questions have two answers each, some of them mirror images of each other."""
    questions = [question | {"key": key} for key, question in TWO_ANSWERS.items()]
    return taken_away(lambda: closed({"title": "Two", "questions": questions}, REPORTS))


def run(*command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_every_kind_and_mechanism_is_there(files):
    with (files / "estimates.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["kind"], row["mechanism"]) for row in rows} == set(PAIRS)
    assert {row["kind"] for row in rows} == set(FITTING)
    methods = {"exact", "unseen_respondent", "answers_at_ends", "widest_noise"}
    assert {row["interval_method"] for row in rows} == methods
    assert {row["confidence"] for row in rows} == {"0.9", "0.95", "0.99"}


SCRIPTS = [("recompute.py", [sys.executable, "-I"]), ("recompute.R", ["Rscript", "--vanilla"])]


@pytest.mark.slow
@pytest.mark.parametrize(("script", "program"), SCRIPTS, ids=["numpy", "R"])
def test_a_script_finds_every_published_number_again(files, script, program):
    done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(r"\d{3,} rows recomputed", done.stdout)


@pytest.mark.parametrize(("script", "program"), SCRIPTS, ids=["numpy", "R"])
def test_a_script_counts_two_answers_as_one_comparison_where_the_site_does(files_of_two_answers, script, program):
    folder = files_of_two_answers
    done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    with (folder / "estimates.csv").open(encoding="utf-8", newline="") as file:
        together = {(row["question"].partition(".")[0], int(row["together"])) for row in csv.DictReader(file)}
    counted = {"yes_no": 1, "sized": 1, "exponential": 1, "bitwise": 2, "laplace": 2, "several": 2, "grid": 2}
    assert together == set(counted.items())


@pytest.mark.slow
@pytest.mark.parametrize(("script", "program"), SCRIPTS, ids=["numpy", "R"])
def test_a_script_finds_intervals_that_hold_at_every_release_again(files_of_every_release, script, program):
    folder = files_of_every_release
    with (folder / "estimates.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {(row["interval_method"], row["final"]) for row in csv.DictReader(file)} == {("sequence", "false")}
    done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("script", "program"), SCRIPTS, ids=["numpy", "R"])
def test_a_script_finds_intervals_of_rare_noise_again(taken_away, script, program):
    """At the largest alpha, no float holds the powers from which these intervals are computed."""
    [asked] = [one for one in every_pair()["questions"] if one["key"] == "yes_no_randomized_response"]
    draft = {"title": "?", "questions": [asked | {"alpha": "16"}]}
    folder = taken_away(lambda: going_on(draft, 2 * settings.BATCH))
    done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr


def test_the_comparison_notices_a_number_that_is_off(files_of_every_release, tmp_path):
    files = files_of_every_release  # its intervals are computed fastest
    published = (files / "estimates.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    header = next(csv.reader(published[:1]))
    row = next(csv.reader(published[5:6]))
    row[header.index("interval_high")] = str(float(row[header.index("interval_high")]) + 1e-7)
    with (tmp_path / "changed.csv").open("w", encoding="utf-8", newline="") as file:
        file.writelines(published[:5])
        csv.writer(file).writerow(row)
        file.writelines(published[6:])
    command = (sys.executable, "recompute.py", "microdata.csv", "codebook.json", tmp_path / "changed.csv")
    done = run(*command, folder=files)
    assert done.returncode == 1 and "1e-07" in done.stdout


# Files for programs ---------------------------------------------------------------------------------------------------


def test_every_program_reads_the_same_microdata(files):
    table = pd.read_csv(files / "microdata.csv")
    parquet = pq.read_table(files / "microdata.parquet")
    assert table.shape == (REPORTS, len(table.columns)) and list(table.columns) == parquet.column_names
    # Pandas reads columns with empty cells as floats.
    assert_frame_equal(table, parquet.to_pandas(), check_dtype=False)
    book = json.loads(parquet.schema.metadata[b"deniable.codebook"])
    numbers = {program: as_coded(table, book, program) for program in ("spss", "stata")}
    spss, its = pyreadstat.read_sav(files / "microdata.sav", user_missing=True)
    assert_frame_equal(numbers["spss"], spss, check_dtype=False)
    stata, names = pyreadstat.read_dta(files / "microdata.dta", user_missing=True)
    assert_frame_equal(numbers["stata"], stata, check_dtype=False)
    assert max(map(len, names.column_names)) <= 32 and len(set(names.column_names)) == len(names.column_names)
    labels = its.variable_value_labels["ordered_exponential"]
    with_a = {"a" if value == 4 else value: text for value, text in labels.items()}
    assert names.variable_value_labels["ordered_exponential"] == with_a
    assert its.missing_ranges["ordered_exponential"] == [{"lo": 4, "hi": 4}]
    assert labels == {0: "=never", 1: "+seldom", 2: "oft, “en”", 3: "always", 4: "Prefer not to say"}
    measured = its.variable_measure
    assert measured["ordered_exponential"] == measured["histogram_randomized_response"] == "ordinal"
    about = parquet.schema.field("ordered_exponential").metadata
    assert json.loads(about[b"values"]) == {str(int(value)): text for value, text in labels.items()}
    assert book == json.loads((files / "codebook.json").read_text(encoding="utf-8"))
    described = [column["name"] for question in book["questions"] for column in question["microdata"]["columns"]]
    assert described == list(table.columns)


READ_IN_R = """
d <- read.csv("microdata.csv", check.names = FALSE)
e <- read.csv("estimates.csv")
cat(nrow(d), ncol(d), sum(is.na(d)), sum(d, na.rm = TRUE), nrow(e), sprintf("%.17g", sum(e$estimate)), "\n")
cat(sprintf("%.17g", crossed$estimate), "\n")
cat(sprintf("%.17g", crossed$simultaneous_high), "\n")
"""


@pytest.mark.slow
def test_r_reads_the_same_numbers_and_crosses_two_questions_alike(files):
    crossing = """source("recompute.R")
        crossed <- cross(read_microdata("microdata.csv"), read_codebook("codebook.json"),
                         "ordered_exponential", "yes_no_randomized_response")"""
    done = run("Rscript", "--vanilla", "-e", crossing + READ_IN_R, folder=files)
    assert done.returncode == 0, done.stderr
    numbers, joint, ends = ([float(number) for number in line.split()] for line in done.stdout.splitlines())
    table, estimates = pd.read_csv(files / "microdata.csv"), pd.read_csv(files / "estimates.csv")
    assert numbers[:4] == [*table.shape, table.isna().sum().sum(), table.sum().sum()]
    assert numbers[4] == len(estimates) and numbers[5] == pytest.approx(estimates["estimate"].sum(), rel=1e-12)
    mine = ldp.read(files / "microdata.csv", files / "codebook.json").cross(
        "ordered_exponential", "yes_no_randomized_response"
    )
    assert joint == pytest.approx([row["estimate"] for row in mine], abs=1e-11)
    assert ends == pytest.approx([row["simultaneous_high"] for row in mine], abs=1e-9)


@pytest.mark.parametrize("release", ["files", "files_of_every_release"])
def test_the_package_has_the_published_numbers_in_three_lines(request, release):
    files = request.getfixturevalue(release)
    reports = ldp.read(files / "microdata.csv", files / "codebook.json")
    assert reports.complete
    with (files / "estimates.csv").open(encoding="utf-8-sig", newline="") as file:
        published = list(csv.DictReader(file))
    for mine, theirs in zip(reports.estimates(), published, strict=True):
        assert mine["interval_method"] == theirs["interval_method"]
        assert all(repr(mine[name]) == theirs[name] for name in ("estimate", "interval_low", "simultaneous_high"))


def test_the_package_reads_parquet_too_and_sees_what_is_missing(files):
    reports = ldp.read(files / "microdata.csv", files / "codebook.json")
    assert reports.n == REPORTS
    other = ldp.read(pd.read_parquet(files / "microdata.parquet"), files / "codebook.json")
    assert other.totals == reports.totals
    part = ldp.read(pd.read_csv(files / "microdata.csv").head(100), files / "codebook.json")
    assert not part.complete and part.n == 100


def test_reports_that_no_browser_sends_are_refused(files):
    table = pd.read_csv(files / "microdata.csv")
    for column, value in (("ordered_exponential", 5), ("grid_grid.1", 0.5), ("yes_no_bitwise.1", -1)):
        changed = table.astype({column: float})
        changed.loc[0, column] = value
        with pytest.raises(ValueError, match="whole number"):
            ldp.read(changed, files / "codebook.json").totals  # noqa: B018
    with pytest.raises(ValueError, match="no column"):
        ldp.read(table.drop(columns="grid_grid.1"), files / "codebook.json")


def test_the_estimates_are_the_same_in_every_format(files):
    document = json.loads((files / "estimates.json").read_text(encoding="utf-8"))
    plain = pd.read_csv(files / "estimates.csv", keep_default_na=False, na_values=[""])
    table = pd.read_parquet(io.BytesIO(exports.parquet(document)))
    numbers = [column.name for column in estimate_columns.ESTIMATES if "number" in column.type]
    assert list(table.columns) == list(plain.columns) == list(names(estimate_columns.ESTIMATES))
    assert_frame_equal(table[numbers], plain[numbers], check_dtype=False)
    for read, made in ((pyreadstat.read_sav, exports.spss), (pyreadstat.read_dta, exports.stata)):
        with tempfile.NamedTemporaryFile() as file:
            file.write(made(document))
            file.flush()
            frame, about = read(file.name)
        assert_frame_equal(frame[numbers], plain[numbers], check_dtype=False)
        assert frame["option"].tolist() == table["option"].tolist()
        assert about.column_names_to_labels["target"].startswith("population: ")


def test_the_covariances_have_the_published_variances_and_no_negative_ones(files):
    with (files / "covariances.csv").open(encoding="utf-8-sig", newline="") as file:
        entries = list(csv.DictReader(file))
    assert set(entries[0]) == set(names(exports.COVARIANCES))
    reports = ldp.read(files / "microdata.csv", files / "codebook.json")
    [population, _] = reports.covariances("yes_no_randomized_response")
    assert population.matrix[0, 0] == pytest.approx(-population.matrix[0, 1], rel=1e-9), "two shares are one number"
    own = [row for row in entries if row["question"] == population.question and row["target"] == "population"]
    assert [float(row["covariance"]) for row in own] == [population.matrix[i, j] for i, j in ((0, 0), (0, 1), (1, 1))]
    for question in reports.questions:
        for found in reports.covariances(question["key"]):
            assert np.linalg.eigvalsh(found.matrix).min() > -1e-12 * found.matrix.max()
