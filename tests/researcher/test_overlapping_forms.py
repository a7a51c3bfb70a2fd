"""Pages and downloads of questions that several forms ask: how each form asks them, and the results of all forms
together."""

import csv
import io
import json
import math
import re
from html import unescape

import numpy as np
import pytest
from django.test import Client

import ldp
from surveys.designer.evidence import catalog, facts
from surveys.life.lifecycle import close_survey
from surveys.models import Release
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.results.forms import missing
from surveys.researcher.workbook.tables import workbook_bytes
from tests.support import overlapping
from tests.support.analyses import entered, made
from tests.support.estimates import document_of, work
from tests.support.exports import exported, unpack

pytestmark = pytest.mark.django_db
KEYS = ("smokes", "often", "mood")


@pytest.fixture
def survey():
    return overlapping.released(1500, results_public=True)


def text_of(address):
    response = Client().get(address)
    assert response.status_code == 200, (address, response.status_code)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return " ".join(unescape(re.sub("<[^>]+>", " ", body.decode())).split())


def test_the_results_say_who_was_asked_by_which_forms(survey):
    page = text_of(f"/r/{survey.slug}/1/")
    assert "Several forms ask the same questions" in page
    assert page.count("The results combine these forms.") == 3
    assert "Forms 1, 3" in page and "Nothing shows that the answers differ between these forms" in page
    assert "2 for 2 questions together in form 1; 3 for 2 questions together in form 3" in page


def test_each_questions_page_and_pictures_are_made(survey):
    for key in KEYS:
        page = text_of(f"/r/{survey.slug}/1/questions/{key}/")
        assert "of 1,500 reports" in page
        assert text_of(f"/r/{survey.slug}/1/questions/{key}/?target=respondents&forged=20")
        for address in (f"plots/{key}.svg", f"cards/{key}.svg"):
            assert Client().get(f"/r/{survey.slug}/1/{address}").status_code in (200, 404)


def test_what_is_taken_away_holds_every_number_again(survey, tmp_path):
    export = exported(survey)
    assert export.state == "ready"
    folder = unpack(export, tmp_path)
    book = json.loads((folder / "codebook.json").read_text())
    asked = {each["key"]: each for each in book["questions"]}
    assert [column["name"] for column in asked["smokes"]["microdata"]["columns"]] == ["smokes"]
    # One form lists two of its options.
    assert [column["name"] for column in asked["often"]["microdata"]["columns"]] == [f"often.{k}" for k in range(1, 5)]
    assert "report.form = 0 or 2 (forms 1 or 3" in asked["often"]["estimation"]["asked_of"]
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    listed = np.stack([reports.columns[f"often.{k}"] for k in range(1, 5)], axis=1)
    forms = reports.columns["report.form"]
    assert set(listed[forms == 0].sum(axis=1)) == {2} and set(listed[forms == 2].sum(axis=1)) == {1}
    assert reports.complete and reports.document() == json.loads((folder / "estimates.json").read_text())
    crossed = reports.cross("smokes", "often")
    assert len(crossed) == 8 and sum(cell["estimate"] for cell in crossed) == pytest.approx(1)
    everyones = reports.cross("region", "often")
    assert len(everyones) == 12 and sum(cell["estimate"] for cell in everyones) == pytest.approx(1)


def test_a_table_of_estimates_names_all_forms(survey):
    rows = list(
        csv.DictReader(
            io.StringIO(
                Client().get(f"/api/v1/surveys/{survey.slug}/releases/1/estimates.csv").content.decode("utf-8-sig")
            )
        )
    )
    assert {(row["question"], row["form"], row["alpha"]) for row in rows} == {
        ("region", "", "1"),
        ("smokes", "0 1", "2 2"),
        ("often", "0 2", "2 3"),
        ("mood", "1 2", "2 3"),
    }


def test_every_other_file_and_page_is_made(survey):
    release = Release.objects.get(survey=survey)
    assert made(entered(CROSSINGS, release, {"first": "smokes", "second": "often"})).state == "ready"
    for address in (
        "dataset.json",
        "codebook/",
        "downloads/",
        "downloads/tables.xlsx",
        "downloads/shares.csv",
        "downloads/readings.csv",
        "downloads/pairs.csv",
        "downloads/forged.csv",
        "downloads/covariances.csv",
        "cross/smokes/often/",
        "cross/smokes/often/weighted/?by=smokes&share_1=30&share_2=70",
        "comparisons/?question=often",
    ):
        response = Client().get(f"/r/{survey.slug}/1/{address}")
        assert response.status_code in (200, 202, 302), (address, response.status_code)


def test_the_workbook_has_all_tables(survey):
    assert workbook_bytes(Release.objects.get(survey=survey), {}).startswith(b"PK")


def test_evidence_says_of_each_form_how_it_asks(survey):
    files = {file.name: file.content.decode() for file in catalog.files(facts.of_survey(survey))}
    assert "2 / 3" in files["annex.en.html"]
    assert "Form 1: Randomized together" in files["ddi.xml"] and "Form 3: Randomized together" in files["ddi.xml"]
    assert "In forms 1, 3 only." in files["questionnaire.en.html"]


def test_what_may_be_missing_from_all_forms_of_a_question_is_bounded_by_the_form_without_it():
    """Two fifths leave both forms that ask `smokes`; everyone stays with the third form."""
    survey = overlapping.opened(results_public=True)
    for form, n in enumerate((600, 300, 500)):
        overlapping.store(survey, n, form, 1000 * form)
    close_survey(survey)
    work(survey)
    page = text_of(f"/r/{survey.slug}/1/questions/smokes/")
    assert "People who may be missing" in page
    several = re.search(
        r"Up to (\d+)% of the people who would report with a form without this question may be missing from one", page
    )
    alone = [
        int(part)
        for part in re.findall(
            r"Up to (\d+)% of the people who would report with another form may be missing here", page
        )
    ]
    assert int(several[1]) >= 40 and int(several[1]) > max(alone, default=0)
    document = document_of(survey)
    assert int(several[1]) == math.ceil(100 * missing(document["questions"][1], document))
