"""The number of simulated surveys that a plan is compared with."""

from typing import NamedTuple

import pytest


class Length(NamedTuple):
    surveys: int
    near: float
    """How far a planned chance may be from what these surveys show: .03, and two standard errors of a share of .7."""


@pytest.fixture(scope="session")
def length(nightly: bool) -> Length:
    surveys = 800 if nightly else 200
    return Length(surveys, 0.03 + 2 * (0.7 * 0.3 / surveys) ** 0.5)
