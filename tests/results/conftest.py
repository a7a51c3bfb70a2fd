"""A survey of every kind and mechanism, answered and released once for all tests of a module that only read it."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

PEOPLE = 300


@pytest.fixture(scope="module")
def released_survey(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Any]:
    """In a transaction around those of the tests, which is undone when the module ends."""
    from django.db import transaction  # once Django is set up

    from tests.results.test_every_kind import answered
    from tests.support import vectors

    with django_db_blocker.unblock(), transaction.atomic():
        yield answered(vectors.EVERY_KIND, PEOPLE)
        transaction.set_rollback(True)


@pytest.fixture
def every_kind(released_survey: Any, db: None) -> Any:
    """The survey as a test finds it in the database: what the test changes is undone after it."""
    return type(released_survey).objects.get(pk=released_survey.pk)
