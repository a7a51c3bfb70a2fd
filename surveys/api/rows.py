"""What the pages of a release say of its questions beyond its estimates, row by row."""

from typing import Any

from rest_framework.request import Request

from surveys.api.openapi_estimates import CONTRASTS, FORGED, READINGS, TREND
from surveys.api.openapi_operation import NUMBER, SLUG, operation
from surveys.api.reading import Reading, streamed

_TEXT = {"type": "string"}


class ReadingsView(Reading):
    """What the pages of its questions say, as it is computed."""

    @operation(
        "release_readings",
        "What the pages of its questions say",
        "Quantiles, mean ranks, means of bins, cumulative and projected shares, densities, and shares among those who "
        "said something, each with its intervals for both targets at every confidence.",
        {200: (READINGS, "The readings.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "readings.json")


class ReadingsCsvView(Reading):
    @operation(
        "release_readings_csv",
        "The readings as CSV",
        "One row for each reading, target and confidence; shares are fractions of 1.",
        {(200, "text/csv"): (_TEXT, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "readings.csv")


class ContrastsView(Reading):
    """Comparisons of answers, as they are computed."""

    @operation(
        "release_contrasts",
        "Its contrasts",
        "For each question the pairs of answers that its page of contrasts shows first: differences of shares in the "
        "population with simultaneous intervals, p-values alone and corrected for all pairs of the question, or why "
        "there is none.",
        {200: (CONTRASTS, "The contrasts.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "contrasts.json")


class ContrastsCsvView(Reading):
    @operation(
        "release_contrasts_csv",
        "Its contrasts as CSV",
        "One row for each pair of answers and confidence; differences are fractions of 1.",
        {(200, "text/csv"): (_TEXT, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "contrasts.csv")


class TrendView(Reading):
    """Answers over the releases, as they are computed."""

    @operation(
        "release_trend",
        "Its answers over the releases",
        "Each answer at this release and those before it, up to twelve, with intervals that hold at all releases and "
        "for all answers of the question together.",
        {200: (TREND, "The trends.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "trend.json")


class TrendCsvView(Reading):
    @operation(
        "release_trend_csv",
        "The trend as CSV",
        "One row for each answer, release, target and confidence; shares are fractions of 1, means in their unit.",
        {(200, "text/csv"): (_TEXT, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "trend.csv")


class ForgedView(Reading):
    """Intervals that forged reports leave, as they are computed."""

    @operation(
        "release_forged",
        "What forged reports could do",
        "For each answer the interval that holds the honest population’s share if at most so many reports are forged, "
        "from none to a tenth of them, and with how many the most common answer would no longer be known.",
        {200: (FORGED, "The intervals.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "forged.json")


class ForgedCsvView(Reading):
    @operation(
        "release_forged_csv",
        "What forged reports could do, as CSV",
        "One row for each answer, number of forged reports and confidence; shares are fractions of 1, means in their "
        "unit.",
        {(200, "text/csv"): (_TEXT, "The table.")},
        tag="Releases",
        parameters=[SLUG, NUMBER],
    )
    def get(self, request: Request, slug: str, number: int | None) -> Any:
        return streamed(self, request, slug, number, "forged.csv")
