"""A reader's selection is kept in the URL and shown everywhere, and the sentences are true for it."""

import re

import pytest
from django.test import Client
from django.test.html import parse_html

from ldp.inference.estimates import onto_simplex
from surveys.researcher.results import selection
from surveys.researcher.results.findings import findings
from surveys.researcher.results.selection import USUAL, Selection
from surveys.rules.texts import PREFER_NOT_TO_SAY
from tests.researcher.results.test_every_kind import answered
from tests.researcher.results.test_results import elements, get, holds, rows, says, text
from tests.researcher.results.test_weighted import DRAFT, reported
from tests.support import vectors
from tests.support.estimates import document_of, found_again, released

pytestmark = pytest.mark.django_db

KEYS = ("few", "laplace", "any")
SOME = {"title": "Some", "questions": [q for q in vectors.EVERY_KIND["questions"] if q["key"] in KEYS]}


def category(estimate, population, respondents):
    def precision(interval):
        return {"simultaneous": interval, "interval": interval, "standard_error": 0.01} | {
            "levels": [{"confidence": 0.9, "interval": [0.1, 0.9], "simultaneous": [0.05, 0.95]}]
        }

    return {"estimate": estimate, "population": precision(population), "respondents": precision(respondents)}


def question(*categories, kind="single_choice", prefer_not_to_say=False, methods=("support",)):
    options = [c["option"] for c in categories]
    asked = {"kind": kind, "options": options, "prefer_not_to_say": prefer_not_to_say, "informative_n": 50, "d": 2}
    asked |= {"key": "q", "together": len(categories)}
    return asked | {"methods": [{"method": name, "categories": list(categories)} for name in methods]}


def document(*questions):
    return {"confidence": 0.95, "final": False, "questions": list(questions)}


def two(**options):
    yes = category(0.6, [0.4, 0.7], [0.55, 0.65]) | {"option": "Yes"}
    no = category(0.4, [0.3, 0.6], [0.35, 0.45]) | {"option": "No"}
    return question(yes, no, **options)


# The URL --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "choice"),
    [
        ({}, USUAL),
        ({"target": "population", "confidence": "95", "method": "", "projected": "0"}, USUAL),
        ({"utm_source": "letter"}, USUAL),
        ({"target": "respondents"}, Selection(target="respondents")),
        ({"confidence": "90", "projected": "1"}, Selection(confidence="90", projected=True)),
        ({"method": "sum"}, Selection(method="sum")),
    ],
)
def test_an_address_says_what_is_shown_and_the_choice_says_its_address(query, choice):
    known = document(two(methods=("threshold", "sum")))
    assert selection.of_query(query, known) == choice
    again = dict(pair.split("=") for pair in choice.query.split("&") if pair)
    assert selection.of_query(again, known) == choice and not set(again) - selection.NAMES


@pytest.mark.parametrize(
    "query",
    [
        {"target": "everyone"},
        {"confidence": "97"},
        {"confidence": "0.9"},
        {"confidence": "99"},
        {"method": "threshold"},
        {"method": "support"},
        {"projected": "yes"},
    ],
)
def test_what_a_release_does_not_have_is_refused(query):
    with pytest.raises(selection.UnknownSelection):
        selection.of_query(query, document(two(methods=("threshold", "sum"))))


def test_a_confidence_counts_only_where_every_interval_has_it():
    known = document(two(), two())
    assert selection.confidences(known) == ["90", "95"]
    del known["questions"][1]["methods"][0]["categories"][1]["respondents"]["levels"]
    assert selection.confidences(known) == ["95"]


def test_pages_and_plots_refuse_it_with_404():
    survey = released(20, results_public=True)
    for path in ("", "1/plots/yes.svg", "plots/yes-light-wide.svg"):
        address = f"/r/{survey.slug}/{path}"
        assert Client().get(address + "?confidence=99&target=respondents&projected=1").status_code == 200
        for query in ("confidence=98", "target=x", "projected=2", "method=none"):
            assert Client().get(f"{address}?{query}").status_code == 404, query


# Effects --------------------------------------------------------------------------------------------------------------


def test_sentences_follow_from_the_chosen_intervals():
    def said(choice):
        [result] = selection.applied(document(two()), choice)["questions"]
        return findings(result)[0]

    assert said(USUAL) == "60% said “Yes” (likely between 40% and 70%)."
    assert said(Selection(target="respondents")) == "60% said “Yes” (likely between 55% and 65%)."
    assert said(Selection(target="respondents", confidence="90")) == "It is too early to say anything precise."


def test_the_number_of_reports_that_would_do_is_said_of_the_planned_intervals_alone():
    wide = category(0.5, [0, 1], [0, 1]) | {"option": "A"}
    for choice, told in ((USUAL, True), (Selection(target="respondents"), False), (Selection(confidence="90"), False)):
        [result] = selection.applied(document(question(wide, wide)), choice)["questions"]
        assert ("It takes about 50 reports." in findings(result)[0]) == told


def test_the_document_itself_stays_as_it_is():
    known = document(two(methods=("threshold", "sum")))
    before = repr(known)
    shown = selection.applied(known, Selection("respondents", "90", "sum", True))
    assert repr(known) == before
    assert [method["method"] for method in shown["questions"][0]["methods"]] == ["sum", "threshold"]


def test_options_without_an_order_stand_by_their_estimates_and_others_last():
    def ordered(kind, options, refusing=False):
        categories = [category(i / 10, [0, 1], [0, 1]) | {"option": name} for i, name in enumerate(options)]
        return selection.by_estimate(question(*categories, kind=kind, prefer_not_to_say=refusing))["options"]

    assert ordered("single_choice", "abc") == ["c", "b", "a"]
    assert ordered("multiple_choice", "abc") == ["c", "b", "a"]
    assert ordered("ordered", "abc") == ordered("yes_no", "abc") == ordered("histogram", "abc") == [*"abc"]
    assert ordered("single_choice", ["a", "b", PREFER_NOT_TO_SAY], True) == ["b", "a", PREFER_NOT_TO_SAY]
    last = ["Other", PREFER_NOT_TO_SAY]
    assert ordered("single_choice", ["a", "b", *last], True) == ["b", "a", *last]
    assert ordered("single_choice", ["Other", "a", "b"]) == ["b", "a", "Other"], "not where it stands first"


def test_every_method_keeps_the_order_of_the_first():
    one = category(0.1, [0, 1], [0, 1]) | {"option": "A"}
    other = category(0.2, [0, 1], [0, 1]) | {"option": "B"}
    shown = selection.by_estimate(question(one, other, methods=("support", "inverse")))
    assert [[c["option"] for c in method["categories"]] for method in shown["methods"]] == [["B", "A"]] * 2


# The page -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("confidence", ["90", "95", "99"])
@pytest.mark.parametrize("target", ["population", "respondents"])
@pytest.mark.parametrize("method", ["", "sum"])
def test_the_tables_hold_the_chosen_numbers(some, target, confidence, method):
    page = parse_html(get(some, query=f"?target={target}&confidence={confidence}&method={method}"))
    for table, result in zip(elements(page, "table"), document_of(some)["questions"], strict=True):
        chosen = next((m for m in result["methods"] if m["method"] == method), result["methods"][0])
        by_option = {c["option"]: c for c in chosen["categories"]}
        for option, share, together, alone, error in rows(table):
            found = by_option[option.partition(" (")[0]]
            about = found[target]
            level = {0.95: about} | {level["confidence"]: level for level in about["levels"]}
            about = about | level[int(confidence) / 100]
            assert says(share, found["estimate"]) and says(error, about["standard_error"])
            assert holds(together, about["simultaneous"]) and holds(alone, about["interval"])
        assert f"{confidence}% interval" in text(table)


def test_projected_shares_stand_beside_the_unbiased_ones(some):
    page = parse_html(get(some, query="?projected=1"))
    for table, result in zip(elements(page, "table"), document_of(some)["questions"], strict=True):
        shown = selection.by_estimate(result)["methods"][0]["categories"]
        estimates = [c["estimate"] for c in shown]
        several = result["kind"] in ("multiple_choice", "ranking")
        expected = [min(max(e, 0), 1) for e in estimates] if several else onto_simplex(estimates)
        for row, estimate, projected in zip(rows(table), estimates, expected, strict=True):
            assert says(row[1], estimate) and says(row[5], projected)
    assert "They are biased" in text(page) and "biased" not in get(some)


def test_a_projected_mean_stands_beside_the_unbiased_one():
    mean = next(question for question in vectors.EVERY_KIND["questions"] if question["kind"] == "mean")
    survey = answered({"title": "A mean", "questions": [mean]}, 30)
    assert "Projected mean, biased" in get(survey, query="?projected=1") and "Projected mean" not in get(survey)


def test_the_form_shows_the_choice_and_every_link_keeps_the_rest(some):
    page = get(some, query="?target=respondents&confidence=90")
    form = elements(parse_html(page), "form")[0]
    fields = [dict(field.attributes) for field in elements(form, "input")]
    on = {field["name"]: field["value"] for field in fields if "checked" in field}
    assert on == {"target": "respondents", "confidence": "90", "method": ""}
    assert "These results describe the people who answered. They are not projected to a wider population." in page
    links = re.findall(r'href="\?([^"#]*)#', page)
    assert links and all("confidence=90" in link for link in links)
    assert all(("target=respondents" in link) == ("method" in link) for link in links), "others lead to the population"
    assert re.findall(r'-light-wide\.svg\?\w+&amp;target=respondents&amp;confidence=90"', page)


def headlines(page):
    return [text(span) for span in elements(parse_html(page), "span") if ("class", "finding") in span.attributes]


def test_every_question_stands_on_the_page_once_with_its_number(some):
    page = get(some)
    sections = [each for each in elements(parse_html(page), "section") if ("class", "question") in each.attributes]
    assert len(sections) == len(headlines(page)) == 3 and "overview" not in page
    for section, result in zip(sections, document_of(some)["questions"], strict=True):
        [heading] = elements(section, "h2")
        assert result["text"] in text(heading)
        assert elements(section, "picture")


def test_the_headline_of_yes_or_no_is_the_share_of_yes_also_where_it_is_the_rarer():
    questions = [{"key": key, "kind": "yes_no", "text": key, "alpha": "9"} for key in "abcdef"]
    survey = answered({"title": "Two answers", "questions": questions}, 60)
    estimates = [result["methods"][0]["categories"][0]["estimate"] for result in document_of(survey)["questions"]]
    assert min(estimates) < 0.5 < max(estimates)
    shown = [round(100 * estimate) for estimate in estimates]
    assert [line.partition("%")[0] for line in headlines(get(survey))] == [str(share) for share in shown]
    assert all(re.match(r"\d+% said yes \(likely between \d+% and \d+%\)\.$", line) for line in headlines(get(survey)))


def test_an_estimate_beyond_what_is_possible_is_no_headline():
    """All reports name one answer: no true answers would give so many."""
    survey = reported(DRAFT, [(0, int(i % 10 == 0)) for i in range(300)])
    first, *_others = headlines(get(survey, query="?target=population"))
    assert re.match(r"Likely between \d+(\.\d)?% and 100(\.0)?% said “In town”\.$", first)


@pytest.fixture(scope="module")
def answered_once(outer_transaction):
    return answered(SOME, 300)


@pytest.fixture
def some(answered_once, db):
    return found_again(answered_once)
