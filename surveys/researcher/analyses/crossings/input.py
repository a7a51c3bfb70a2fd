"""The choice of two questions to cross."""

from django.http import QueryDict

from surveys.models import Release
from surveys.researcher.analyses.crossings.pairs import CrossedQuestions, partners
from surveys.researcher.analyses.frame.inputs import AnalysisInput, Choices, grouped


class PairInput(AnalysisInput[CrossedQuestions]):
    """`choices` for the first, `partners` for the second; in a survey in forms `apart` are the texts of the questions
    that nobody was asked beside the first."""

    def __init__(self, release: Release, data: QueryDict, sent: bool) -> None:
        self.choices = grouped(release.counted_questions)
        self.first = data.get("first", "") if sent else _first(self.choices, data.get("first"))
        self.partners, self.apart = partners(release, self.first)
        self.second = data.get("second", "") if sent else _second(self.partners, self.first)
        self.alone = len(_keys(self.partners)) < 2

    def specification(self) -> CrossedQuestions:
        return CrossedQuestions(self.first, self.second)


def _keys(choices: Choices) -> list[str]:
    return [key for _, members in choices for key, _ in members]


def _first(choices: Choices, wanted: str | None) -> str:
    keys = _keys(choices)
    return next((key for key in keys if wanted in (key, key.partition(".")[0])), keys[0] if keys else "")


def _second(choices: Choices, first: str) -> str:
    """The first variable of another question; empty where there is none."""
    return next((key for key in _keys(choices) if key.partition(".")[0] != first.partition(".")[0]), "")
