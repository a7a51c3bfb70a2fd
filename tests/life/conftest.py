"""Fixture: an owner."""

import pytest


@pytest.fixture
def ada():
    from django.contrib.auth.models import User  # once Django is set up

    return User.objects.create_user("ada")
