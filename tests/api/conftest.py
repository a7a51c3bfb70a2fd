"""A researcher of the test's survey, and the clock that counts requests."""

import pytest


@pytest.fixture
def ada(survey):
    from tests.support.tokens import member  # once Django is set up

    return member(survey)


@pytest.fixture
def clock(monkeypatch):
    from surveys.api import throttling
    from surveys.operation.window import WindowRate
    from tests.accounts.test_sign_in import Clock

    clock = Clock()
    monkeypatch.setattr(throttling, "RATE", WindowRate(clock))
    return clock
