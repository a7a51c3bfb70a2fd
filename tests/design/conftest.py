"""A designer, and her browser."""

import pytest


@pytest.fixture
def ada():
    from django.contrib.auth.models import User  # once Django is set up

    return User.objects.create_user("ada")


@pytest.fixture
def client(ada):
    from django.test import Client

    client = Client()
    client.force_login(ada)
    return client
