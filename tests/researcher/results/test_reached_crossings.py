"""Cross-tables of a question that only some people are asked describe these people: pages, files and a notebook."""

import copy
import csv
import io
import itertools
import json
import subprocess
import sys

import pytest
from django.test import Client
from django.test.html import parse_html
from django.urls import reverse

import ldp
from surveys.models import AnalysisRun, Release
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.crossings.pairs import CrossedQuestions, partners
from surveys.researcher.analyses.frame import requests
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from tests.researcher.results.test_results import text
from tests.researcher.results.test_routing import DRAFT, OF_ASKED
from tests.researcher.results.test_weighted import reported
from tests.support import routing as support_routing
from tests.support.analyses import crossed
from tests.support.estimates import found_again
from tests.support.exports import closed, exported, unpack
from tests.support.tokens import carrying, member, token

pytestmark = pytest.mark.django_db

SEX = {"key": "sex", "kind": "single_choice", "text": "Sex?", "options": ["f", "m"]}


def drafted(**fields):
    draft = copy.deepcopy(DRAFT)
    draft["questions"].append(dict(SEX))
    for question in draft["questions"]:
        question |= {"alpha": "4", "mechanism": "randomized_response"} | fields
    return draft


@pytest.fixture(scope="module")
def by_sex_once(outer_transaction):
    """Return a survey: half of 400 people smoke, women “never”, men “daily”; others are randomized as “daily”."""
    survey = reported(drafted(), [(0, 0, 0), (0, 2, 1), (1, 2, 0), (1, 2, 1)] * 100)
    crossed(survey, "often", "sex")
    return survey


@pytest.fixture
def by_sex(by_sex_once, db):
    return found_again(by_sex_once)


def page(survey, path, language="en"):
    answer = Client(headers={"accept-language": language}).get(f"/r/{survey.slug}/1/cross/{path}")
    assert answer.status_code == 200
    return text(parse_html(answer.content.decode()))


def test_the_page_describes_only_people_who_were_asked_both(by_sex):
    said = page(by_sex, "often/sex/")
    assert "These shares describe only people who were asked both questions." in said and OF_ASKED in said
    assert "Among those who answered “f” to “Sex?”, 94 to 100% answered “never” to “How often?”." in said
    assert "Among those who answered “m” to “Sex?”, 94 to 100% answered “daily” to “How often?”." in said
    assert "or not asked" not in said and "statistically significant" not in said and "▲" not in said
    assert "50.0% of all people (44.8 to 55.2%)" in said and "Weight by known shares" not in said


def test_the_files_have_the_same_and_say_it(by_sex):
    body = Client().get(f"/r/{by_sex.slug}/1/cross/often/sex/crossing.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(body)))
    joint = {(row["option"], row["other_option"]): row for row in rows if row["quantity"] == "joint"}
    truths = dict.fromkeys(joint, 0.0) | {("never", "f"): 0.5, ("daily", "m"): 0.5}
    assert {row["reason"] for row in rows} == {
        "Among people who were asked both questions this site does not test whether the two are related: compare the "
        "intervals."
    }
    for cell, row in joint.items():
        assert float(row["estimate"]) == pytest.approx(truths[cell], abs=0.05) and row["p_value"] == ""
        assert float(row["simultaneous_low"]) <= truths[cell] + 0.01
        assert float(row["simultaneous_high"]) >= truths[cell]
    document = Client().get(f"/r/{by_sex.slug}/1/cross/often/sex/crossing.json").json()
    assert document["asked"]["deciders"] == ["smokes"] and document["independence"] is None
    assert document["asked"]["share"]["estimate"] == pytest.approx(0.5)
    assert document["n_about"] == 400 and document["outlook"] == []


def test_known_shares_of_everyone_weight_no_table_of_some(by_sex):
    answer = Client().get(f"/r/{by_sex.slug}/1/cross/often/sex/weighted/?by=sex&share_1=40&share_2=60")
    assert answer.status_code == 302 and answer["location"].endswith("/cross/often/sex/")
    answer = Client().get(f"/r/{by_sex.slug}/1/cross/often/sex/weighted.csv?by=sex&share_1=40&share_2=60")
    assert answer.status_code == 404


def test_a_notebook_makes_the_same_document(by_sex, tmp_path):
    folder = unpack(exported(by_sex), tmp_path)
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    document = AnalysisRun.objects.get(release__survey=by_sex, kind="crossing").document
    assert reports.crossing("often", "sex") == document
    turned = {(cell["other"], cell["option"]): cell["estimate"] for cell in reports.cross("sex", "often")}
    for cell in document["cells"]:
        assert turned[cell["first"], cell["second"]] == pytest.approx(cell["joint"]["estimate"])
    for refused in (
        lambda: reports.weighted("often", "sex", [0.5, 0.5]),
        lambda: reports.weighted("sex", ["often", "smokes"], [[0.3, 0.3, 0.4], [0.5, 0.5]]),
        lambda: reports.corrected("often", "sex"),
    ):
        with pytest.raises(ValueError, match="not everyone was asked"):
            refused()


def test_the_raw_files_give_the_same_by_the_formulas_of_the_documentation(by_sex, tmp_path):
    """The test follows docs/researchers/recompute.md in plain Python."""
    folder = unpack(exported(by_sex), tmp_path)
    with (folder / "microdata.csv").open(encoding="utf-8-sig", newline="") as file:
        reports = list(csv.DictReader(file))
    book = json.loads((folder / "codebook.json").read_text())
    questions = {question["key"]: question for question in book["questions"]}

    def phi(report, key, option):
        method = questions[key]["estimation"]["methods"][0]
        return ((int(report[key]) == option) - method["b"]) / (method["a"] - method["b"])

    document = AnalysisRun.objects.get(release__survey=by_sex, kind="crossing").document
    g = [phi(report, "smokes", 0) for report in reports]
    for cell, (j, k) in zip(document["cells"], itertools.product(range(3), range(2)), strict=True):
        own = [
            phi(report, "often", j) * phi(report, "sex", k) * asked for report, asked in zip(reports, g, strict=True)
        ]
        share = sum(own) / sum(g)
        error = sum((x - share * asked) ** 2 for x, asked in zip(own, g, strict=True)) ** 0.5 / sum(g)
        assert cell["joint"]["estimate"] == pytest.approx(share, abs=1e-9)
        assert cell["standard_errors"]["population"] == pytest.approx(error, rel=1e-8)


IN_R = """source("likelihood.R")
tables <- list(read_microdata("microdata.csv"), read_codebook("codebook.json"))
cat(tryCatch(cross(tables[[1]], tables[[2]], "often", "sex"), error = conditionMessage), "\n")
cat(tryCatch(sample_of(tables[[1]], tables[[2]], c("often", "sex")), error = conditionMessage), "\n")
"""
FILLERS = "not everyone was asked all of these, so fillers would count as answers"
MODEL = {"model": "logistic", "outcome": "sex", "covariates": [{"key": "often"}]}


def run(folder, *command):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_no_program_of_the_files_counts_fillers_as_answers(by_sex, tmp_path):
    folder = unpack(exported(by_sex), tmp_path)
    assert run(folder, "Rscript", "--vanilla", "-e", IN_R).stdout.count(FILLERS) == 2
    (folder / "regression.json").write_text(json.dumps({"model": MODEL, "format": 4, "confidences": [0.95]}))
    for program in ([sys.executable, "-I", "models.py"], ["Rscript", "--vanilla", "models.R"]):
        refused = run(folder, *program, "microdata.csv", "codebook.json", "regression.json")
        assert refused.returncode == 1 and FILLERS in refused.stderr
    reports = ldp.read(folder / "microdata.csv", folder / "codebook.json")
    with pytest.raises(ValueError, match="not everyone was asked"):
        reports.sample("often", "sex")
    with pytest.raises(ValueError, match="only some people were asked"):
        reports.regression(MODEL)


@pytest.mark.parametrize("program", [[sys.executable, "-I", "recompute.py"], ["Rscript", "--vanilla", "recompute.R"]])
def test_the_results_of_a_routed_question_are_found_again(by_sex, tmp_path, program):
    folder = unpack(exported(by_sex), tmp_path)
    done = run(folder, *program, "microdata.csv", "codebook.json", "estimates.csv")
    assert done.returncode == 0, done.stderr


def test_no_model_takes_it_and_a_cross_table_is_named_in_its_place(by_sex):
    member_of_it = member(by_sex)
    query = {"model": json.dumps(MODEL)}
    refused = carrying(token(member_of_it)).get(f"/api/v1/surveys/{by_sex.slug}/releases/latest/regression", query)
    assert (refused.status_code, refused.json()["type"]) == (422, "/problems/regression_some_asked")
    assert "A cross-table describes the people who were asked." in refused.content.decode()
    client = Client()
    client.force_login(member_of_it)
    for analysis in (REGRESSIONS, RAKINGS, SUBGROUPS):
        page = client.get(reverse(f"release-{analysis.plural}", args=[by_sex.slug, 1])).content.decode()
        offered, _, others = page.partition("Not offered, because only some people were asked:")
        assert 'value="often"' not in offered and "as.often" not in offered, analysis.name
        assert "How often?" in others and "A cross-table describes the people who were asked." in others


def test_what_would_only_repeat_a_questions_own_results_is_refused_and_not_offered(by_sex):
    release = Release.objects.latest_of(by_sex)
    with pytest.raises(AnalysisRefused) as refused:
        requests.ask(CROSSINGS, None, release, CrossedQuestions("smokes", "often"))
    assert "gave the same answer to one of them" in CROSSINGS.refusal(refused.value)
    offered = [key for _text, members in partners(release, "often").choices for key, _name in members]
    assert offered == ["sex"]
    [(question, reason)] = partners(release, "often").refused
    assert question == "Do you smoke?" and "already describe these people" in reason


def test_questions_of_one_draw_are_crossed_among_those_who_were_asked_too(tmp_path):
    draft = drafted()
    for question in draft["questions"]:
        del question["alpha"], question["mechanism"]
    draft["draws"] = [{"alpha": "8", "questions": ["smokes", "often", "sex"]}]
    survey = reported(draft, [(0, 0, 0), (0, 2, 1), (1, 2, 0), (1, 2, 1)] * 100)
    document = crossed(survey, "often", "sex").document
    truths = {("never", "f"): 0.5, ("daily", "m"): 0.5}
    for cell in document["cells"]:
        truth = truths.get((cell["first"], cell["second"]), 0)
        assert cell["joint"]["estimate"] == pytest.approx(truth, abs=0.05)
    assert document["joint"] and document["asked"]["deciders"] == ["smokes"]
    assert sum(each["count"] for each in document["asked"]["reports"]) == 400
    said = page(survey, "often/sex/")
    assert OF_ASKED in said and "of products of scores" in said and "proved" not in said
    folder = unpack(exported(survey), tmp_path)
    assert ldp.read(folder / "microdata.csv", folder / "codebook.json").crossing("often", "sex") == document


def test_where_a_table_cannot_leave_out_who_was_not_asked_it_is_refused():
    """The option is one of two that lead on, so it cannot be crossed with the question they lead to."""
    draft = copy.deepcopy(support_routing.DRAFT)
    survey = closed(draft, 60)
    release = Release.objects.latest_of(survey)
    with pytest.raises(AnalysisRefused) as refused:
        requests.ask(CROSSINGS, None, release, CrossedQuestions("drinks.1", "where.1"))
    assert refused.value.reason == "asked"


def test_where_hardly_anyone_was_asked_there_is_no_table():
    survey = reported(drafted(), [(0, 0, 0)] + [(1, 2, 0), (1, 2, 1)] * 200)
    run = crossed(survey, "often", "sex")
    assert (run.state, run.reason, run.document) == (run.State.FAILED, run.Reason.FEW_ASKED, None)
    assert "too few people were asked both of these questions" in page(survey, "often/sex/")
