"""Every answer of the intake. Nothing is stored except acknowledged reports."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from surveys.life.lifecycle import close_survey, create_draft
from surveys.models import Report, ReportId, Survey
from surveys.survey.definition.layout import Layout, body_limit
from tests.support.factories import DRAFT, opened_survey, report
from tests.worker.test_batches import store
from worker import batches

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def send(survey, body, content_type="application/json", slug=None):
    url = f"/api/v1/surveys/{slug or survey.slug}/reports"
    return Client(raise_request_exception=True).post(url, body, content_type=content_type)


def refused(response, status, name, field=None):
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document = response.json()
    assert document["type"] == f"/problems/{name}" and document["status"] == status
    assert document["title"] and document["detail"]
    assert document.get("field") == field
    return document


def test_a_report_is_recorded_once_however_often_it_is_sent():
    survey = opened_survey()
    body = report(survey, 1)
    assert send(survey, body).status_code == 201
    for _ in range(3):
        assert send(survey, body).status_code == 200
    stored = Report.objects.get()
    assert (stored.survey, str(stored.id)) == (survey, json.loads(body)["report_id"])
    assert bytes(stored.packed) == Layout(survey.definition).pack(json.loads(body)["answers"])


def test_an_id_that_comes_back_with_other_bytes_is_known_and_changes_nothing():
    """The answer is the same before and after its batch is taken. A change would reveal when another person answers."""
    survey = opened_survey()
    first, second = json.loads(report(survey, 1)), json.loads(report(survey, 2))
    assert send(survey, json.dumps(first)).status_code == 201
    before = send(survey, json.dumps(second | {"report_id": first["report_id"]}))
    assert bytes(Report.objects.get().packed) == Layout(survey.definition).pack(first["answers"])
    store(survey, range(10, 110))
    assert batches.take(survey) == 101
    after = send(survey, json.dumps(second | {"report_id": first["report_id"]}))
    assert (before.status_code, before.content) == (after.status_code, after.content) and before.status_code == 200


def test_an_id_is_one_of_its_survey():
    one, other = opened_survey(), opened_survey()
    assert one.digest == other.digest
    body = report(one, 1)
    assert [send(survey, body).status_code for survey in (one, other, one, other)] == [201, 201, 200, 200]
    assert Report.objects.count() == 2


def test_of_a_taken_report_only_the_id_is_known():
    survey = opened_survey()
    first, second = json.loads(report(survey, 1)), json.loads(report(survey, 2))
    store(survey, range(1, 150))
    assert batches.take(survey) == 149
    assert send(survey, json.dumps(first)).status_code == 200
    assert send(survey, json.dumps(second | {"report_id": first["report_id"]})).status_code == 200
    assert not Report.objects.exists() and ReportId.objects.count() == 149


def test_a_report_made_for_another_definition_is_refused():
    survey = opened_survey()
    body = json.loads(report(survey, 1)) | {"digest": "0" * 64}
    refused(send(survey, json.dumps(body)), 409, "other-definition", "digest")
    assert not Report.objects.exists()


def test_a_closed_survey_takes_nothing_new_but_confirms_what_it_has():
    survey = opened_survey()
    body = report(survey, 1)
    assert send(survey, body).status_code == 201
    close_survey(survey)
    assert send(survey, body).status_code == 200
    refused(send(survey, report(survey, 2)), 410, "closed")
    assert Report.objects.count() == 1


def test_a_late_report_is_refused_before_the_worker_has_closed_the_survey():
    survey = opened_survey(closes_at=timezone.now() + timedelta(hours=1))
    assert send(survey, report(survey, 1)).status_code == 201
    Survey.objects.update(closes_at=timezone.now() - timedelta(milliseconds=1))
    refused(send(survey, report(survey, 2)), 410, "closed")


def test_drafts_and_unknown_surveys_look_the_same():
    survey = create_draft(DRAFT)
    unknown = refused(send(None, "{}", slug="A" * 22), 404, "unknown-survey")
    Survey.objects.filter(pk=survey.pk).update(slug="B" * 22)
    assert refused(send(None, "{}", slug="B" * 22), 404, "unknown-survey") == unknown


def test_other_methods_are_refused():
    survey = opened_survey()
    for method in ("get", "put", "patch", "delete"):
        response = getattr(Client(), method)(f"/api/v1/surveys/{survey.slug}/reports")
        refused(response, 405, "method")
        assert response["Allow"] == "POST"


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""]
)
def test_other_content_types_are_refused(content_type):
    survey = opened_survey()
    refused(send(survey, report(survey, 1), content_type), 415, "content-type")


def test_a_body_longer_than_any_report_is_refused():
    survey = opened_survey()
    limit = body_limit(Layout(survey.definition))
    padded = report(survey, 1) + " " * limit
    assert send(survey, padded[:limit]).status_code == 201
    refused(send(survey, padded[: limit + 1]), 413, "too-large")


def test_the_longest_possible_report_is_not_too_large():
    survey = opened_survey()
    body = json.loads(report(survey, 1))
    digits = len(survey.questions[2]["table"]["magnitude"])
    body["answers"]["many"] = [1 - 2**digits] * 3
    spaced = json.dumps(body, indent=4)
    assert len(spaced) <= body_limit(Layout(survey.definition))
    assert send(survey, spaced).status_code == 201


MALFORMED = {
    "not JSON": ("body", lambda body: "{"),
    "not UTF-8": ("body", lambda body: b'{"report_id": "\xff"}'),
    **{
        encoding: ("body", lambda body, encoding=encoding: json.dumps(body).encode(encoding))
        for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")
    },
    "a surrogate": ("body", lambda body: json.dumps(body).encode()[:-1] + b',"\xed\xa0\x80":0}'),
    "cut short": ("body", lambda body: json.dumps(body)[:-1]),
    "a list": ("body", lambda body: "[]"),
    "null": ("body", lambda body: "null"),
    "NaN": ("body", lambda body: json.dumps(body).replace('"yes": ', '"yes": NaN, "no": ')),
    "a fraction": ("body", lambda body: json.dumps(body).replace('"yes": ', '"yes": 0.5, "no": ')),
    "an exponent": ("body", lambda body: json.dumps(body).replace('"yes": ', '"yes": 1e0, "no": ')),
    "a name twice": ("body", lambda body: json.dumps(body).replace('"yes": ', '"yes": 0, "yes": ')),
    "too deep": ("body", lambda body: "[" * 600),
    "a field missing": ("body", lambda body: {k: v for k, v in body.items() if k != "digest"}),
    "a field more": ("body", lambda body: body | {"comment": "hello"}),
    "an id in capitals": ("report_id", lambda body: body | {"report_id": body["report_id"].upper()}),
    "an id that is not random": (
        "report_id",
        lambda body: body | {"report_id": "00000000-0000-1000-8000-000000000000"},
    ),
    "an id that is a number": ("report_id", lambda body: body | {"report_id": 5}),
    "a short digest": ("digest", lambda body: body | {"digest": "abc"}),
    "answers as a list": ("answers", lambda body: body | {"answers": []}),
    "a question missing": ("answers", lambda body: body | {"answers": {"yes": [0]}}),
    "a question more": ("answers", lambda body: body | {"answers": body["answers"] | {"other": [0]}}),
}
VALUES = {
    "yes": [[2], [-1], [True], ["0"], [None], [[0]], [10**30], [], [0, 0], [0, 1], 0, "0", None, {}],
    "which": ["", "010", "01012", "0 10", "010x", "١٠١٠", 101, ["0", "1", "0", "1"], None, "+101", "1_01"],
    "many": [[1, 2], [1, 2, 3, 4], "123", [1, 2, None], [1, 2, "3"], [True, 1, 2], [10**30, 0, 0], [0, 0, -(10**6)], 5],
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_report_is_refused_by_field(name):
    survey = opened_survey()
    field, change = MALFORMED[name]
    body = change(json.loads(report(survey, 1)))
    document = refused(
        send(survey, json.dumps(body) if isinstance(body, dict) else body), 422, "malformed-report", field
    )
    assert json.loads(report(survey, 1))["report_id"] not in str(document)
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in VALUES.items() for value in values], ids=repr
)
def test_a_value_outside_the_mechanisms_reports_is_refused(key, value):
    survey = opened_survey()
    body = json.loads(report(survey, 1))
    body["answers"][key] = value
    refused(send(survey, json.dumps(body)), 422, "malformed-report", f"answers.{key}")
    assert not Report.objects.exists()


# Arbitrary bodies: JSON of every shape, and real reports with one part replaced ---------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.statistical
@pytest.mark.alike
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_body_makes_an_error_or_a_row(nightly):
    chosen = settings(max_examples=1000 if nightly else 150)
    chosen(given(data=st.data())(_no_error_and_no_row))()


def _no_error_and_no_row(data):
    survey = Survey.objects.filter(state="open").first() or opened_survey()
    body = json.loads(report(survey, 1))
    part = data.draw(st.sampled_from(["bytes", "json", "report_id", "digest", "answers", "yes", "which", "many"]))
    if part == "bytes":
        sent = data.draw(st.binary(max_size=300))
    elif part == "json":
        sent = json.dumps(data.draw(JSON))
    elif part in body:
        sent = json.dumps(body | {part: data.draw(JSON)})
    else:
        value = data.draw(JSON.filter(lambda value: not _fits(part, value)))
        sent = json.dumps(body | {"answers": body["answers"] | {part: value}})
    response = send(survey, sent)
    assert 400 <= response.status_code < 500
    assert not Report.objects.exists()


def _fits(key, value):
    if key == "yes":
        return type(value) is int and value in (0, 1)
    if key == "which":
        return isinstance(value, str) and len(value) == 4 and set(value) <= {"0", "1"}
    return isinstance(value, list) and len(value) == 3 and all(type(v) is int for v in value)
