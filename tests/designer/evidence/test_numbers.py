"""Every number in a document of the demo survey equals the API's number."""

import html
import json
import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest
import yaml
from django.test import Client

from surveys.designer.evidence import catalog, facts
from tests.support.estimates import found_again
from tests.support.evidence import demonstration

pytestmark = pytest.mark.django_db
DDI = "{ddi:codebook:2_6}"


@pytest.fixture(scope="module")
def survey(outer_transaction):
    return demonstration()


@pytest.fixture
def api(survey):
    """Return the API's answers about the survey, its releases, its definition and its estimates."""
    client, address = Client(), f"/api/v1/surveys/{survey.slug}"
    names = {"": "survey", "/definition": "definition", "/estimates": "estimates", "/releases": "releases"}
    return {name: json.loads(client.get(address + path).content) for path, name in names.items()}


@pytest.fixture
def written(survey):
    own = facts.of_survey(found_again(survey))
    return {file.name: file.content.decode() for file in catalog.files(own)}


def tables(text):
    """Return the rows of each table by its caption, without the head."""
    captions = re.findall(r"<caption>(.*?)</caption>.*?<tbody>(.*?)</tbody>", text, re.DOTALL)
    return {
        html.unescape(caption): [_cells(row) for row in re.findall(r"<tr>(.*?)</tr>", body)]
        for caption, body in captions
    }


def _cells(row):
    return [html.unescape(cell) for cell in re.findall(r"<bdi>(.*?)</bdi>", row)]


def results(api):
    return {result["key"]: result for result in api["estimates"]["questions"]}


@pytest.mark.parametrize("tag", ["en", "de", "ar"])
def test_the_annex_has_the_apis_alphas_and_the_definitions_integers(written, api, tag):
    questions, reports, integers = tables(written[f"annex.{tag}.html"]).values()
    for key, _text, form, _mechanism, alpha, realized, delta, *_people in questions:
        result = results(api)[key]
        channels, places = result.get("asked", [result]), form.replace("،", ",").split(", ")
        assert alpha.split(" / ") == [one["alpha"] for one in channels]
        assert realized.split(" / ") == [f"{one['realized_alpha']:.6f}" for one in channels]
        assert ([int(place) - 1 for place in places], delta) == ([one["form"] for one in channels], "0")
    for row, form in zip(reports, api["estimates"]["forms"], strict=True):
        assert row[3] == form["alpha_total"] and row[2].replace("،", ",").split(", ") == form["questions"]
        assert Fraction(row[1]) == Fraction(form["weight"], sum(one["weight"] for one in api["estimates"]["forms"]))
    drawn = [
        [str(place), ", ".join(draw["questions"]), draw["table"]]
        for place, form in enumerate(api["definition"]["forms"], 1)
        for draw in form["draws"]
    ]
    assert [[row[0], row[1].replace("،", ","), json.loads(row[4])] for row in integers] == drawn


def test_estimates_and_their_intervals_are_the_apis_to_six_decimals(written, api):
    for name in ("transparency.en.html", "methods.en.html"):
        rows = tables(written[name])["Estimates and simultaneous 95% intervals, about the population"]
        expected = [
            [result["key"], category["option"], *(f"{value:.6f}" for value in (category["estimate"], *interval))]
            for result in api["estimates"]["questions"]
            for category in result["methods"][0]["categories"]
            for interval in [category["population"]["simultaneous"]]
        ]
        assert rows == expected


def test_reports_and_digests_are_those_of_the_releases(written, api):
    listed = [[str(one["number"]), one["day"], str(one["n"]), one["totals_digest"]] for one in api["releases"]["items"]]
    assert tables(written["impact.en.html"])["All releases"] == listed[::-1]
    rows = tables(written["impact.en.html"])["Naming one person’s report among those of a form"]
    assert [int(row[1].replace(",", "")) for row in rows] == [form["n"] for form in api["estimates"]["forms"]]
    appendix = tables(written["methods.en.html"])["Questions and how they were randomized"]
    assert {row[0]: int(row[7]) for row in appendix} == {key: one["n_about"] for key, one in results(api).items()}
    for name in written:
        if name.endswith(".html"):
            assert (
                api["survey"]["digest"] in written[name] and api["survey"]["latest"]["totals_digest"] in written[name]
            )


def test_files_for_programs_have_the_apis_numbers(written, api):
    latest, alpha = api["survey"]["latest"], float(api["survey"]["alpha_total"])
    entry = yaml.safe_load(written["registry.yaml"])["deployment"]
    assert entry["privacy_loss"]["privacy_parameters"]["epsilon"] == alpha
    assert f"{latest['n']} reports" in entry["basic"]["description"]
    cited = json.loads(written["datacite.json"])["data"]["attributes"]
    assert cited["version"] == str(latest["number"]) and f"{latest['n']} reports" in cited["sizes"]
    assert json.loads(written["data/estimates.json"]) == api["estimates"]
    assert json.loads(written["data/definition.json"]) == api["definition"]
    for name in ("croissant.json", "ro-crate-metadata.json", "dataset.json", "ddi.xml", "references.bib"):
        assert api["survey"]["digest"] in written[name], name


def test_ddi_has_wording_tables_and_errors(written, api):
    root = ElementTree.fromstring(written["ddi.xml"])
    wording = {one.get("name"): one.findtext(f"{DDI}qstn/{DDI}qstnLit") for one in root.iter(f"{DDI}var")}
    assert wording.pop("report.form") is None
    texts = {one["key"]: one["text"] for one in api["definition"]["questions"]}
    assert {name.partition(".")[0] for name in wording} == texts.keys()
    assert all(text == texts[name.partition(".")[0]] for name, text in wording.items())
    errors = root.findtext(f".//{DDI}EstSmpErr")
    for result in api["estimates"]["questions"]:
        for category in result["methods"][0]["categories"]:
            error = category["population"]["standard_error"]
            assert f"{result['key']} {category['option']}: {category['estimate']:.6f} ({error:.6f})" in errors


def test_the_statement_says_what_the_respondents_page_says_of_a_whole_report(written):
    """At alpha 2, a guess of 20 in 100 becomes at most 65 and at least 3 (docs/respondents/privacy.md)."""
    assert "20% certainty" in written["statement.en.html"]
    assert "at most 65% and to no less than 3%" in written["statement.en.html"]
