"""The types of the document of waves, of which the API's description is made."""

from typing import Annotated, TypedDict


class WaveName(TypedDict):
    """A wave's newest release, or the one that was asked for."""

    survey: Annotated[str, "Its slug."]
    release: int


class WaveShare(TypedDict):
    """An answer in one wave: a share of 1, or a mean in its unit. Changes are None in the first wave that asked."""

    question: str
    text: Annotated[str, "As that wave asked it."]
    kind: str
    item: Annotated[str | None, "Of a grid."]
    option: str
    wave: Annotated[int, "Its place among the waves, from 1 on.", {"minimum": 1}]
    survey: str
    release: int
    n_about: Annotated[int, "Its reports about this answer."]
    confidence: float
    together: Annotated[int, "How many intervals hold at once."]
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
    every_release: Annotated[bool, "Its interval holds at every release together."]


class WavesDocument(TypedDict):
    """What changed up to a release of the last of several waves."""

    waves: list[WaveName]
    shares: list[WaveShare]
