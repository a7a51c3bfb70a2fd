"""A survey of every kind and mechanism, answered and released once for all tests of a module that only read it."""

from typing import Any

import pytest

PEOPLE = 300


@pytest.fixture(scope="module")
def released_survey(outer_transaction: None) -> Any:
    from tests.researcher.results.test_every_kind import answered  # once Django is set up
    from tests.support import vectors

    return answered(vectors.EVERY_KIND, PEOPLE)


@pytest.fixture
def every_kind(released_survey: Any, db: None) -> Any:
    """Return the survey as stored in the database. A test's changes are undone after it."""
    from tests.support.estimates import found_again

    return found_again(released_survey)
