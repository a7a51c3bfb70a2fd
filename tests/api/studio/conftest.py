"""Fixture: a designer's token for all requests."""

import pytest


@pytest.fixture
def ada(db):
    from django.contrib.auth.models import User

    return User.objects.create(username="ada")


@pytest.fixture
def studio(ada):
    from surveys.models import Scope
    from tests.support.program import Program
    from tests.support.tokens import carrying, token

    return Program(carrying(token(ada, Scope.STUDIO)))
