"""A list and a grid in several forms (M45), from the draft to the results, the files and the notebook."""

import csv
import json
from fractions import Fraction

import pytest
from django.test import Client

import ldp
from ldp import pooled_scores
from surveys.life.lifecycle import close_survey
from surveys.models import Release, Report
from surveys.researcher.analyses.crossings.pairs import partners
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from tests.support import overlapping_lists as case
from tests.support.analyses import asked, crossed, made
from tests.support.estimates import document_of, work
from tests.support.exports import exported, unpack
from tests.support.factories import report

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def test_the_intake_takes_as_many_items_as_a_reports_form_draws():
    survey = case.opened()
    url = f"/api/v1/surveys/{survey.slug}/reports"
    for form, others in ((0, ["region", "moved"]), (1, ["region", "stays"])):
        body = json.loads(report(survey, f"own {form}", form, **case.person(form)))
        assert set(body["answers"]) == {"owns", *others}
        assert len(body["answers"]["owns"]) == (2, 3)[form]
        fewer = body["answers"] | {"owns": body["answers"]["owns"][1:]}
        assert Client().post(url, json.dumps(body | {"answers": fewer}), "application/json").status_code == 422
        assert Client().post(url, json.dumps(body), "application/json").status_code == 201


def test_shares_are_those_of_the_reports_that_drew_an_item_in_any_form():
    survey, bodies = case.released(1500)
    found = {result["key"]: result for result in document_of(survey)["questions"]}
    owns, [first, second] = found["owns"], [[body for body in bodies if body["form"] == form] for form in (0, 1)]
    assert owns["n_about"] == len(first) + len(second) and "alpha" not in owns
    assert [(each["form"], each["n"], each["alpha"]) for each in owns["asked"]] == [
        (0, len(first), "2"),
        (1, len(second), "1"),
    ]
    for place, category in enumerate(owns["methods"][0]["categories"]):
        about = [[dict(map(tuple, b["answers"]["owns"])) for b in own] for own in (first, second)]
        counts = [
            (sum(each[place] for each in own if place in each), sum(place in each for each in own)) for own in about
        ]
        assert category["n_about"] == sum(n for _, n in counts)
        assert [each["drawn"][place] for each in owns["asked"]] == [n for _, n in counts]
        tables = [
            survey.definition["forms"][0]["draws"][0]["table"],
            survey.definition["forms"][1]["draws"][0]["table"],
        ]
        assert category["estimate"] == pytest.approx(
            by_hand(counts, [chances(each["keep"], 1, 2) for each in tables], 2)
        )
        holds(category, case.OWNS[place])
    for item, law in enumerate(case.STAYS):
        result = found[f"stays.{item + 1}"]
        asked = [[b for b in bodies if b["form"] == form] for form in (1, 2)]
        about = [[dict(map(tuple_of, b["answers"]["stays"])) for b in own] for own in asked]
        sizes = [sum(item in each for each in own) for own in about]
        assert [each["n"] for each in result["asked"]] == sizes and result["n_about"] == sum(sizes)
        tables = [
            survey.definition["forms"][1]["draws"][1]["table"],
            survey.definition["forms"][2]["draws"][0]["table"],
        ]
        channels = [chances(tables[0]["keep"], tables[0]["size"], 3), chances(tables[1]["keep"], 1, 3)]
        for option, category in enumerate(result["methods"][0]["categories"]):
            counts = [
                (sum(option in each.get(item, ()) for each in own), n) for own, n in zip(about, sizes, strict=True)
            ]
            assert category["estimate"] == pytest.approx(by_hand(counts, channels, 3))
            holds(category, law[option])
    agreement = {each["question"]: each for each in document_of(survey)["agreement"]}
    # A false alarm once in 3,000 seeds.
    assert agreement.keys() == {"moved", "owns", "stays"} and all(each["p_value"] > 1e-4 for each in agreement.values())
    assert [agreement[key]["degrees"] for key in ("owns", "stays")] == [1, 2]


def tuple_of(pair):
    return pair[0], tuple(pair[1])


def holds(category, share):
    """Check one of 10 intervals that each miss with a chance of .05 at most: this seed's miss none by 2 widths."""
    low, high = category["population"]["interval"]
    assert 1.5 * low - 0.5 * high <= share <= 1.5 * high - 0.5 * low


def chances(keep, a, d):
    kept = Fraction(keep, 2**53)
    return kept + (1 - kept) * Fraction(a, d), kept * Fraction(a - 1, d - 1) + (1 - kept) * Fraction(a, d)


def by_hand(counts, channels, d):
    best = [(p - q) / ((pi := q + (p - q) / d) * (1 - pi)) for p, q in channels]
    scores = pooled_scores.whole_multiples(best)
    every = list(zip(scores, counts, channels, strict=True))
    whole = sum(c * n * (p - q) for c, (_, n), (p, q) in every)
    return float(sum(c * (x - n * q) for c, (x, n), (_, q) in every) / whole)


def test_the_files_tell_the_same(tmp_path):
    survey, _ = case.released(400)
    unpacked = unpack(exported(survey), tmp_path)
    reports = ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json")
    assert reports.complete
    with (unpacked / "estimates.csv").open(encoding="utf-8-sig") as file:
        published = {(row["question"], row["option"]): row["estimate"] for row in csv.DictReader(file)}
    own = {(row["question"], row["option"]): row["estimate"] for row in reports.estimates()}
    assert own.keys() == published.keys() and len(own) == 3 + 2 + 4 + 6
    assert all(float(published[key]) == pytest.approx(estimate, abs=1e-9) for key, estimate in own.items())
    document, stored = json.loads(json.dumps(reports.document())), document_of(survey)
    assert document["questions"] == stored["questions"] and document["agreement"] == stored["agreement"]


def test_intervals_of_a_release_before_the_end_hold_at_every_release():
    survey = case.opened()
    case.store(survey, 600)
    while Report.objects.filter(survey=survey).exists():
        before = Report.objects.filter(survey=survey).count()
        work(survey)
        if Report.objects.filter(survey=survey).count() == before:
            break
    first = Release.objects.filter(survey=survey).order_by("number").first()
    methods = {
        category["population"]["interval_method"]
        for result in first.document["questions"]
        for category in result["methods"][0]["categories"]
    }
    assert methods == {"sequence"} and not first.final
    case.store(survey, 200, 600)
    close_survey(survey)
    while Report.objects.filter(survey=survey).exists():
        work(survey)
    last = Release.objects.filter(survey=survey).order_by("number").last()
    assert last.final and last.number > first.number and last.document["n"] == 800


def test_an_item_is_crossed_with_what_everyone_and_what_some_forms_are_asked():
    survey, bodies = case.released(1500)
    document = crossed(survey, "region", "owns.2").document
    about = [body for body in bodies if any(item == 1 for item, _ in body["answers"].get("owns", []))]
    assert document["n_about"] == len(about) and [each["forms"] for each in document["channels"]] == [[0], [1]]
    for row, region in enumerate(case.REGION):
        for column, owns in enumerate((case.OWNS[1], 1 - case.OWNS[1])):
            cell = document["cells"][2 * row + column]["joint"]
            low, high = cell["levels"][0]["interval"]
            assert 2 * low - high <= region * owns <= 2 * high - low
    document = crossed(survey, "moved", "owns.2").document
    assert document["joint"] and document["n_about"] == sum(body["form"] == 0 for body in about)


def test_two_items_of_a_list_are_crossed_over_the_forms_whose_reports_are_about_both(tmp_path):
    survey, bodies = case.released(1500)
    run = crossed(survey, "owns.2", "owns.3")
    document, about = run.document, [dict(map(tuple, body["answers"].get("owns", []))) for body in bodies]
    numbers = [
        sum({1, 2} <= {*own} and body["form"] == form for body, own in zip(bodies, about, strict=True))
        for form in (0, 1)
    ]
    assert document["joint"] and document["forms"] == [0, 1] and document["n_about"] == sum(numbers)
    assert [(each["forms"], each["counts"][0][0]) for each in document["channels"]] == [
        ([form], n) for form, n in enumerate(numbers)
    ]
    assert document["first"]["alphas"] == ["2", "1"]
    for row, first in enumerate((case.OWNS[1], 1 - case.OWNS[1])):
        for column, second in enumerate((case.OWNS[2], 1 - case.OWNS[2])):
            cell = document["cells"][2 * row + column]["joint"]
            low, high = cell["levels"][0]["interval"]
            assert 2 * low - high <= first * second <= 2 * high - low
    offered = partners(Release.objects.latest_of(survey), "owns.2")
    shown = {key for _, members in offered.choices for key, _ in members}
    assert {"owns.1", "owns.3", "owns.4", "region"} <= shown and "owns.2" not in shown and not offered.refused
    unpacked = unpack(exported(survey), tmp_path)
    own = ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json").crossing("owns.2", "owns.3")
    assert json.loads(json.dumps(own))["cells"] == document["cells"]
    # One form draws one of the grid's two items: its reports say nothing about both.
    document = crossed(survey, "stays.1", "stays.2").document
    assert document["forms"] == [2] and document["n_about"] == sum(body["form"] == 2 for body in bodies)
    assert "channels" not in document and document["first"]["alpha"] == "2"


def test_a_model_of_two_items_is_the_same_from_the_site_and_from_its_files(tmp_path):
    survey, bodies = case.released(1500)
    model = {"model": "linear", "outcome": "region", "covariates": [{"key": "owns.2"}, {"key": "owns.3"}]}
    document = made(asked(REGRESSIONS, survey, model)).document
    about = [len({1, 2} & {item for item, _ in body["answers"].get("owns", [])}) for body in bodies]
    assert document["n_about"] == sum(number > 0 for number in about)
    assert document["n_pair"] == sum(number == 2 for number in about)
    unpacked = unpack(exported(survey), tmp_path)
    again = ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json").regression(model)
    assert json.loads(json.dumps(again))["coefficients"] == document["coefficients"]
    assert (again["n_about"], again["n_pair"]) == (document["n_about"], document["n_pair"])


def test_pages_of_a_release_show_them():
    survey, _ = case.released(900, results_public=True)
    page = Client().get(f"/r/{survey.slug}/1/").content.decode()
    assert "2 or 3 of the 4 answers" in page and "Nothing shows that the answers differ between these forms" in page
    page = Client().get(f"/r/{survey.slug}/1/codebook/").content.decode()
    assert "A report fills 3 of these columns or fewer" in page and "about the option or item" in page
