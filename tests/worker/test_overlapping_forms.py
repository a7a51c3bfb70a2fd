"""A question in several forms, from the intake to the results (M45). Its reports are counted form by form, and the
results are pooled."""

import collections
import itertools
import json
from fractions import Fraction

import pytest
from django.test import Client

import ldp
from ldp import pooled_scores
from ldp.forms import definition as definitions
from ldp.forms import results
from ldp.forms.pooled_cells import PooledCells
from ldp.inference.variables import NotCrossed, of_all, variable
from ldp.scores import indicator
from surveys.life.lifecycle import close_survey
from surveys.models import AnalysisRun, Release, Report
from surveys.researcher.analyses.crossings import pairs
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.frame.inputs import AnalysisRefused
from surveys.researcher.analyses.raking.analysis import RAKINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.researcher.analyses.subgroups.analysis import SUBGROUPS
from tests.support import overlapping
from tests.support.analyses import entered, made
from tests.support.estimates import document_of, work
from tests.support.exports import exported, unpack
from tests.support.factories import report
from worker import batches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def test_the_definition_is_one_that_may_be_asked():
    made = overlapping.definition()
    definitions.check(made)
    from surveys.survey.definition.certificate import canonical, certified

    assert certified(canonical(made))


def test_the_intake_takes_a_report_of_each_form_and_no_question_of_another():
    survey = overlapping.opened()
    for form in range(3):
        body = report(survey, f"own {form}", form, **overlapping.person(form))
        assert Client().post(f"/api/v1/surveys/{survey.slug}/reports", body, "application/json").status_code == 201
        other = json.loads(body) | {"form": (form + 1) % 3}
        answer = Client().post(f"/api/v1/surveys/{survey.slug}/reports", json.dumps(other), "application/json")
        assert answer.status_code == 422
    assert sorted(Report.objects.values_list("form", flat=True)) == [0, 1, 2]


def test_shares_are_those_of_all_forms_together():
    survey = overlapping.opened()
    bodies = overlapping.store(survey, 1500)
    close_survey(survey)
    while batches.take(survey):
        pass
    work(survey)
    found = {result["key"]: result for result in document_of(survey)["questions"]}
    n = collections.Counter(body["form"] for body in bodies)
    assert found["region"]["n_about"] == 1500 and found["region"]["alpha"] == "1"
    for key, forms in (("smokes", (0, 1)), ("often", (0, 2)), ("mood", (1, 2))):
        result = found[key]
        assert result["n_about"] == sum(n[form] for form in forms) and "alpha" not in result
        assert [(each["form"], each["n"], each["alpha"]) for each in result["asked"]] == [
            (form, n[form], overlapping.FORMS[form][3]) for form in forms
        ]
        by_hand = _pooled_by_hand(survey.definition, bodies, key, forms)
        categories = result["methods"][0]["categories"]
        assert [each["estimate"] for each in categories] == pytest.approx(by_hand, abs=1e-12)
        # 9 intervals at .95, each missing with a chance of .05 at most: this seed's miss none by 2 widths.
        for category, share in zip(categories, overlapping.TRUTH[key], strict=True):
            low, high = category["population"]["interval"]
            assert 1.5 * low - 0.5 * high <= share <= 1.5 * high - 0.5 * low


def _pooled_by_hand(definition, bodies, key, forms):
    """Return the pooled result, computed from the JSON of the reports."""
    d, asked = len(overlapping.QUESTIONS[key]), []
    for form in forms:
        [draw] = definition["forms"][form]["draws"]
        p, q = _chances(draw, key)
        own, gap = [body["answers"][key] for body in bodies if body["form"] == form], p - q
        pi = q + gap / d
        asked.append((len(own), q, gap, gap / (pi * (1 - pi)), [sum(k in each for each in own) for k in range(d)]))
    scores = pooled_scores.whole_multiples([best for *_, best, _ in asked])
    whole = sum(n * c * gap for (n, _, gap, _, _), c in zip(asked, scores, strict=True))
    return [
        sum(c * (counts[k] - n * q) for (n, q, _, _, counts), c in zip(asked, scores, strict=True)) / whole
        for k in range(d)
    ]


def test_a_release_says_whether_the_forms_of_a_question_agree():
    survey = overlapping.released(1200)
    document = document_of(survey)
    assert [(each["question"], each["forms"]) for each in document["agreement"]] == [
        ("smokes", [0, 1]),
        ("often", [0, 2]),
        ("mood", [1, 2]),
    ]
    # A false alarm once in 3,000 seeds.
    assert all(each["p_value"] > 1e-4 for each in document["agreement"])
    assert [each["degrees"] for each in document["agreement"]] == [1, 3, 2]


def test_every_pair_is_crossed_from_the_tally_of_its_form_without_a_report(monkeypatch):
    survey = overlapping.released(1500)
    release = Release.objects.get(survey=survey)
    monkeypatch.setattr("worker.released_reports.released", None)  # no block is read
    for form, (first, second) in enumerate((("smokes", "often"), ("smokes", "mood"), ("often", "mood"))):
        run = made(entered(CROSSINGS, release, {"first": first, "second": second}))
        assert run.state == AnalysisRun.State.READY
        assert run.document["n_about"] == release.tallies[form]["n"] and run.document["forms"] == [form]
        assert run.document["joint"] and "alpha" in run.document["first"]


def test_what_everyone_is_asked_is_crossed_with_what_forms_randomize_in_different_ways():
    """Both forms' blocks are read and pooled. The cells follow from the published document too."""
    survey = overlapping.opened()
    bodies = overlapping.store(survey, 1200)
    close_survey(survey)
    work(survey)
    release = Release.objects.get(survey=survey)
    run = made(entered(CROSSINGS, release, {"first": "region", "second": "smokes"}))
    document = run.document
    n = collections.Counter(body["form"] for body in bodies)
    assert document["n_about"] == n[0] + n[1] and not document["joint"] and "forms" not in document
    assert document["second"]["alphas"] == ["2", "2"] and document["first"]["alpha"] == "1"
    assert [each["forms"] for each in document["channels"]] == [[0], [1]]
    assert [each["counts"][0][0] for each in document["channels"]] == [n[0], n[1]]
    assert document["independence"] is not None and document["cells"][0]["p_value"] is None
    by_hand = _cells_by_hand(survey.definition, bodies)
    assert [cell["joint"]["estimate"] for cell in document["cells"]] == pytest.approx(by_hand, abs=1e-12)
    again = pairs.rebuilt(release, pairs.ordered(release, "region", "smokes"), document)
    assert again.joint.ravel().tolist() == [cell["joint"]["estimate"] for cell in document["cells"]]
    sentences = CROSSINGS.published(document)["reasons"]
    assert sentences["cells"].startswith("Several forms ask both questions") and sentences["independence"] is None


def test_a_notebook_crosses_them_from_the_published_reports_alike(tmp_path):
    survey = overlapping.released(900)
    run = made(entered(CROSSINGS, Release.objects.get(survey=survey), {"first": "region", "second": "smokes"}))
    unpacked = unpack(exported(survey), tmp_path)
    reports = ldp.read(unpacked / "microdata.csv", unpacked / "codebook.json")
    document = json.loads(json.dumps(reports.crossing("region", "smokes")))
    for name in ("n_about", "channels", "cells", "independence", "outlook"):
        assert document[name] == run.document[name]
    groups = reports.weighted("region", "smokes", [0.25, 0.75])
    assert sum(each["estimate"] for each in groups) == pytest.approx(1)


def _cells_by_hand(definition, bodies):
    """Compute the cells from the JSON of the reports: first each form alone, then the mean with the tables' weights."""
    [everyone], forms = definition["draws"], []
    for form in (0, 1):
        [draw] = definition["forms"][form]["draws"]
        (p, q), (r, s) = _chances(everyone, "region"), _chances(draw, "smokes")
        own = [body["answers"] for body in bodies if body["form"] == form]
        scores = [
            sum(((j in _listed(each["region"])) - q) * ((k in _listed(each["smokes"])) - s) for each in own)
            / (p - q)
            / (r - s)
            for j, k in itertools.product(range(3), range(2))
        ]
        v, w = ((mean := low + (high - low) / d) * (1 - mean) / (high - low) ** 2 for high, low, d in
                ((p, q, 3), (r, s, 2)))  # fmt: skip
        forms.append((len(own), 1 / (v * w + v / 4 + w / 9), scores))
    weights = pooled_scores.whole_multiples([Fraction(information) for _, information, _ in forms])
    whole = sum(weight * n for weight, (n, *_) in zip(weights, forms, strict=True))
    return [
        sum(weight * scores[cell] for weight, (*_, scores) in zip(weights, forms, strict=True)) / whole
        for cell in range(6)
    ]


def _chances(draw, key):
    """Return the chances that an option is listed: one that is the answer, and one that is not."""
    lam, d = draw["table"]["keep"] / 2**53, len(overlapping.QUESTIONS[key])
    a = draw["table"]["sizes"][draw["questions"].index(key)]
    return lam + (1 - lam) * a / d, lam * (a - 1) / (d - 1) + (1 - lam) * a / d


def _listed(answer):
    return answer if isinstance(answer, list) else [answer]


def test_the_page_of_such_a_table_and_its_weights_are_made():
    survey = overlapping.released(1500, results_public=True)
    release = Release.objects.get(survey=survey)
    made(entered(CROSSINGS, release, {"first": "region", "second": "smokes"}))
    made(entered(SUBGROUPS, release, {"stratum": "smokes"}))
    root = f"/r/{survey.slug}/{release.number}"
    page = Client().get(f"{root}/cross/region/smokes/").content.decode()
    assert "Several forms ask both questions and randomize them in different ways" in page
    assert "for the population and for those who were asked both." in page
    assert "would show 10 points with the same chance" in page or "are related: that is" in page
    weights = Client().get(f"{root}/cross/region/smokes/weighted/?by=smokes&share_1=25&share_2=75")
    assert weights.status_code == 200 and "Weighted and unweighted shares" in weights.content.decode()
    groups = Client().get(f"{root}/subgroups/smokes/").content.decode()
    assert all(f'id="by-{key}"' in groups for key in ("region", "often", "mood"))
    token = f"/api/v1/surveys/{survey.slug}/releases/{release.number}/crossings/region/smokes"
    weighted = Client().get(f"{token}/weighted?by=smokes&shares=25,75").json()
    assert [each["option"] for each in weighted["shares"]] == ["north", "south", "east"]
    assert sum(each["estimate"] for each in weighted["shares"]) == pytest.approx(1)


def test_models_of_what_forms_randomize_in_different_ways_are_refused():
    survey = overlapping.released(600)
    release = Release.objects.get(survey=survey)
    for covariates, reason in ((["region"], "channels"), (["often", "mood"], "forms")):
        model = {"model": "logistic", "outcome": "smokes", "covariates": [{"key": key} for key in covariates]}
        with pytest.raises(AnalysisRefused) as refused:
            REGRESSIONS.check(release, REGRESSIONS.from_json(model))
        assert refused.value.reason == reason


def test_weighting_by_two_questions_says_which_questions_one_form_would_have_to_ask():
    release = Release.objects.get(survey=overlapping.released(600))
    for known, reason, sentence in (
        ({"region": 3, "often": 4}, None, ""),
        ({"mood": 3, "often": 4}, "forms", "no form asks them together"),
    ):
        margins = [{"key": key, "shares": [1 / d] * d} for key, d in known.items()]
        specification = RAKINGS.from_json({"question": "smokes", "margins": margins})
        if reason is None:
            assert [each.key for each in RAKINGS.check(release, specification)] == [*known, "smokes"]
            continue
        with pytest.raises(AnalysisRefused) as refused:
            RAKINGS.check(release, specification)
        assert refused.value.reason == reason and sentence in RAKINGS.refusals[reason]
    both = overlapping.definition()
    both["forms"][1]["draws"] = [overlapping.drawn(("smokes", "often"), (1, 1), "3")]
    questions = results.report.alone(both)
    with pytest.raises(NotCrossed, match="in different ways"):
        of_all([variable(questions, key) for key in ("region", "smokes", "often")])


def test_subgroups_show_all_that_some_form_asks_beside_the_stratum():
    survey = overlapping.released(2500)
    release = Release.objects.get(survey=survey)
    for stratum, others in (("smokes", ["region", "often", "mood"]), ("often", ["region", "smokes", "mood"])):
        run = made(entered(SUBGROUPS, release, {"stratum": stratum}))
        assert [each["key"] for each in run.document["questions"]] == others and run.document["left_out"] == []
        assert [each["joint"] for each in run.document["questions"]] == [False, True, True]
        assert run.document["questions"][0]["shares"][0]["differences"]


def test_two_forms_that_ask_the_same_two_are_pooled_cell_by_cell():
    """Two forms ask one pair with different alphas."""
    made = overlapping.definition()
    made["forms"][1]["draws"] = [overlapping.drawn(("smokes", "often"), (1, 1), "3")]
    made["forms"][2]["draws"] = [overlapping.drawn(("mood",), (1,), "1")]
    definitions.check(made)
    own = [
        results.FormTally(40, ({"support": [20, 10, 10]}, {"support": [10, 10, 10, 10, 10, 10, 10, 10]})),
        results.FormTally(30, ({"support": [10, 10, 10]}, {"support": [5, 5, 5, 5, 4, 2, 2, 2]})),
        results.FormTally(0, ()),
    ]
    from ldp.forms import report as reports
    from ldp.inference.variables import pair_of

    pair = pair_of(reports.alone(made), "smokes", "often")
    found = results.crossing(made, own, *pair)
    assert isinstance(found, PooledCells) and found.n == 70
    assert found.joint.sum() == pytest.approx(1)
    assert [part.pair.sizes for part in found.parts] == [(1, 2), (1, 1)]
    with pytest.raises(NotCrossed):
        pair_of(reports.alone(made), "smokes", "mood")


def test_the_scores_of_forms_are_those_of_their_chances():
    """Each form's score has the law of the channel in its table."""
    made = overlapping.definition()
    [question] = [each for each in results.report.alone(made) if each["key"] == "often"]
    from ldp.mechanisms import of, randomized_response

    moments = of(question).default()[1]
    assert [part.moments for part in moments.parts] == [
        indicator(*randomized_response.chances(each["table"], 4)) for each in question["asked"]
    ]
