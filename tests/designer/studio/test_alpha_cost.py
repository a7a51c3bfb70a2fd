"""The page about alpha builds no more of a draft than a survey may cost, however many questions the draft has."""

from types import SimpleNamespace

import pytest

from surveys.designer.privacy import studio_question
from surveys.survey.definition import build_cache
from tests.support.builder import begun, signed_in

pytestmark = pytest.mark.django_db


def page(number, query, monkeypatch):
    """Return the page of a draft with that many means, each with its own large table, and how many means were built."""
    built = []

    def build(draft, *arguments):
        built.append((draft["key"], draft["alpha"]))
        assert len(set(built)) < 12, "more than a survey may cost are built"
        return build_cache.build(draft, *arguments)

    scale = {"kind": "mean", "text": "?", "low": "0", "high": "9"}
    questions = [scale | {"key": f"q{i}", "alpha": f"{15 + i / 1000:g}"} for i in range(number)]
    survey = begun({"title": "Large", "questions": questions})
    monkeypatch.setattr(studio_question, "build_cache", SimpleNamespace(build=build))
    response = signed_in().get(f"/surveys/{survey.pk}/alpha/{query}")
    monkeypatch.undo()
    return response, len(set(built))


@pytest.mark.parametrize("query", ["", "?plan=1&total=300"])
def test_ten_times_the_questions_are_no_more_work(monkeypatch, query):
    few, of_few = page(20, query, monkeypatch)
    many, of_many = page(200, query, monkeypatch)
    assert few.status_code == many.status_code == 200
    assert of_few == of_many <= 4
    assert query or "q199" in many.content.decode(), "all are listed"
