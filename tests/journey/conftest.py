"""Fixtures: a designer and her signed-in browser."""

import pytest


@pytest.fixture
def ada(django_user_model):
    return django_user_model.objects.create_user("ada")


@pytest.fixture
def client(client, ada):
    client.force_login(ada)
    return client
