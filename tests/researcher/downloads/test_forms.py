"""Downloads of a survey in forms: each report names its form, and every published number is recomputed."""

import collections
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
from drf_spectacular.generators import SchemaGenerator
from pandas.testing import assert_frame_equal

import ldp
from ldp import tidy
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Release
from surveys.researcher.downloads import exports, microdata_columns
from tests.support import forms, recompute
from tests.support.api_schema import validate
from tests.support.drawn import drawn
from tests.support.estimates import released, work
from tests.support.exports import as_coded, closed, exported, going_on, store, unpack
from worker import exports as worker_exports

pytestmark = pytest.mark.django_db

# Some keys equal names that the form's column could have had.
DRAFT = drawn(
    {
        "title": "Everything in forms",
        "questions": [
            {
                "key": "form",
                "kind": "single_choice",
                "text": "Where?",
                "options": ["north", "south", "east"],
                "alpha": "1",
            },
            {"key": "report_form", "kind": "ordered", "text": "How often?", "options": ["never", "at times", "daily"]},
            {"key": "drugs", "kind": "yes_no", "text": "Ever taken drugs?"},
            {"key": "age", "kind": "histogram", "text": "How old?", "edges": ["18", "30", "50", "70", "99"]},
            {"key": "used", "kind": "multiple_choice", "text": "Which?", "options": ["a", "b", "c"], "alpha": "1"}
            | {"sample": 2},
            {"key": "trust", "kind": "grid", "text": "Trust?", "items": ["one", "two"], "options": ["no", "yes"]}
            | {"alpha": "1"},
            {"key": "scale", "kind": "ordered", "text": "How good?", "options": [*"abcd"], "alpha": "1.5"}
            | {"mechanism": "exponential"},
            {"key": "income", "kind": "mean", "text": "Income?", "low": "0", "high": "1000", "unit": "euro"},
            {"key": "left", "kind": "yes_no", "text": "Left?", "prefer_not_to_say": True},
            {"key": "bins", "kind": "histogram", "text": "How many?", "edges": ["0", "1", "2", "3"], "alpha": "1"}
            | {"mechanism": "laplace"},
        ],
        "forms": [
            {"weight": 3, "questions": ["report_form", "drugs", "age"], "alpha": "3", "sizes": [1, 1, 2]},
            {"weight": 2, "questions": ["used", "trust", "scale"]},
            {"weight": 2, "questions": ["income", "left"], "alpha": "2"},
            {"weight": 1, "questions": ["bins"]},
        ],
    }
)
REPORTS = 400


@pytest.fixture(scope="module")
def files(taken_away):
    return taken_away(lambda: closed(DRAFT, REPORTS))


@pytest.fixture(scope="module")
def files_of_every_release(taken_away):
    """Return the files of an open survey."""

    def twice_released():
        survey = going_on(DRAFT, 3000)
        work(survey)
        return survey

    return taken_away(twice_released)


@pytest.fixture
def reports(files):
    return ldp.read(files / "microdata.csv", files / "codebook.json")


def book(files):
    return json.loads((files / "codebook.json").read_text(encoding="utf-8"))


def run(*command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_a_row_has_its_form_and_what_was_sent_and_nothing_where_it_was_not_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(worker_exports, "BUCKET_REPORTS", 10)  # several buckets for each form
    survey = create_draft(forms.DRAFT)
    open_survey(survey)
    sent = store(survey, 150)
    close_survey(survey)
    work(survey)
    folder = unpack(exported(survey), tmp_path)
    header, *rows = list(csv.reader((folder / "microdata.csv").read_text(encoding="utf-8").splitlines()))
    keys = ["region", "drugs", "age", "health", "doctor", "income"]
    assert header == ["report.form", *keys]

    def by_hand(values):
        form = next(form for form, key in enumerate(("drugs", "health", "income")) if key in values)
        return (str(form), *(str(values.get(key, [""])[0]) for key in keys))

    arrived = sorted(map(by_hand, sent), key=lambda row: row[0])
    assert collections.Counter(map(tuple, rows)) == collections.Counter(arrived)
    # Reports of one form are adjacent. One of more than 60! orders of its reports is that of arrival.
    assert [row[0] for row in rows] == [row[0] for row in arrived] and rows != list(map(list, arrived))


def test_every_program_reads_the_same_microdata(files):
    table = pd.read_csv(files / "microdata.csv")
    assert table.columns[0] == microdata_columns.FORM == "report.form" and len(table) == REPORTS
    parquet = pq.read_table(files / "microdata.parquet")
    assert_frame_equal(table, parquet.to_pandas(), check_dtype=False)
    assert not parquet.schema.field("report.form").nullable and parquet.schema.field("drugs").nullable
    spss, its = pyreadstat.read_sav(files / "microdata.sav", user_missing=True)
    assert_frame_equal(as_coded(table, book(files), "spss"), spss, check_dtype=False)
    # No one was asked in the first rows, and some respondents further down refused. The column is still numeric.
    refusing = table["left"] == 2
    assert table["left"].head(150).isna().all() and refusing.any()
    assert its.missing_ranges["left"] == [{"lo": 2, "hi": 2}]
    stata, names = pyreadstat.read_dta(files / "microdata.dta", user_missing=True)
    assert ((stata["left"] == "a") == refusing).all() and names.readstat_variable_types["left"] == "double"
    coded = as_coded(table, book(files), "stata")
    assert_frame_equal(coded.set_axis(names.column_names, axis=1), stata, check_dtype=False)
    # Stata's names have no dots; the first column keeps its name.
    assert names.column_names[:3] == ["report_form", "form", "report_form_2"]
    assert its.variable_value_labels["report.form"] == {
        0: "report_form, drugs, age", 1: "used, trust, scale", 2: "income, left", 3: "bins",
    }  # fmt: skip
    described = [column["name"] for q in book(files)["questions"] for column in q["microdata"]["columns"]]
    assert ["report.form", *described] == list(table.columns)


def test_a_survey_without_forms_has_no_column_of_it(tmp_path):
    folder = unpack(exported(released(n=30)), tmp_path)
    assert "form" not in (folder / "microdata.csv").read_text(encoding="utf-8").splitlines()[0]
    assert not {"forms", "form_column"} & book(folder).keys()
    assert "report.form" not in (folder / "README.txt").read_text(encoding="utf-8")


def test_the_archive_says_what_forms_are(files):
    said = (files / "README.txt").read_text(encoding="utf-8")
    assert "the form that the browser drew: report.form in the microdata" in said and "{" not in said


def test_the_codebook_has_the_forms_with_their_tables_and_sizes(files):
    found, table = book(files), pd.read_csv(files / "microdata.csv")
    assert found["form_column"] == "report.form"
    assert [form["n"] for form in found["forms"]] == [int((table["report.form"] == k).sum()) for k in range(4)]
    assert [form["alpha_total"] for form in found["forms"]] == ["4", "4.5", "3", "2"] and found["alpha_total"] == "4.5"
    first, second, *_ = found["forms"]
    [together] = first["draws"]
    keep = together["table"]["keep"]
    assert (first["weight"], together["alpha"]) == (3, "3")
    assert together["table"] == {"keep": keep, "sizes": [1, 1, 2]} and "holds the answer" in together["randomized"]
    assert [draw["questions"] for draw in second["draws"]] == [["used"], ["trust"], ["scale"]]
    assert [draw["questions"] for draw in found["draws"]] == [["form"]]
    by_key = {question["key"]: question for question in found["questions"]}
    assert by_key["drugs"]["table"] == {"keep": keep, "sizes": [1]}
    assert by_key["age"]["table"] == {"keep": keep, "sizes": [2]}
    assert by_key["drugs"]["form"] == 0 and by_key["drugs"]["joint"] and "form" not in by_key["form"]
    assert by_key["drugs"]["estimation"]["asked_of"] == (
        "Asked only of people whose report has report.form = 0 (form 1 of the survey's pages). "
        "Randomized together with report_form, age."
    )
    put_to = "Asked only of people whose report has report.form = 1 (form 2 of the survey's pages)."
    assert by_key["used"]["estimation"]["asked_of"] == put_to


def test_the_estimates_say_the_form_of_each_question_in_every_format(files):
    plain = pd.read_csv(files / "estimates.csv", dtype={"form": str})
    assert tuple(plain.columns) == tidy.columns({"forms": []})
    about = plain.drop_duplicates("question").set_index("question")[["form", "joint", "n_about"]]
    n = [form["n"] for form in book(files)["forms"]]
    assert pd.isna(about.loc["form", "form"]) and about.loc["form"].tolist()[1:] == [False, REPORTS]
    assert about.loc["age"].tolist() == ["0", True, n[0]] and about.loc["scale"].tolist() == ["1", False, n[1]]
    document = json.loads((files / "estimates.json").read_text(encoding="utf-8"))
    table = pd.read_parquet(io.BytesIO(exports.parquet(document)))
    assert_frame_equal(table[["form", "joint"]], plain[["form", "joint"]], check_dtype=False)
    for read, made in ((pyreadstat.read_sav, exports.spss), (pyreadstat.read_dta, exports.stata)):
        with tempfile.NamedTemporaryFile() as file:
            file.write(made(document))
            file.flush()
            frame, meta = read(file.name)
        assert read is pyreadstat.read_dta or meta.variable_measure["estimate"] == "scale"
        assert frame["form"].tolist() == plain["form"].fillna("").tolist()
        assert_frame_equal(frame[["joint"]], plain[["joint"]].astype(float), check_dtype=False)
    described = csv.DictReader((files / "columns.csv").read_text(encoding="utf-8-sig").splitlines())
    assert [row["column"] for row in described if row["file"] == "estimates"] == list(plain.columns)


def test_codebook_and_estimates_are_as_the_api_describes_them(files):
    described = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    for name, path in (("codebook", "/releases/{number}/codebook"), ("estimates", "/estimates")):
        answer = described[f"/api/v1/surveys/{{slug}}{path}"]["get"]["responses"]["200"]
        schema = answer["content"]["application/json"]["schema"]
        found = json.loads((files / f"{name}.json").read_text(encoding="utf-8"))
        validate(found, schema)
        known = schema["properties"]["forms"]["items"]["properties"]
        assert found["forms"] and all(form.keys() <= known.keys() for form in found["forms"])


SCRIPTS = [("recompute.py", [sys.executable, "-I"]), ("recompute.R", ["Rscript", "--vanilla"])]


@pytest.mark.parametrize("release", ["files", "files_of_every_release"])
@pytest.mark.parametrize(("script", "program"), SCRIPTS, ids=["numpy", "R"])
def test_a_script_finds_every_published_number_again(request, release, script, program):
    folder = request.getfixturevalue(release)
    done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(r"\d{3,} rows recomputed", done.stdout)


@pytest.mark.parametrize("release", ["files", "files_of_every_release"])
def test_the_package_has_the_published_numbers(request, release):
    folder = request.getfixturevalue(release)
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    assert reports.complete and reports.document() == json.loads((folder / "estimates.json").read_text())
    with (folder / "estimates.csv").open(encoding="utf-8-sig", newline="") as file:
        published = list(csv.DictReader(file))
    for mine, theirs in zip(reports.estimates(), published, strict=True):
        assert all(repr(mine[name]) == theirs[name] for name in ("estimate", "interval_low", "simultaneous_high"))
    assert len(published) > 100


def test_a_report_of_another_form_or_none_is_noticed(files):
    table = pd.read_csv(files / "microdata.csv")
    for column, value in (("report.form", 4), ("report.form", np.nan), ("drugs", 2), ("age.1", -1)):
        changed = table.astype({column: float})
        changed.loc[changed.index[table["report.form"] == 0][0], column] = value
        with pytest.raises(ValueError, match=r"form|whole number"):
            ldp.read(changed, files / "codebook.json").totals  # noqa: B018
    moved = table.astype({"report.form": float})
    moved.loc[moved.index[table["report.form"] == 3][0], "report.form"] = 0
    with pytest.raises(ValueError, match="whole number"):
        ldp.read(moved, files / "codebook.json").totals  # noqa: B018
    assert not ldp.read(table.iloc[1:], files / "codebook.json").complete


def test_two_questions_of_a_draw_are_crossed_by_their_cells(reports):
    cells = reports.cross("age", "report_form")
    assert [(cell["option"], cell["other"]) for cell in cells[:2]] == [("under 30", "never"), ("under 30", "at times")]
    assert sum(cell["estimate"] for cell in cells) == pytest.approx(1)
    turned = {(cell["other"], cell["option"]): cell for cell in reports.cross("report_form", "age")}
    for cell in cells:
        other = turned[cell["option"], cell["other"]]
        names = ("estimate", "standard_error", "interval_high")
        assert [cell[name] for name in names] == pytest.approx([other[name] for name in names])
    never = sum(cell["estimate"] for cell in cells if cell["other"] == "never")
    published = {(row["question"], row["option"]): row["estimate"] for row in reports.estimates()}
    assert never == pytest.approx(published["report_form", "never"])


def ages(row):
    return [j for j in range(4) if row[f"age.{j + 1}"] == "1"]


@pytest.mark.parametrize(("first", "second"), [("report_form", "drugs"), ("report_form", "age"), ("drugs", "age")])
def test_another_program_finds_the_cells_of_a_draw(files, reports, first, second):
    rows = csv.DictReader((files / "microdata.csv").read_text(encoding="utf-8").splitlines())
    bodies = [
        {"form": 0, "answers": {key: [int(row[key])] for key in ("report_form", "drugs")} | {"age": ages(row)}}
        for row in rows
        if row["report.form"] == "0"
    ]
    cells = recompute.cells(book(files), bodies, [first, second], 0.95)
    for mine, other in zip(reports.cross(first, second), cells, strict=True):
        assert mine["estimate"] == pytest.approx(other["estimate"], abs=1e-11)
        error, *ends = other["population"]
        assert mine["standard_error"] == pytest.approx(error, abs=1e-11)
        names = ("interval_low", "interval_high", "simultaneous_low", "simultaneous_high")
        assert [mine[name] for name in names] == pytest.approx(ends, abs=1e-9)


def test_a_question_of_a_form_is_crossed_with_one_for_everyone_and_with_none_of_another_form(reports):
    n = reports.codebook["forms"][1]["n"]
    assert reports.crossing("form", "scale")["n_about"] == n < REPORTS
    with pytest.raises(ValueError, match="no one was asked both"):
        reports.cross("drugs", "scale")
    with pytest.raises(ValueError, match="no one was asked both"):
        reports.crossing("drugs", "left")


CROSSED_IN_R = """source("recompute.R")
d <- read_microdata("microdata.csv")
b <- read_codebook("codebook.json")
for (pair in list(c("age", "drugs"), c("form", "scale"), c("report_form", "age"))) {
  found <- cross(d, b, pair[1], pair[2])
  for (name in c("estimate", "standard_error", "interval_low", "simultaneous_high"))
    cat(sprintf("%.17g", found[[name]]), "\n")
}
cat(tryCatch(cross(d, b, "drugs", "left"), error = conditionMessage), "\n")
"""


def test_r_crosses_within_a_draw_alike_and_refuses_between_forms(files, reports):
    done = run("Rscript", "--vanilla", "-e", CROSSED_IN_R, folder=files)
    assert done.returncode == 0, done.stderr
    *lines, refusal = done.stdout.splitlines()
    assert refusal.strip() == "no form asks both, so no one was asked both: they cannot be crossed"
    lines = iter(lines)
    for pair in (("age", "drugs"), ("form", "scale"), ("report_form", "age")):
        mine = reports.cross(*pair)
        for name in ("estimate", "standard_error", "interval_low", "simultaneous_high"):
            numbers = [float(number) for number in next(lines).split()]
            assert numbers == pytest.approx([row[name] for row in mine], abs=1e-9), (pair, name)


def test_the_covariances_of_a_question_drawn_with_others_are_of_its_own_reports(reports):
    [population, _] = reports.covariances("drugs")
    assert population.matrix[0, 0] == pytest.approx(-population.matrix[0, 1], rel=1e-9), "two shares are one number"
    [row] = {
        row["standard_error"]
        for row in reports.estimates()
        if (row["question"], row["option"], row["target"]) == ("drugs", "Yes", "population")
    }
    assert population.matrix[0, 0] == pytest.approx(row**2, rel=0.2)


def test_a_form_that_was_erased_leaves_its_questions_out(tmp_path):
    from tests.worker.test_batches import store as store_of

    survey = create_draft(forms.DRAFT)
    open_survey(survey)
    for form, n in ((0, 60), (1, 5), (2, 40)):
        store_of(survey, range(1000 * form, 1000 * form + n), form=form)
    close_survey(survey)
    work(survey)
    assert Release.objects.get(survey=survey).n == 100
    folder = unpack(exported(survey), tmp_path)
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    assert reports.complete and [form["n"] for form in reports.codebook["forms"]] == [60, 0, 40]
    assert not {"health", "doctor"} & {row["question"] for row in reports.estimates()}
    with pytest.raises(ValueError, match="no report is about both"):
        reports.cross("health", "doctor")
    for script, program in SCRIPTS:
        done = run(*program, script, "microdata.csv", "codebook.json", "estimates.csv", folder=folder)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", ["recompute.py", "recompute.R"])
def test_the_scripts_notice_what_is_false_about_who_left(files, tmp_path, script):
    command = ["Rscript"] if script.endswith("R") else [sys.executable]
    for name in ("microdata.csv", "estimates.csv"):
        (tmp_path / name).write_bytes((files / name).read_bytes())
    altered = book(files)
    altered["forms"][1]["retention"]["missing"] += 0.01
    (tmp_path / "codebook.json").write_text(json.dumps(altered), encoding="utf-8")
    arguments = ["microdata.csv", "codebook.json", "estimates.csv"]
    assert run(*command, str(files / script), *arguments, folder=files).returncode == 0
    assert run(*command, str(files / script), *arguments, folder=tmp_path).returncode == 1
