"""A receiver of webhooks, on a site that allows webhooks to this machine."""

from ipaddress import ip_network

import pytest

from tests.support.receiver import receiving


@pytest.fixture
def receiver(settings):
    settings.SITE_URL, settings.WEBHOOK_NETWORKS = "http://127.0.0.1:8000", [ip_network("127.0.0.0/8")]
    with receiving() as server:
        yield server


@pytest.fixture(autouse=True)
def calm(monkeypatch):
    """Make the heartbeat report that no worker is behind."""
    from surveys.operation import heartbeat  # once Django is set up

    monkeypatch.setattr(heartbeat, "status", lambda: "ok")
