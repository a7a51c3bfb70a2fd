"""Lists and grids that are drawn with other questions (M9c), from the draft to the results."""

import csv
import json
import random

import pytest
from django.test import Client

import ldp
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Report
from surveys.survey.definition.layout import layouts
from tests.support import form_cases
from tests.support.analyses import crossed
from tests.support.estimates import document_of, work
from tests.support.exports import exported, unpack
from tests.support.factories import report

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

OWNS, SMOKES = (0.1, 0.6, 0.3, 0.5), 0.4


def person(seed):
    chance = random.Random(f"person {seed}")
    moved = int(chance.random() >= SMOKES)
    return {
        "moved": moved,
        "owns": [chance.random() < share for share in OWNS],
        "region": chance.randrange(3),
        "stays": [chance.randrange(3), 2],
        "pay": f"{chance.uniform(0, 9):.2f}",
        "sees": [chance.random() < 0.5 for _ in range(3)],
    }


def released(n):
    survey = create_draft(form_cases.LISTS)
    open_survey(survey)
    each = layouts(survey.definition)
    bodies = [json.loads(report(survey, seed, **person(seed))) for seed in range(n)]
    Report.objects.bulk_create(
        Report(id=body["report_id"], survey=survey, form=body["form"], packed=each[body["form"]].pack(body["answers"]))
        for body in bodies
    )
    close_survey(survey)
    while Report.objects.filter(survey=survey).exists():
        work(survey)
    return survey, bodies


def test_the_intake_takes_them_and_refuses_what_no_browser_sends():
    survey = create_draft(form_cases.LISTS)
    open_survey(survey)
    url = f"/api/v1/surveys/{survey.slug}/reports"
    body = json.loads(report(survey, "one", 0, **person(1)))
    for wrong in ([[0, 1]], [[0, 1], [1, 0], [1, 1]], [[0, 1], [1, 0], [4, 1]], [[0, 1], [1, 2], [2, 0]], [0, 1, 1]):
        answers = body["answers"] | {"owns": wrong}
        assert Client().post(url, json.dumps(body | {"answers": answers}), "application/json").status_code == 422
    assert Client().post(url, json.dumps(body), "application/json").status_code == 201


def test_items_have_results_and_tables_with_the_other_questions_of_their_draw():
    survey, bodies = released(900)
    found = {result["key"]: result for result in document_of(survey)["questions"]}
    drawn = [sum(option == k for body in bodies for option, _ in body["answers"]["owns"]) for k in range(4)]
    categories = found["owns"]["methods"][0]["categories"]
    assert [each["n_about"] for each in categories] == drawn and sum(drawn) == 3 * 900
    for category, share in zip(categories, OWNS, strict=True):
        low, high = category["population"]["interval"]
        assert 1.5 * low - 0.5 * high <= share <= 1.5 * high - 0.5 * low
    assert found["stays.1"]["n_about"] == sum(body["form"] == 0 for body in bodies)
    document = crossed(survey, "owns.2", "moved").document
    both = [body["answers"] for body in bodies if any(option == 1 for option, _ in body["answers"]["owns"])]
    assert document["joint"] and document["n_about"] == len(both) == drawn[1]
    assert document["counts"][1][1] == sum(dict(each["owns"])[1] == 1 and each["moved"] == [0] for each in both)
    for row, owns in enumerate((OWNS[1], 1 - OWNS[1])):
        for column, moved in enumerate((SMOKES, 1 - SMOKES)):
            cell = document["cells"][2 * row + column]["joint"]
            low, high = cell["levels"][0]["interval"]
            assert 2 * low - high <= owns * moved <= 2 * high - low


def test_the_file_of_reports_tells_the_same(tmp_path):
    survey, bodies = released(300)
    unpacked = unpack(exported(survey), tmp_path)
    reports = ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json")
    with (unpacked / "estimates.csv").open(encoding="utf-8-sig") as file:
        published = {(row["question"], row["option"]): row["estimate"] for row in csv.DictReader(file)}
    own = {(row["question"], row["option"]): row["estimate"] for row in reports.estimates()}
    assert own.keys() == published.keys() and len(own) > 15
    assert all(float(published[key]) == pytest.approx(estimate, abs=1e-9) for key, estimate in own.items())
    abouts = {}
    with pytest.raises(ValueError, match="fillers"):  # no score shows who was asked
        reports.crossing("region", "stays.1")
    for first, second in (("owns.2", "moved"), ("owns.2", "owns.4")):
        document = json.loads(json.dumps(reports.crossing(first, second)))
        found = crossed(survey, first, second).document
        for name in ("n_about", "counts", "cells", "independence", "joint"):
            assert document[name] == found[name]
        abouts[second] = found["n_about"]
    both = [body["answers"]["owns"] for body in bodies if {1, 3} <= {option for option, _ in body["answers"]["owns"]}]
    assert abouts["owns.4"] == len(both) > 100
