"""The types of the document of waves. The API's description is generated from them."""

from typing import Annotated, TypedDict


class WaveName(TypedDict):
    """A wave's newest release, or the requested one."""

    survey: Annotated[str, "Its slug."]
    release: int


class WaveShare(TypedDict):
    """An answer in one wave: a fraction, or a mean in its unit. Changes are None in the first wave that asked."""

    question: str
    text: Annotated[str, "As that wave asked it."]
    reworded: Annotated[
        bool,
        "Whether that wave showed other texts with it than the last: its own, a note, its section's, its answers'.",
    ]
    other_pictures: Annotated[bool, "Whether that wave showed other pictures with it than the last, or none."]
    kind: str
    item: Annotated[str | None, "Of a grid."]
    option: str
    wave: Annotated[int, "Its place among the waves, from 1 on.", {"minimum": 1}]
    survey: str
    release: int
    n_about: Annotated[int, "Its reports about this answer."]
    of_asked: Annotated[
        bool, "Whether the numbers describe only the people who were asked a question not for everyone."
    ]
    confidence: float
    together: Annotated[int, "How many intervals of shares hold at once."]
    compared: Annotated[int, "How many intervals of changes hold at once."]
    estimate: float
    simultaneous_low: float
    simultaneous_high: float
    change: Annotated[float | None, "Since the wave before that asked."]
    change_low: float | None
    change_high: float | None
    changed: Annotated[bool | None, "Whether the interval of the change does not contain 0."]
    since_first: Annotated[float | None, "Since the first wave that asked."]
    since_first_low: float | None
    since_first_high: float | None
    trend: Annotated[
        str | None,
        "In the last wave of three or more, what all of them show: rising or falling from each to the next; both, from "
        "one to another; higher or lower in the last than in the first; too_few or unknown.",
    ]
    every_release: Annotated[bool, "Its interval holds at every release together."]


class WaveTrend(TypedDict):
    """A sentence about an answer over all waves, if there are at least three."""

    question: str
    item: str | None
    option: str
    confidence: float
    trend: str
    sentence: str


class WaveSentences(TypedDict):
    """The page's sentences about all changes since the wave before, at one confidence."""

    confidence: float
    headline: str
    sentences: list[str]


class WavesDocument(TypedDict):
    """The changes up to a release of the last of several waves."""

    waves: list[WaveName]
    shares: list[WaveShare]
    trends: list[WaveTrend]
    sentences: list[WaveSentences]
