"""Fixtures: a designer, her browser and a survey of hers."""

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


@pytest.fixture
def draft(ada):
    from surveys.life.lifecycle import begin_draft
    from tests.support.factories import DRAFT

    return begin_draft(ada, DRAFT)


@pytest.fixture
def opened(ada, draft):
    from surveys.life.lifecycle import open_survey

    open_survey(draft, ada)
    return draft
