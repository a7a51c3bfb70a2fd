"""The published vectors are the product's draws. A client that shares no code with the product passes them."""

import json
import random

import pytest

from surveys.api.programs import respondent
from surveys.models import Report
from tests.documents import vectors
from tests.support import form_cases
from tests.support.factories import opened_survey

pytestmark = pytest.mark.django_db

FILE = json.loads(vectors.PATH.read_text(encoding="utf-8"))


def body_of(vector):
    """Return the second client's report of a vector. Check that it uses every word."""
    words = iter(vector["words"])
    definition = json.loads(FILE["definitions"][vector["digest"]])
    form = vector.get("form")
    made = respondent.make_report(definition, vector["digest"], vector["answers"], lambda: next(words), form)
    assert next(words, None) is None
    return made


def test_the_file_is_what_the_product_draws():
    assert vectors.PATH.read_text(encoding="utf-8") == vectors.text(), "python -m tests.documents.vectors"


@pytest.mark.parametrize("vector", FILE["vectors"], ids=lambda vector: vector["name"])
def test_the_second_client_makes_the_same_bytes(vector):
    assert body_of(vector) == vector["body"]


def test_another_order_of_the_words_is_seen():
    wrong = [each for each in FILE["vectors"] if "random" in each["name"]]
    for vector in wrong[:10]:
        turned = vector | {"words": vector["words"][4:] + vector["words"][:4]}
        assert body_of(turned) != vector["body"]


def test_its_reports_are_taken_by_the_site_whatever_form_is_drawn(client):
    survey, chosen = opened_survey(form_cases.DRAFT), random.Random(7)
    drawn = set()
    for _ in range(20):
        form = respondent.draw_form(survey.definition, lambda: chosen.getrandbits(32))
        answers = next(each for each in FILE["vectors"] if each["name"].startswith(f"cases {form},"))["answers"]
        words = respondent.system_words
        body = respondent.make_report(survey.definition, survey.digest, answers, words, form)
        sent = client.post(f"/api/v1/surveys/{survey.slug}/reports", body, content_type="application/json")
        assert sent.status_code == 201, sent.content
        drawn.add(form)
    assert drawn == {0, 1, 2} and Report.objects.count() == 20
