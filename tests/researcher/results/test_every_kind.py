"""Results of every kind and mechanism: page, plots, CSV and JSON agree with the document."""

import csv
import io
import itertools
import json
import random
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from html import unescape

import jsonschema
import pytest
from django.test import Client
from django.test.html import parse_html
from drf_spectacular.generators import SchemaGenerator

from ldp.inference.estimates import TARGETS
from ldp.mechanisms import MECHANISMS, of
from ldp.privatize import make_report
from surveys.figures import layout, numerals
from surveys.figures.svg import SVG
from surveys.figures.themes import THEMES
from surveys.life.lifecycle import close_survey, create_draft, open_survey
from surveys.models import Report
from surveys.researcher.results import glossary, selection
from surveys.survey import kinds, mechanisms
from surveys.survey.definition.layout import Layout
from tests.researcher.results.conftest import PEOPLE
from tests.researcher.results.test_plots import drawn
from tests.researcher.results.test_results import elements, get, holds, rows, says, text
from tests.support import vectors
from tests.support.api_schema import validate
from tests.support.estimates import document_of, with_totals, work
from worker import batches

pytestmark = pytest.mark.django_db

VARIANTS = list(itertools.product(THEMES, layout.WIDTHS))


@pytest.fixture
def survey(every_kind):
    return every_kind


def answered(draft, people, seed=41):
    """Return a closed survey with seeded random reports, released by the worker."""
    survey = create_draft(draft, results_public=True)
    open_survey(survey)
    layout = Layout(survey.definition)
    Report.objects.bulk_create(
        Report(id=body["report_id"], survey=survey, packed=layout.pack(body["answers"]))
        for body in reports(survey, people, seed)
    )
    close_survey(survey)
    work(survey)
    survey.refresh_from_db()
    return survey


def reports(survey, people, seed=41):
    chance = random.Random(seed)
    for _ in range(people):
        answers = {question["key"]: vectors.answer(question, chance) for question in survey.questions}
        yield json.loads(make_report(survey.definition, survey.digest, answers, lambda: chance.getrandbits(32)))


def results(survey, *kinds):
    return [question for question in document_of(survey)["questions"] if question["kind"] in kinds or not kinds]


def cards(survey):
    """Return the page's elements about each result of the document, in its order."""
    page = parse_html(get(survey, query="?target=population"))
    questions = [s for s in elements(page, "section") if ("class", "question") in s.attributes]
    return [card for question in questions for card in items(question) or [question]]


def items(question):
    return [s for s in elements(question, "section") if ("class", "item") in s.attributes]


def facts(node):
    found = [div for div in elements(node, "div") if elements(div, "dt") and not elements(div, "dl")]
    return {text(elements(div, "dt")[0]): text(elements(div, "dd")[0]) for div in found}


# The page -------------------------------------------------------------------------------------------------------------


def test_every_result_has_a_card_with_the_numbers_of_the_document(survey):
    for card, question in zip(cards(survey), results(survey), strict=True):
        categories = question["methods"][0]["categories"]
        if question["kind"] == "mean":
            shown, unit = facts(elements(card, "dl")[0]), question["unit"]
            about = categories[0]["population"]
            numbers = [
                one.removesuffix(unit).strip() for one in shown["Mean of the population"].split(" standard error ")
            ]
            values = [categories[0]["estimate"], about["standard_error"]]
            assert all(says(one, value / 100) for one, value in zip(numbers, values, strict=True)), shown
            interval = shown["95% interval"].removesuffix(unit).strip()
            assert holds(interval, [end / 100 for end in about["interval"]]), shown
            assert shown["Mean of the population"].count(unit) >= 2 and elements(card, "table") == []
            continue
        shown = selection.by_estimate(question)["methods"][0]["categories"]
        assert sorted(c["option"] for c in shown) == sorted(c["option"] for c in categories)
        shown = selection.named(selection.by_estimate(question))["methods"][0]["categories"]
        for row, category in zip(rows(elements(card, "table")[0]), shown, strict=True):
            n = f" ({category['n_about']} reports)" if "n_about" in category else ""
            assert row[0].replace("\xa0", " ") == category["option"].replace("\xa0", " ") + n
            assert says(row[1], category["estimate"])
            assert holds(row[2], category["population"]["simultaneous"])


def test_a_grid_is_one_question_with_a_card_for_each_item(survey):
    page = parse_html(get(survey))
    grids = [question for question in survey.questions if question["kind"] == "grid"]
    numbers = {question["key"]: number for number, question in enumerate(survey.questions, 1)}
    headings = [text(h3) for h3 in elements(page, "h3")]
    assert headings == [f"{numbers[q['key']]}.{i} {item}" for q in grids for i, item in enumerate(q["items"], 1)]
    asked = [text(elements(h2, "span")[0]) for h2 in elements(page, "h2")]
    assert asked == [f"{number} {q['text']}" for number, q in enumerate(survey.questions, 1)]
    grid_cards = [card for card, result in zip(cards(survey), results(survey), strict=True) if result["kind"] == "grid"]
    for card, result in zip(grid_cards, results(survey, "grid"), strict=True):
        assert f"{result['n_about']} of the {PEOPLE} reports are about this item." in text(card)
        assert result["n_about"] < PEOPLE


def test_every_mechanism_and_method_is_explained_in_a_plain_sentence(survey):
    assert mechanisms.MECHANISMS.keys() == MECHANISMS.keys()
    methods = {name for m in survey.questions for name in of(m).moments()}
    assert glossary.METHODS.keys() == methods
    sentences = [each.sent for each in mechanisms.MECHANISMS.values()]
    for sentence in [*sentences, *(sentence for _, sentence in glossary.METHODS.values())]:
        assert sentence.endswith(".") and sentence.count(". ") <= 1 and 8 < len(sentence.split()) < 35
    page = text(parse_html(get(survey)))
    for question in survey.questions:
        name, sentence, *_ = mechanisms.of(question)
        assert f"{name} {sentence.partition('{')[0]}".strip() in page
    assert "{" not in page and "None" not in page


def test_what_has_no_number_is_left_out(survey):
    unknown = 0
    for card, result in zip(cards(survey), results(survey), strict=True):
        method, terms = result["methods"][0], facts(card)
        assert ("Efficiency" in terms) == (method["at_equal_shares"]["efficiency"] is not None)
        if result["kind"] != "grid":
            assert ("Effective sample size" in terms) == (method["at_estimate"]["effective_n"] is not None)
        unknown += method["at_equal_shares"]["efficiency"] is None
    assert unknown >= 10


def test_delta_is_said_wherever_alpha_is_for_a_mechanism_that_has_one(survey):
    for card, result in zip(cards(survey), results(survey), strict=True):
        if "delta" in result:
            told = facts(card)["Privacy parameters"]
            assert told.startswith(f"α = {result['alpha']}, δ = {result['delta']} ")
            assert f"apart from a chance (δ) of at most 1 in {int(1 / Fraction(result['delta'])):,}" in told
        elif result["kind"] != "grid":
            assert "δ" not in facts(card)["Privacy parameter"]
    total = sum(Fraction(question.get("delta", "0")) for question in survey.questions)
    assert f"of at most {numerals.chance(total)}" in text(parse_html(get(survey)))
    assert numerals.chance(total) == "1 in 999", "a chance of 0.001001 is more than 1 in 1,000"


def test_where_nothing_narrower_holds_for_the_respondents_the_page_says_so_instead(survey):
    for card, result in zip(cards(survey), results(survey), strict=True):
        same = result["mechanism"] in ("one_bit", "multiple", "ranking", "grid")
        assert not same or all(c["population"] == c["respondents"] for c in result["methods"][0]["categories"])
        if result["kind"] != "grid":
            assert ("The same for only these 300 respondents" in text(card)) == (not same)
            assert ("hold for only these 300" in text(card).replace("holds", "hold")) == same


@pytest.mark.slow
def test_few_reports_leave_items_and_answers_unknown():
    few = answered(vectors.EVERY_KIND, 20)
    [body] = reports(few, 1)
    packed = Layout(few.definition).pack(body["answers"])
    with_totals(few, 1, **batches.counted(few, 0, batches.as_rows(few, 0, [packed]))["totals"])
    page = text(parse_html(get(few)))
    assert "No report is about 4 of the 5 answers, so nothing is known about them." in page
    assert "No report is about 3 of the items, so nothing is known about them." in page
    assert "Too few people answered to say anything precise." in page
    for address in re.findall(r'(?:src|srcset)="(/r/[^"]*)"', get(few))[::3]:  # one or more of each result's four
        assert Client().get(unescape(address)).status_code == 200


# The plots ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.statistical
def test_every_result_has_all_its_plots(survey, nightly):
    """Daily, each result has one of the four variants in turn, and the first result has all."""
    addresses = set(re.findall(r'(?:src|srcset)="(/r/[^"?]*/plots/[^"?]*)', get(survey)))
    grids = [question for question in survey.questions if question["kind"] == "grid"]
    assert len(addresses) == (len(results(survey)) - len(results(survey, "grid")) + len(grids)) * len(VARIANTS)
    every = list(itertools.product(results(survey), VARIANTS))
    some = [pair for k, pair in enumerate(every) if k < 4 or k % 4 == k // 4 % 4]
    for result, (theme, width) in every if nightly else some:
        address = f"/r/{survey.slug}/1/plots/{result['key']}-{theme}-{width}.svg"
        response, plan = Client().get(address), kinds.of(result).layout(result, width)
        assert response.status_code == 200 and (address in addresses or result["kind"] == "grid")
        root = ElementTree.fromstring(response.content)
        assert (root.get("width"), root.get("height")) == (str(plan.width), str(plan.height))
        assert root.find(f"{{{SVG}}}title").text == result["text"]
    for key in ("rows.4", "rows.", ".1", "any.1", "r"):
        assert Client().get(f"/r/{survey.slug}/plots/{key}-light-wide.svg").status_code == 404


@pytest.mark.parametrize(("theme", "width"), VARIANTS)
def test_a_mean_is_drawn_on_its_own_scale(survey, theme, width):
    for question in results(survey, "mean"):
        category, colours = question["methods"][0]["categories"][0], THEMES[theme]
        svg = Client().get(f"/r/{survey.slug}/plots/{question['key']}-{theme}-{width}.svg").content
        ends = [float(question["low"]), float(question["high"])]
        close = {"abs": 1e-3 * (ends[1] - ends[0])}
        assert drawn(svg, "x", stroke=colours.accent, stroke_width="1.6")[0] == pytest.approx(
            category["population"]["interval"], **close
        )
        assert drawn(svg, "x", stroke=colours.bar, stroke_width="8")[0] == pytest.approx(ends, **close)
        assert drawn(svg, "x", stroke=colours.band) == []
        assert "%" not in "".join(label for label in svg.decode().split("<text")[1:] if "interval" not in label)


# CSV, JSON and their description --------------------------------------------------------------------------------------


def test_csv_and_json_are_the_document(survey):
    address = f"/api/v1/surveys/{survey.slug}/estimates"
    document = document_of(survey)
    assert Client().get(address).json() == document
    table = csv.DictReader(io.StringIO(Client().get(f"{address}.csv").content.decode(), newline=""))
    told = [
        (question, method, category, target)
        for question in document["questions"]
        for method in question["methods"]
        for category in method["categories"]
        for target in TARGETS
    ]
    at_95 = (row for row in table if row["confidence"] == "0.95")
    for row, (question, method, category, target) in zip(at_95, told, strict=True):
        assert (row["question"], row["n"], row["target"]) == (question["key"], str(PEOPLE), target)
        assert row["n_about"] == str(category.get("n_about", question["n_about"]))
        assert float(row["estimate"]) == category["estimate"]
        assert float(row["interval_high"]) == category[target]["interval"][1]
        assert row["guarantee"] == category[target]["guarantee"]
        is_mean = question["kind"] == "mean"
        assert (row["quantity"], row["unit"]) == (("mean", question["unit"]) if is_mean else ("share", ""))
        assert float(row["scale_low"]) == (float(question["low"]) if is_mean else 0)
        assert float(row["scale_high"]) == (float(question["high"]) if is_mean else 1)
        assert row["delta"] == question.get("delta", "")
        for name, value in {
            "risk_bound": question["risk_bound"],
            "efficiency_at_estimate": method["at_estimate"]["efficiency"],
        }.items():
            assert row[name] == ("" if value is None else repr(value))


def test_the_description_of_the_api_fits_every_report_and_the_estimates(survey):
    described = SchemaGenerator().get_schema(request=None, public=True)
    paths = described["paths"]
    report = paths["/api/v1/surveys/{slug}/reports"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator.check_schema(report)
    body = {}
    for body in reports(survey, 20):
        validate(body, report)
    for wrong in ("01x", [[1]], [[1, 2, 3]], 1.5, None, {}, [True]):
        with pytest.raises(jsonschema.ValidationError):
            validate(body | {"answers": {"any": wrong}}, report)
    told = json.dumps(report)
    assert [name for name in MECHANISMS if not re.search(rf"\b{name}\b", told)] == [], (
        "surveys/survey/mechanisms says how"
    )
    found = paths["/api/v1/surveys/{slug}/estimates"]["get"]["responses"]["200"]["content"]["application/json"][
        "schema"
    ]
    jsonschema.Draft202012Validator.check_schema(found)
    validate(document_of(survey), closed(found))
    assert "text/csv" in paths["/api/v1/surveys/{slug}/estimates.csv"]["get"]["responses"]["200"]["content"]


def closed(schema):
    """Return the schema with no undescribed property allowed."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    extra = {"additionalProperties": False} if schema.get("type") == "object" else {}
    return {name: closed(value) for name, value in schema.items()} | extra
