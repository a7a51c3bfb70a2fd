"""The types of the studio's API for a draft before it opens: its preview, test answers and a trial run."""

from typing import Annotated, Any, TypedDict

from surveys.api.documents import like
from surveys.api.studio.documents import HEX, TIME, Draft


class MinutesDocument(TypedDict):
    low: Annotated[int, "Of the shortest form.", like(3)]
    high: Annotated[int, "Of the longest form; the same where there are none.", like(3)]
    rate: Annotated[int, "Words a minute at which the rest is read.", like(228)]


class LevelDocument(TypedDict):
    years: Annotated[int, "Years of school, from 4 to 15.", like(9)]
    formula: Annotated[str, "Its source.", like("Coleman & Liau 1975")]
    words: Annotated[int, "On which it is based.", like(240)]
    longest: Annotated[str, "The longest sentence, where it is worth a look.", like("")]


class EffortDocument(TypedDict):
    """What it asks of those who answer, by rules of thumb (docs/drafts.md)."""

    minutes: Annotated[MinutesDocument | None, "Null where words are not set apart by spaces."]
    level: Annotated[LevelDocument | None, "Null where the language has no formula here, and of fewer than 100 words."]


class PreviewDocument(TypedDict):
    """A draft as respondents would be asked, as far as it is complete."""

    definition: Annotated[
        dict[str, Any] | None,
        "As /api/v1/schema describes one, with alpha 1 where none is chosen yet; null where nothing can be asked.",
        like(None),
    ]
    digest: Annotated[str | None, "Of the definition’s canonical bytes; null where there is none.", HEX]
    incomplete: Annotated[list[str], "What is left out: questions by their text or place.", like(["Question 2"])]
    undecided: Annotated[int, "Questions without an alpha.", like(0)]
    effort: Annotated[EffortDocument | None, "Null where nothing can be asked."]


class NewTestAnswer(TypedDict):
    report: Annotated[
        Draft,
        "A report of the draft as /preview has it, with “test-” before its digest, as the studio’s own page sends it.",
        like(
            {
                "report_id": "0b9a7a2e-6c1e-4d0a-9d0c-0e6a2a8f7b11",
                "digest": "test-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                "answers": {"by_bike": 0},
            }
        ),
    ]


class TestAnswerLine(TypedDict):
    """What a test answer says of a question."""

    key: Annotated[str, like("by_bike")]
    question: Annotated[str, like("Do you go by bike?")]
    title: Annotated[str, "What the items are, where there may be several.", like("")]
    items: Annotated[list[str], like(["Yes"])]


class TestAnswer(TypedDict):
    """A report that a designer has sent of the draft: kept apart, and never counted."""

    number: Annotated[int, like(3)]
    at: Annotated[str, "The minute in which it came.", TIME]
    report: Annotated[Draft, "As it was sent.", like({"answers": {"by_bike": 0}})]
    says: list[TestAnswerLine]


class TestAnswersDocument(TypedDict):
    items: Annotated[list[TestAnswer], "The newest first."]


class TrialRow(TypedDict):
    """An answer of a question, or a mean."""

    key: Annotated[str, "The question’s; of an item of a grid followed by a dot and its place.", like("by_bike")]
    option: Annotated[str, "For a mean: mean.", like("Yes")]
    invented: Annotated[float, "The share from which people were drawn, as a fraction of 1; a mean in its unit."]
    estimate: Annotated[float, "Unbiased, so possibly impossible."]
    low: Annotated[float, "The interval that holds at once with those of all answers to the question."]
    high: float


class TrialDocument(TypedDict):
    """What came of invented people, through the real mechanisms and estimates. It is no result of a survey."""

    people: Annotated[int, "How many were invented.", like(1000)]
    seed: Annotated[int, "The same gives the same people.", like(1)]
    items: list[TrialRow]
