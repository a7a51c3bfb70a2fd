"""Files of readings and comparisons have every number of the question's page and of the comparisons' page."""

import csv
import io
import json

import pytest
from django.test import Client

from surveys.figures import numerals
from surveys.researcher.downloads import column_docs, row_files
from surveys.researcher.sheets.column import names
from surveys.researcher.sheets.common_columns import HEADER
from surveys.survey.kinds.date import SPAN, span_in_words
from tests.researcher.results.test_comparisons import get as comparisons_page
from tests.researcher.results.test_question import get as question_page
from tests.researcher.results.test_question import table
from tests.support.estimates import collect, document_of, released
from tests.support.exports import closed
from tests.support.factories import DRAFT, opened_survey

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SECTIONS = {"cumulated-table": "cumulative_share", "density-table": "density", "said-table": "share_among_answers"}


def body(survey, name, number=1):
    response = Client().get(f"/r/{survey.slug}/{number}/downloads/{name}")
    assert response.status_code == 200
    return b"".join(response).decode("utf-8-sig")


def rows_of(survey, name, number=1):
    return list(csv.DictReader(io.StringIO(body(survey, name, number), newline="")))


def number(text):
    return None if text == "" else float(text)


def span(row, name):
    return float(row[f"{name}_low"]), float(row[f"{name}_high"])


@pytest.fixture(scope="module")
def files(released_survey, django_db_blocker):
    with django_db_blocker.unblock():
        return {name: rows_of(released_survey, f"{name}.csv") for name in ("readings", "pairs")}


def chosen(rows, key, confidence=0.95, target="population"):
    return [
        row
        for row in rows
        if row["question"] == key and float(row["confidence"]) == confidence and row.get("target", target) == target
    ]


def on_page(option):
    """Return the option as a page of results names it. The file quotes text that a spreadsheet would run."""
    name = option.removeprefix("'")
    return span_in_words(name).replace("\N{NO-BREAK SPACE}", " ") if SPAN.fullmatch(name) else name


def up_to(option):
    """Return all dates up to the last one of the span, as a page names them."""
    last = option.rpartition(" – ")[2]
    return "any date" if last == "…" else on_page(f"… – {last}")


# Readings -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("confidence", "target"), [(0.95, "population"), (0.9, "respondents")])
def test_the_shares_of_every_page_are_in_the_file(every_kind, files, confidence, target):
    seen = set()
    for result in document_of(every_kind)["questions"]:
        page = question_page(every_kind, result["key"], confidence=str(round(100 * confidence)), target=target)
        for caption, quantity in SECTIONS.items():
            if f'id="{caption}"' not in page:
                continue
            seen.add(quantity)
            found = chosen(files["readings"], result["key"], confidence, target)
            found = [row for row in found if row["quantity"] == quantity]
            for (option, share, together, alone), row in zip(table(page, caption), found, strict=True):
                decimals = len(alone.split()[0].partition(".")[2])
                upward = quantity == "cumulative_share" and result["kind"] == "date"
                assert option == (up_to(row["option"]) if upward else on_page(row["option"]))
                assert together == numerals.span(span(row, "simultaneous"), decimals)
                assert alone == numerals.span(span(row, "interval"), decimals)
                estimate = number(row["estimate"])
                assert share == ("too few" if estimate is None else numerals.share(estimate, decimals))
                assert bool(row["reason"]) == (estimate is None)
    assert seen == set(SECTIONS.values())


@pytest.mark.parametrize(("confidence", "target"), [(0.95, "population"), (0.9, "respondents")])
def test_the_bounds_of_every_page_are_in_the_file(every_kind, files, confidence, target):
    seen = 0
    for result in document_of(every_kind)["questions"]:
        page = question_page(every_kind, result["key"], confidence=str(round(100 * confidence)), target=target)
        if 'id="bounds-table"' not in page:
            continue
        found = chosen(files["readings"], result["key"], confidence, target)
        found = [row for row in found if row["quantity"] == "share_if_all_had_said"]
        for (option, low, high, together, alone), row in zip(table(page, "bounds-table"), found, strict=True):
            decimals = len(alone.split()[0].partition(".")[2])
            assert option == on_page(row["option"])
            assert together == numerals.span(span(row, "simultaneous"), decimals)
            assert alone == numerals.span(span(row, "interval"), decimals)
            assert low == numerals.share(float(row["estimate"]), decimals)
            assert high == numerals.share(float(row["estimate_high"]), decimals)
            seen += 1
    assert seen


def test_the_middle_of_every_scale_is_in_the_file(every_kind, files):
    for key in ("scale", "steep"):
        shown = {row[0]: row[1:] for row in table(question_page(every_kind, key), "middle-table")}
        found = chosen(files["readings"], key)
        [median] = [row for row in found if row["quantity"] == "quantile"]
        [rank] = [row for row in found if row["quantity"] == "mean_rank"]
        low, high = median["option_low"], median["option_high"]
        assert shown["Median"] == [median["option"], low if low == high else f"{low} to {high}"]
        assert median["level"] == "0.5" and median["unit"] == rank["unit"] == "rank"
        assert float(median["interval_low"]) <= float(median["estimate"]) <= float(median["interval_high"])
        ends = [float(end) for end in shown["Mean rank"][1].split(" to ")]
        assert ends == pytest.approx(span(rank, "interval"), abs=0.11)


def test_the_quantiles_and_the_mean_of_bins_are_in_the_file(every_kind, files):
    shown = table(question_page(every_kind, "counted"), "quantiles-table")
    found = [row for row in chosen(files["readings"], "counted") if row["quantity"] == "quantile"]
    levels = [f"{100 * float(row['level']):g}" for row in found]
    assert [row[0].rstrip("%)").rpartition("(")[2] for row in shown] == levels
    edges = [float(edge) for edge in every_kind.questions[keys(every_kind).index("counted")]["edges"]]
    for row in found:
        inner = {number(row[name]) for name in ("estimate", "estimate_high", "interval_low", "interval_high")}
        assert inner <= {None, *edges[1:-1]}
    [mean] = [row for row in chosen(files["readings"], "counted") if row["quantity"] == "mean"]
    assert number(mean["interval_low"]) < number(mean["interval_high"])
    [[_, between, _]] = table(question_page(every_kind, "counted"), "mean-table")
    assert (between == "too few answered to say") == (mean["reason"] != "")


def keys(survey):
    return [question["key"] for question in survey.questions]


def test_projected_shares_are_those_of_the_results_page_and_add_up(every_kind, files):
    found = [row for row in files["readings"] if row["quantity"] == "projected_share"]
    found = [row for row in found if row["kind"] not in ("multiple_choice", "ranking")]
    sums = {}
    for row in found:
        each = row["question"], row["method"], row["target"], row["confidence"]
        sums[each] = sums.get(each, 0.0) + float(row["estimate"])
    assert sums and all(total == pytest.approx(1) for total in sums.values())
    page = Client().get(f"/r/{every_kind.slug}/1/?projected=1").content.decode()
    [share] = [row["estimate"] for row in chosen(found, "warner") if row["option"] == "Yes"]
    assert numerals.share(float(share), 0) in page


def test_while_a_survey_goes_on_a_quantile_of_the_respondents_is_withheld_with_its_reason():
    scale = {"key": "s", "kind": "ordered", "text": "s?", "alpha": "2", "options": ["a", "b"]}
    survey = opened_survey({"title": "x", "questions": [scale]}, results_public=True)
    collect(survey, 300)
    found = [row for row in rows_of(survey, "readings.csv") if row["quantity"] == "quantile"]
    assert {row["every_release"] for row in found} == {"true"}
    for row in found:
        assert (row["estimate"] == "") == (row["target"] == "respondents") == ("no interval is known" in row["reason"])


# Comparisons ----------------------------------------------------------------------------------------------------------


def test_the_pairs_of_every_page_are_in_the_file(every_kind, files):
    for key in ("few", "scale", "rows.1", "any", "bell"):
        shown, found = table(comparisons_page(every_kind, question=key), "pairs-table"), chosen(files["pairs"], key)
        assert {int(row["together"]) for row in found} == {len(shown)}
        for (pair, difference, interval, p, told), row in zip(shown, found, strict=True):
            assert pair == f"{row['option']} against {row['other_option']}"
            decimals = len(difference.partition(".")[2])
            assert difference == numerals.share(float(row["difference"]), decimals)
            assert interval == numerals.span(span(row, "simultaneous"), decimals)
            assert (told != "no") == (row["told_apart"] == "true")
            corrected = number(row["corrected_p_value"])
            assert (p == "–") == (corrected is None) == (row["p_value"] == "") == bool(row["reason"])
            if corrected is not None and 0.0001 <= corrected < 1:
                assert p == numerals.rounded_up(corrected)


def test_a_pair_without_a_p_value_says_why_in_the_file_and_on_its_page(every_kind, files):
    [reason] = {row["reason"] for row in files["pairs"] if row["question"] == "some"}
    assert reason == "One report may be about both answers: no exact p-value of their difference is known."
    assert reason in comparisons_page(every_kind, question="some")
    survey = opened_survey(results_public=True)
    collect(survey, 300)
    found = rows_of(survey, "pairs.csv")
    assert all(row["p_value"] == "" and row["reason"].startswith("A p-value is for one look.") for row in found)


def test_of_many_answers_one_is_compared_with_those_that_follow(files):
    found = chosen(files["pairs"], "many")
    assert len({row["option"] for row in found}) == 1 and len({row["other_option"] for row in found}) == len(found) > 11


# All releases, and forged reports -------------------------------------------------------------------------------------


@pytest.fixture
def twice():
    """Return an open survey with two releases."""
    survey = opened_survey(DRAFT, results_public=True)
    collect(survey, 250, 150)
    return survey


def test_the_trend_of_every_answer_is_in_the_file(twice):
    found = rows_of(twice, "trend.csv", 2)
    for key, option, place in (("yes", "No", "2"), ("which", "c", "3")):
        page = Client().get(f"/r/{twice.slug}/2/questions/{key}/?option={place}&target=population").content.decode()
        shown = table(page, "trend-table")
        own = [row for row in chosen(found, key) if row["option"] == option]
        assert [row["at_release"] for row in own] == ["1", "2"], "the oldest first"
        for (release, n, share, interval), row in zip(reversed(shown), own, strict=True):
            decimals = len(share.partition(".")[2])
            assert release.startswith(f"{row['at_release']}, ") and n == numerals.count(int(row["n_asked"]))
            assert share == numerals.share(float(row["estimate"]), decimals)
            assert interval == numerals.span(span(row, "simultaneous"), decimals)
    assert {row["guarantee"] for row in found if row["target"] == "population"} == {"proved"}
    assert {row["guarantee"] for row in found if row["target"] == "respondents"} == {"checked"}


def test_a_release_tells_of_no_later_one(twice):
    assert {row["at_release"] for row in rows_of(twice, "trend.csv", 1)} == {"1"}


def test_a_mean_stands_over_the_releases_in_its_unit():
    mean = {"key": "m", "kind": "mean", "text": "m?", "alpha": "4", "low": "-10", "high": "30", "unit": "°C"}
    survey = closed({"title": "x", "questions": [mean]}, 120)
    found, [published] = rows_of(survey, "trend.csv"), document_of(survey)["questions"][0]["methods"][0]["categories"]
    assert all(-10 <= float(row["simultaneous_low"]) <= float(row["simultaneous_high"]) <= 30 for row in found)
    assert {row["unit"] for row in found} == {"°C"}
    assert all(float(row["estimate"]) == pytest.approx(published["estimate"]) for row in found)


@pytest.mark.parametrize("key", ["few", "warner", "bell", "rows.1", "some"])
def test_what_forged_reports_could_do_is_in_the_file_as_on_the_page(every_kind, key):
    found = chosen(rows_of(every_kind, "forged.csv"), key)
    numbers = sorted({int(row["forged"]) for row in found})
    assert numbers[0] == 0 and len(numbers) > 3
    shown = table(question_page(every_kind, key, forged=str(numbers[-1])), "forged-table")
    options = [on_page(row["option"]) for row in found if row["forged"] == "0"]
    assert [row[0] for row in shown] == options
    for option, *intervals in shown:
        for m, interval in zip((0, numbers[-1]), intervals, strict=True):
            [row] = [row for row in found if on_page(row["option"]) == option and int(row["forged"]) == m]
            decimals = len(interval.split()[0].partition(".")[2])
            assert interval == numerals.span(span(row, "simultaneous"), decimals)


def test_how_many_forged_reports_would_hide_the_most_common_answer_is_in_the_file():
    survey = released(400, results_public=True)
    found = chosen(rows_of(survey, "forged.csv"), "which")
    [breaking] = {row["breaking"] for row in found if row["breaking"]}
    assert {row["option"] for row in found if row["breaking"]} == {"a"}
    assert f"It would take {breaking} forged reports to make that uncertain." in question_page(survey, "which")


# Both -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", row_files.TABLES)
def test_the_json_has_the_rows_of_the_csv_and_every_column_is_described(name):
    survey = closed(DRAFT, 120)
    table, document = rows_of(survey, f"{name}.csv"), json.loads(body(survey, f"{name}.json"))
    assert tuple(table[0]) == names(column_docs.FILES[name])
    for row, one in zip(table, document[name], strict=True):
        both = {**one, **{key: document[key] for key in names(HEADER)}}
        assert both.keys() == row.keys()
        for column, value in both.items():
            if isinstance(value, float):
                assert float(row[column]) == value
            else:
                text = str(value).lower() if isinstance(value, bool) else str(value)
                assert row[column] == ("" if value is None else text)
    program = Client().get(f"/api/v1/surveys/{survey.slug}/releases/1/{name}")
    assert json.loads(b"".join(program)) == document


def test_a_survey_of_means_has_no_comparisons():
    mean = {"key": "m", "kind": "mean", "text": "m?", "alpha": "1", "low": "0", "high": "10", "unit": "h"}
    survey = closed({"title": "x", "questions": [mean]}, 120)
    assert json.loads(body(survey, "pairs.json"))["pairs"] == [] and rows_of(survey, "pairs.csv") == []
    assert {row["quantity"] for row in rows_of(survey, "readings.csv")} == {"projected_mean"}


def test_the_reports_that_comparisons_need_are_those_that_their_page_names():
    survey = closed(DRAFT, 400)
    rows = [row for row in rows_of(survey, "pairs.csv") if row["confidence"] == "0.95" and row["reports_needed"]]
    assert rows
    for question in {row["question"] for row in rows}:
        row = next(row for row in rows if row["question"] == question)
        page = comparisons_page(survey, question=question)
        needed = numerals.count_up(int(row["reports_needed"]))
        assert f"About {needed} reports would show a difference of 5 points" in page, question
