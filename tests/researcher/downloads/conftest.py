"""Downloaded files of surveys. Each survey is rolled back after its files are made."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker


@pytest.fixture(scope="module")
def taken_away(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Callable[[], Any]], Path]:
    """Return a function that makes a survey, unpacks all files of its newest release into a folder, and rolls the
    survey back."""
    from django.db import transaction  # once Django is set up

    from tests.support.exports import exported, unpack

    def of(make: Callable[[], Any]) -> Path:
        with django_db_blocker.unblock(), transaction.atomic():
            export = exported(make())
            assert export.state == "ready"
            folder = unpack(export, tmp_path_factory.mktemp("files"))
            transaction.set_rollback(True)
        return folder

    return of
