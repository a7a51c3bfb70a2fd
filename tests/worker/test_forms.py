"""Reports of a survey in forms. Each form's reports are counted exactly once and never alone (P5, P11). Every estimate
uses the people who were asked the question."""

import collections
from itertools import pairwise, product

import pytest
from django.utils import timezone

from ldp.forms import definition as definitions
from surveys.life.lifecycle import close_survey
from surveys.models import AnalysisRun, Block, Export, Release, Report, Survey, Tally
from surveys.researcher.analyses.crossings.analysis import CROSSINGS
from surveys.researcher.analyses.regressions.analysis import REGRESSIONS
from surveys.survey.definition.layout import layouts
from tests.support import forms
from tests.support.analyses import entered, made
from tests.support.estimates import document_of, released, work
from tests.support.factories import opened_survey
from tests.worker.test_batches import store
from worker import batches, blocks, exports, recount
from worker.block_merge import join

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
BATCH, LEAST = 100, 20


@pytest.fixture
def survey():
    return opened_survey(forms.DRAFT)


def listed(body, first, second):
    """Return the pairs of options that a report lists."""
    return product(body["answers"][first], body["answers"][second])


def counted_by_hand(bodies):
    """Return each form's expected tally, computed from the JSON of the reports."""

    def how_many(own, key, d):
        return [sum(value in body["answers"][key] for body in own) for value in range(d)]

    tallies = []
    for form in range(3):
        own = [body for body in bodies if body["form"] == form]
        region = {"region": {"support": how_many(own, "region", 3)}}
        pairs = collections.Counter(pair for body in own if form == 0 for pair in listed(body, "drugs", "age"))
        joint = {"drugs,age": {"support": [pairs[first, second] for first in range(2) for second in range(3)]}}
        health = (
            {key: {"support": how_many(own, key, d)} for key, d in (("health", 3), ("doctor", 2))} if form == 1 else {}
        )
        income = {"income": {"mean": [sum(body["answers"]["income"] == [1] for body in own)]}} if form == 2 else {}
        its = (joint, health, income)[form]
        tallies.append({"n": len(own), "totals": region | its if own else {}})
    return tallies


def of_form(bodies, form):
    return sum(body["form"] == form for body in bodies)


def finish(survey):
    close_survey(survey)
    while batches.take(survey):
        pass
    work(survey)


def test_every_report_is_counted_once_with_its_form(survey):
    bodies = store(survey, range(400))
    finish(survey)
    release = Release.objects.get(survey=survey)
    assert release.tallies == counted_by_hand(bodies) and release.n == 400 and not Report.objects.exists()
    sizes = collections.Counter()
    for form, n in Block.objects.values_list("form", "n"):
        sizes[form] += n
    assert sizes == {form: of_form(bodies, form) for form in range(3)}


def test_a_form_is_drawn_with_its_weight(survey):
    bodies = store(survey, range(4000))
    # 6 standard deviations: a false alarm once in 10^8 runs.
    assert all(abs(of_form(bodies, form) - 1000 * weight) < 190 for form, weight in enumerate((2, 1, 1)))


def test_a_batch_is_of_one_form_and_the_others_wait(survey):
    first = store(survey, range(BATCH), form=0)
    store(survey, range(1000, 1099), form=1)
    store(survey, range(2000, 2099), form=2)
    assert batches.take(survey) == BATCH and batches.take(survey) == 0
    tally = Tally.objects.get(survey=survey)
    assert [each["n"] for each in tally.held] == [BATCH, 0, 0] and tally.held == counted_by_hand(first)
    assert Report.objects.count() == 198


@pytest.mark.alike
@pytest.mark.parametrize("least", [LEAST, 150])
def test_no_two_looks_differ_by_fewer_than_a_batch_of_a_form(survey, settings, least):
    settings.RELEASE_LEAST = least
    looks, start = [[0, 0, 0]], 0
    for step in (150, 390, 810, 40, 760, 1500, 120):
        store(survey, range(start, start + step))
        start += step
        while batches.take(survey):
            pass
        work(survey)
        last = Release.objects.filter(survey=survey).order_by("number").last()
        looks.append([each["n"] for each in last.tallies] if last else looks[0])
    finish(survey)
    looks.append([each["n"] for each in Release.objects.get(survey=survey, final=True).tallies])
    assert sum(looks[-1]) == start and len({tuple(look) for look in looks}) > 4
    for before, after in pairwise(looks):
        # A form first shown at the end may have fewer reports than a batch.
        floors = [a + BATCH if a else least if after is looks[-1] else max(least, BATCH) for a in before]
        assert all(b == a or b >= floor for a, b, floor in zip(before, after, floors, strict=True)), looks


def test_a_form_that_few_people_draw_delays_no_release_of_the_others(survey, settings):
    settings.RELEASE_LEAST = 150
    for form, start in ((1, 0), (1, 1000), (0, 2000), (0, 3000), (0, 4000)):
        store(survey, range(start, start + BATCH), form=form)
        batches.take(survey)
        work(survey)
    assert [each["n"] for each in Release.objects.get(survey=survey).tallies] == [200, 0, 0]
    assert [each["n"] for each in Tally.objects.get(survey=survey).held] == [BATCH, 2 * BATCH, 0]


def test_a_form_with_too_few_reports_is_erased_and_the_others_are_published(survey):
    bodies = (
        store(survey, range(60), form=0)
        + store(survey, range(100, 119), form=1)
        + store(survey, range(200, 220), form=2)
    )
    finish(survey)
    release = Release.objects.get(survey=survey)
    assert [each["n"] for each in release.tallies] == [60, 0, 20] and release.n == 80
    assert release.tallies == counted_by_hand([body for body in bodies if body["form"] != 1])
    assert not Block.objects.filter(form=1).exists()
    assert set(release.counted) == {"region", "drugs", "age", "income"}
    assert {result["key"] for result in document_of(survey)["questions"]} == set(release.counted)
    assert Tally.objects.get(survey=survey).fewer_than is None


def test_a_survey_of_which_every_form_has_too_few_publishes_nothing(survey):
    for form in range(3):
        store(survey, range(100 * form, 100 * form + 19), form=form)
    finish(survey)
    assert not Release.objects.exists() and not Block.objects.exists()
    tally = Tally.objects.get(survey=survey)
    assert tally.fewer_than == 20 and tally.tallies == tally.held == [{"n": 0, "totals": {}}] * 3


def test_a_form_that_was_released_is_not_erased_where_the_sites_number_rises(survey, settings):
    store(survey, range(300), form=1)
    batches.take(survey)
    work(survey)
    assert Release.objects.get().tallies[1]["n"] == 200
    settings.RELEASE_LEAST = 500
    finish(survey)
    assert Release.objects.get(final=True).tallies[1]["n"] == 300


def test_each_questions_estimate_is_of_those_who_were_asked(survey):
    bodies = store(survey, range(800))
    finish(survey)
    release = Release.objects.get(survey=survey)
    numbers = {key: n for key, (_, _, n) in release.counted.items()}
    each = [of_form(bodies, form) for form in range(3)]
    assert numbers == {"region": 800, "drugs": each[0], "age": each[0]} | dict.fromkeys(
        ("health", "doctor"), each[1]
    ) | {"income": each[2]}
    published = {result["key"]: result for result in document_of(survey)["questions"]}
    assert {key: result["n_about"] for key, result in published.items()} == numbers
    assert published["drugs"]["alpha"] == published["age"]["alpha"] == "2"
    assert document_of(survey)["alpha_total"] == "3"
    # Everyone gives the first answer: 5 standard errors, a false alarm less than once in 10^5 runs.
    for key in ("drugs", "age", "health", "doctor"):
        first = published[key]["methods"][0]["categories"][0]
        assert abs(first["estimate"] - 1) < 5 * first["population"]["standard_error"] + 1e-9


def test_a_recount_equals_the_release_to_the_last_integer(survey):
    store(survey, range(400))
    finish(survey)
    request = recount.request(survey)
    for pk in recount.missing(request).values_list("pk", flat=True):
        recount.count_part(pk)
    assert recount.equal(request)
    part = request.parts.first()
    part.totals["region"]["support"][0] += 1
    part.save()
    assert not recount.equal(request)


def test_only_blocks_of_one_form_are_joined(survey):
    bodies = []
    for start in range(0, 4000, 400):
        bodies += store(survey, range(start, start + 400))
        while batches.take(survey):
            pass
    finish(survey)
    while join(survey):
        pass
    assert sorted(Block.objects.values_list("form", "n")) == [(form, of_form(bodies, form)) for form in range(3)]
    each = layouts(survey.definition)
    for form, columns in Block.objects.values_list("form", "columns"):
        rows = collections.Counter(bytes(row) for row in blocks.decode(bytes(columns)))
        assert rows == collections.Counter(each[form].pack(one["answers"]) for one in bodies if one["form"] == form)


@pytest.mark.parametrize(
    ("first", "second", "asked"),
    [("health", "doctor", {1}), ("region", "doctor", {1}), ("region", "drugs", {0}), ("region", "age", {0})],
)
def test_two_questions_are_crossed_over_the_reports_about_both(survey, first, second, asked):
    bodies = [body for body in store(survey, range(400)) if body["form"] in asked]
    finish(survey)
    release = Release.objects.get(survey=survey)
    assert definitions.questionnaire(survey.definition).reports_about(first, second) == asked
    row = made(entered(CROSSINGS, release, {"first": first, "second": second}))
    came = collections.Counter(pair for body in bodies for pair in listed(body, first, second))
    counts = row.document["counts"]
    assert counts[0][0] == len(bodies) == row.document["n_about"]
    assert {(i - 1, j - 1): counts[i][j] for i in range(1, len(counts)) for j in range(1, len(counts[0]))} == {
        (i, j): came[i, j] for i in range(len(counts) - 1) for j in range(len(counts[0]) - 1)
    }


def test_files_are_of_all_forms_or_are_not_made(survey):
    store(survey, range(400))
    finish(survey)
    release = Release.objects.get(survey=survey)
    Export.ask(release=release)
    export = Export.objects.get()
    exports.make(export.pk)
    export.refresh_from_db()
    assert (export.state, export.reason, export.written) == ("ready", "", 400)
    Block.objects.filter(form=2).delete()
    other = Release.objects.create(
        survey=survey,
        number=2,
        day=timezone.now().date(),
        final=True,
        n=release.n,
        tallies=release.tallies,
        document=release.document,
    )
    Export.ask(release=other)
    exports.make(Export.objects.get(release=other).pk)
    assert Export.objects.get(release=other).reason == Export.Reason.DIFFERS


def test_a_model_of_a_joint_form_is_computed_from_the_release_alone(survey):
    bodies = [body for body in store(survey, range(400)) if body["form"] == 0]
    finish(survey)
    release = Release.objects.get(survey=survey)
    Block.objects.filter(survey=survey).delete()  # its blocks are never read
    model = {"model": "logistic", "outcome": "drugs", "covariates": [{"key": "age"}]}
    row = made(entered(REGRESSIONS, release, model))
    assert row.state == "ready" and row.document["n_about"] == len(bodies)


def test_two_questions_of_a_joint_form_are_crossed_from_the_release_alone(survey):
    bodies = [body for body in store(survey, range(400)) if body["form"] == 0]
    finish(survey)
    release = Release.objects.get(survey=survey)
    Block.objects.filter(survey=survey).delete()  # its blocks are never read
    row = made(entered(CROSSINGS, release, {"first": "drugs", "second": "age"}))
    assert row.state == "ready" and row.document["n_about"] == len(bodies)
    assert row.document["joint"] and row.document["forms"] == [0]
    came = collections.Counter(pair for body in bodies for pair in listed(body, "drugs", "age"))
    assert [line[1:] for line in row.document["counts"][1:]] == [[came[j, k] for k in range(3)] for j in range(2)]
    assert row.document["cells"][0]["joint"]["estimate"] == pytest.approx(1, abs=0.5)


def test_a_form_without_reports_has_no_crossing(survey):
    store(survey, range(100), form=1)
    finish(survey)
    row = made(entered(CROSSINGS, Release.objects.get(survey=survey), {"first": "drugs", "second": "age"}))
    assert (row.state, row.reason) == ("failed", AnalysisRun.Reason.NOBODY)


def test_the_document_says_how_the_survey_was_split(survey):
    store(survey, range(400))
    finish(survey)
    document, release = document_of(survey), Release.objects.get(survey=survey)
    assert [form["n"] for form in document["forms"]] == [each["n"] for each in release.tallies]
    assert [form["alpha_total"] for form in document["forms"]] == ["3", "3", "3"] and document["alpha_total"] == "3"
    assert [form["joint"] for form in document["forms"]] == [True, False, False]
    assert [form["questions"] for form in document["forms"]] == [["drugs", "age"], ["health", "doctor"], ["income"]]
    assert [form["retention"]["expected"] for form in document["forms"]] == [200, 100, 100]
    assert document["efficiency"] is None  # no bound is known except for yes or no
    found = {result["key"]: (result.get("form"), result.get("joint")) for result in document["questions"]}
    assert found["region"] == (None, None) and found["age"] == (0, True) and found["doctor"] == (1, None)


def test_a_form_that_people_leave_is_named_once_the_survey_has_ended(survey):
    store(survey, range(1000), form=0)
    store(survey, range(1000, 1500), form=1)
    store(survey, range(2000, 2300), form=2)
    while batches.take(survey):
        pass
    work(survey)
    assert [form["retention"] for form in document_of(survey)["forms"]] == [None] * 3
    Survey.objects.update(closes_at=timezone.now())
    finish(survey)
    each = [form["retention"] for form in document_of(survey)["forms"]]
    assert [one["direction"] for one in each] == [1, 0, -1] or each[2]["direction"] == -1
    assert each[2]["p_value"] < 1e-6 and each[2]["ratio"][1] < 1 and 0.3 < each[2]["missing"] < 0.6


def test_the_document_of_a_survey_without_forms_says_nothing_of_them():
    assert "forms" not in document_of(released())
    assert not {"form", "joint"} & document_of(released())["questions"][0].keys()
