"""The differences between versions of a release's questions as rows, at each confidence."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal, TypedDict

from django.utils.translation import gettext_lazy as _

from ldp.confidences import CONFIDENCES
from ldp.tidy import Row
from surveys.models import Release
from surveys.researcher.analyses.frame.comparison import TOLD_APART, row, with_reason
from surveys.researcher.analyses.frame.derived import ReleaseName
from surveys.researcher.analyses.versions.arms import Arms, arms
from surveys.researcher.sheets import common_columns as common
from surveys.researcher.sheets.column import Column, columns_of_type

QUESTIONS_KEPT = 128


class ComparedVersions(TypedDict):
    """The difference of an answer, of an item's answer, or of a mean, between two versions of a question."""

    question: Annotated[str, "The key of one version; for an item of a grid followed by a dot and its place."]
    text: str
    kind: str
    n_about: int
    option: str
    other_question: Annotated[str, "The key of the other version."]
    other_option: str
    difference: Annotated[
        float,
        "Of shares, as a fraction of 1, or of means, in their unit: the first less the other, among those who were "
        "asked the question.",
    ]
    confidence: float
    together: Annotated[int, "How many differences between versions of the question hold at once."]
    simultaneous_low: float
    simultaneous_high: float
    told_apart: Annotated[bool, "Whether the difference is shown, all of them taken together."]
    p_value: Annotated[float | None, "Exact and two-sided, for this difference alone."]
    corrected_p_value: Annotated[float | None, "The same by Holm for all differences between the versions."]
    every_release: bool
    guarantee: Literal["proved", "checked"]
    reason: Annotated[str | None, "Why there is no p-value."]


class VersionsDocument(ReleaseName):
    versions: list[ComparedVersions]


OTHER_VERSION = Column("other_question", "text", _("Other version"))
COLUMNS = (
    *common.HEADER,
    *columns_of_type(
        ComparedVersions,
        (
            *(common.QUESTION, common.TEXT, common.KIND, common.OPTION, OTHER_VERSION, common.OTHER_OPTION),
            common.N_ABOUT.meaning_here("The reports about the first version."),
            *(common.DIFFERENCE, common.CONFIDENCE, common.TOGETHER),
            common.SIMULTANEOUS_LOW.meaning_here("Lower end of the interval that holds at once with those of all."),
            *(common.SIMULTANEOUS_HIGH, TOLD_APART, common.P_VALUE, common.CORRECTED_P_VALUE),
            *(common.EVERY_RELEASE, common.GUARANTEE, common.REASON),
        ),
    ),
)


def rows(release: Release, language: str = "en") -> Iterator[Row]:
    """Yield the rows by COLUMNS, without the release's columns. Reasons are in `language`."""
    with_versions = {question["arm_of"] for question in release.survey.questions if "arm_of" in question}
    for key in (question["key"] for question in release.survey.questions if question["key"] in with_versions):
        for difference in _of_question(release.survey.slug or "", release.number, key):
            yield with_reason(difference, language)


@lru_cache(maxsize=QUESTIONS_KEPT)
def _of_question(slug: str, number: int, key: str) -> tuple[Row, ...]:
    """Return the differences between versions. `key` is the first version's."""
    every = (arms(slug, number, key, confidence) for confidence in CONFIDENCES)
    return tuple(row for compared in every if compared for row in _rows(compared))


def _rows(compared: Arms) -> Iterator[Row]:
    for place, one in compared.differences:
        here, there = compared.part(place.one, place.item), compared.part(place.other, place.item)
        options = [part.question.get("options", ["mean"])[place.option] for part in (here, there)]
        yield row(one, compared.scale) | {
            "question": here.key,
            "text": here.question["text"],
            "kind": here.kind,
            "n_about": here.n_about,
            "option": options[0],
            "other_question": there.key,
            "other_option": options[1],
            "confidence": compared.confidence,
            "together": len(compared.differences),
            "every_release": compared.watched,
            "guarantee": compared.guarantee(place),
        }
