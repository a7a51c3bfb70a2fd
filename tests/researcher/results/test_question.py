"""A question's own page works for every kind and mechanism, and agrees with the mathematics."""

import re

import pytest
from django.test import Client
from django.test.html import parse_html

from ldp.planning import plans, stopping
from ldp.planning.outlook import HOPELESS
from surveys.figures import numerals
from surveys.life.lifecycle import create_draft, open_survey
from surveys.models import Release
from surveys.researcher.downloads import codebook
from surveys.survey.kinds.date import in_words
from tests.researcher.results.test_results import elements, rows, says, text
from tests.support.estimates import HOSTILE, ODD, collect, document_of, found_again, released
from tests.support.exports import closed
from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(every_kind):
    return every_kind


def address(survey, key, **query):
    asked_for = "&".join(f"{name}={value}" for name, value in query.items())
    return f"/r/{survey.slug}/1/questions/{key}/" + (f"?{asked_for}" if asked_for else "")


def get(survey, key, **query):
    response = Client().get(address(survey, key, **query))
    assert response.status_code == 200, (key, query)
    return response.content.decode()


def table(page, name):
    [found] = [
        one for one in elements(parse_html(page), "table") if ("id", name) in elements(one, "caption")[0].attributes
    ]
    return rows(found)


def test_every_result_has_a_page_with_its_numbers(survey):
    for result in document_of(survey)["questions"]:
        page = get(survey, result["key"])
        categories = result["methods"][0]["categories"]
        if result["kind"] != "mean":
            shown = {option.partition(" (")[0]: share for option, share, *_ in table(page, "table-shares")}
            names = [name.replace("\xa0", " ") for name in in_words([each["option"] for each in categories])]
            assert len(shown) == len(categories)
            assert all(says(shown[name], each["estimate"]) for name, each in zip(names, categories, strict=True))
        assert "None" not in text(parse_html(page)) and "%(" not in page and "nan" not in text(parse_html(page))
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)


def test_a_grid_has_a_page_with_the_shares_of_its_items_that_leads_to_each(survey):
    page = get(survey, "rows")
    items = [result for result in document_of(survey)["questions"] if result["key"].startswith("rows.")]
    for result, (_item, n, *shares) in zip(items, table(page, "items-table"), strict=True):
        assert n == str(result["n_about"])
        categories = result["methods"][0]["categories"]
        assert all(says(share, each["estimate"]) for share, each in zip(shares, categories, strict=True))
        assert address(survey, result["key"]) in page
    assert "None" not in text(parse_html(page)) and "%(" not in page


def test_bins_of_one_whole_number_each_have_a_page_with_one_mean():
    question = {"key": "k", "kind": "histogram", "text": "?", "alpha": "8", "limits": "whole"}
    own = closed({"title": "?", "questions": [question | {"edges": ["0.0", "1.0", "2.0"]}]}, 200)
    page = get(own, "k")
    [[_, mean, _span]] = table(page, "mean-table")
    assert 0 < float(mean) < 1 and "Bins give only two bounds" not in page
    [asked] = codebook.of_release(Release.objects.latest_of(own))["questions"]
    assert asked["limits"] == "whole"


@pytest.mark.statistical
@pytest.mark.parametrize(
    "query",
    [
        {"confidence": "99", "target": "respondents", "value": "30", "forged": "7", "level": "33.3"},
        {"confidence": "90", "value": "0", "than": "less", "exactly": "300", "option": "2"},
    ],
)
def test_every_choice_can_be_made_for_every_result(survey, query, nightly):
    """Daily, each query is tested with every second result."""
    results = document_of(survey)["questions"]
    first = int(query.get("value") == "0")
    for result in results if nightly else results[first::2]:
        own = dict(query)
        if result["kind"] == "mean":
            own |= {"value": result["low"], "option": "1"}
        own |= {"exactly": str(min(int(own["exactly"]), result["n_about"] // 30))} if "exactly" in own else {}
        page = get(survey, result["key"], **own)
        assert 'class="error"' not in page, (result["key"], own)
        assert "None" not in text(parse_html(page)) and "%(" not in page


# Choices --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three_questions(outer_transaction):
    return released(60, results_public=True)


@pytest.fixture
def three(three_questions, db):
    return found_again(three_questions)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"value": "101"}, "A number from 0 to 100."),
        ({"forged": "61"}, "At most 60, the number of reports."),
        ({"level": "0"}, "greater than or equal to 0.1"),
        ({"confidence": "94"}, "94 is not one of the available choices"),
        ({"target": "everyone"}, "everyone is not one of the available choices"),
        ({"option": "9"}, "9 is not one of the available choices"),
    ],
)
def test_a_wrong_choice_has_its_error_beside_it_and_the_page_its_default(three, query, said):
    page = get(three, "many", **query)
    assert said in page and 'class="error"' in page
    assert 'aria-invalid="true"' in page or "forged" in query
    assert "95% interval, all at once" in page


def test_the_other_choices_are_kept_beside_each_form(three):
    page = get(three, "many", confidence="99", target="respondents", value="10")
    kept = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
    assert kept.count(("confidence", "99")) == 3 and kept.count(("target", "respondents")) == 3
    assert kept.count(("value", "10")) == 3 and "99% interval, one alone" in page


def test_a_value_is_asked_of_one_answer():
    survey = released(400, results_public=True)
    page = text(parse_html(get(survey, "yes", value="30", target="population")))
    assert "Yes: the share of “Yes” of the population is more than 30%" in page
    assert "The exact one-sided p-value is at most 0.0001" in page
    assert "No: the share of “No” of the population is not more than 30%" in text(
        parse_html(get(survey, "yes", value="30", option="2", target="population"))
    )


def test_a_value_that_is_passed_one_way_while_the_interval_reaches_it_has_both_explained():
    survey = released(400, results_public=True)
    for value in range(30, 100):
        page = text(parse_html(get(survey, "yes", value=str(value))))
        yes, p = "Yes: the share" in page, float(re.search(r"p-value is at most ([\d.]+)", page)[1])
        low = float(re.search(r"The 95% interval goes from ([\d.]+) to", page)[1])
        assert (yes == (p <= 0.05) and low == value) or ("is two-sided" in page) == (yes and low < value), value
        if not yes:
            break
    assert low <= value < 99, "the values cross the lower end of the interval"


def test_choices_go_along_to_the_results_page_and_back_with_the_same_numbers(three):
    query = "?target=respondents&amp;confidence=99"
    results = Client().get(f"/r/{three.slug}/?target=respondents&confidence=99&projected=1").content.decode()
    assert f"/r/{three.slug}/1/questions/many/{query}" in results
    page = get(three, "many", target="respondents", confidence="99")
    assert "/1/?confidence=99&amp;target=respondents" in page
    [there] = [each for each in elements(parse_html(results), "table") if "question 3" in text(each)]
    assert [row[:5] for row in rows(there)] == table(page, "table-shares")


def test_what_is_not_there_is_not_found(three):
    for key in ("nothing", "yes.1", "yes.x", "many.²"):
        assert Client().get(address(three, key)).status_code == 404, key
    assert Client().get(f"/r/{three.slug}/9/questions/yes/").status_code == 404
    assert Client().get(f"/r/{three.slug}/1/questions/yes/other-light-wide.svg").status_code == 404
    assert Client().get(f"/r/{three.slug}/1/questions/yes/shares-light-wide.svg?confidence=1").status_code == 404


def test_texts_of_a_designer_are_only_text():
    survey = released(60, ODD, results_public=True)
    for key in ("signs", "income"):
        page = get(survey, key, value="3", forged="2")
        assert HOSTILE not in page and "&lt;b&gt;" in page


# While a survey goes on -----------------------------------------------------------------------------------------------


def test_an_open_survey_shows_intervals_for_every_release_and_its_trend():
    survey = opened_survey(results_public=True)
    collect(survey, 250, 150)
    document = document_of(survey)
    assert document["release"] == 2
    page = Client().get(f"/r/{survey.slug}/questions/which/").content.decode()
    assert "hold for all its releases together" in page and "p-value" not in page
    assert "which takes more than 1.96 standard errors to either side" in page
    trend = table(page, "trend-table")
    assert [row[0].partition(",")[0] for row in trend] == ["2", "1"]
    together = {option: its for option, _, its, *_ in table(page, "table-shares")}
    assert trend[0][3] == together["a"], "both hold at every release, for all answers at once"
    published = document["questions"][1]["methods"][0]["categories"][0]["population"]
    low, high = (float(end.replace("\N{MINUS SIGN}", "-")) / 100 for end in trend[0][3].split(" to "))
    assert published["interval_method"] == "sequence"
    assert low <= published["simultaneous"][0] < low + 0.01 and high - 0.01 < published["simultaneous"][1] <= high
    picture = Client().get(f"/r/{survey.slug}/2/questions/which/trend-dark-narrow.svg?option=2")
    assert picture.status_code == 200 and picture["Content-Type"] == "image/svg+xml"
    assert not re.search(rb"<style|\sstyle=", picture.content)


def test_a_trend_has_every_release_and_one_number_of_decimals_in_a_column():
    draft = {"title": "x", "questions": [{"key": "hours", "kind": "mean", "text": "?", "alpha": "2"}]}
    draft["questions"][0] |= {"low": "0", "high": "24", "unit": "hours"}
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    collect(survey, *[300] * 14)
    page = Client().get(f"/r/{survey.slug}/questions/hours/").content.decode()
    trend = table(page, "trend-table")
    assert [row[0].partition(",")[0] for row in trend] == [str(number) for number in range(len(trend), 0, -1)] and len(
        trend
    ) > 12
    assert len({len(row[2].partition(".")[2]) for row in trend}) == 1


def test_where_a_survey_has_ended_an_interval_follows_from_its_standard_error(three):
    assert "1.96 standard errors" not in get(three, "which")


def test_the_first_release_alone_has_no_trend(three):
    assert "trend-table" not in get(three, "yes") and "hold for all its releases" not in get(three, "yes")


def test_before_the_first_release_the_results_page_says_when_it_comes():
    survey = opened_survey(results_public=True)
    assert Client().get(f"/r/{survey.slug}/questions/yes/")["Location"] == f"/r/{survey.slug}/"
    assert Client().get(f"/r/{survey.slug}/questions/none/").status_code == 404


def test_both_pages_name_the_same_number_of_reports_that_would_say_something_while_a_survey_goes_on():
    draft = {"title": "x", "questions": [{"key": "one", "kind": "yes_no", "text": "?", "alpha": "0.3"}]}
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    collect(survey, 250)
    [question] = document_of(survey)["questions"]
    needed = stopping.reports_needed(survey.questions[0], HOPELESS, 0.95)
    assert question["informative_n"] == needed > 1.5 * plans.informative_n(survey.questions[0], 0.95)
    many = f"bout {numerals.count_up(needed)} reports"
    for address in (f"/r/{survey.slug}/", f"/r/{survey.slug}/questions/one/"):
        assert f"It takes a{many}." in Client().get(address).content.decode()
        assert f"A{many} are enough." in Client().get(f"{address}?target=respondents").content.decode()
