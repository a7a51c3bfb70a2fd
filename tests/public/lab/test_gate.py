"""The lab runs one computation at a time and queues a few; other visitors get a page that says so (P12)."""

import threading

import pytest
from django.test import Client

from surveys.public.lab import views
from surveys.router import Router
from surveys.web.gate import Gate, GateBusy


def test_one_is_let_in_at_a_time_and_few_wait():
    gate, inside, leave = Gate(waiting_max=1), threading.Event(), threading.Event()

    def hold():
        with gate.turn():
            inside.set()
            leave.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    inside.wait(10)
    waiting = []
    waiter = threading.Thread(target=lambda: waiting.append(_enters(gate)))
    waiter.start()
    while gate._waiting < 2:
        pass
    assert not _enters(gate), "one holds it and one waits"
    leave.set()
    holder.join(10)
    waiter.join(10)
    assert waiting == [True] and _enters(gate)


def test_no_one_waits_for_ever():
    gate = Gate(patience=0.01)
    with gate.turn():
        assert not _enters(gate)
    assert _enters(gate)


def _enters(gate):
    try:
        with gate.turn():
            return True
    except GateBusy:
        return False


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["", "figures/power-light-wide.svg", "figures/power.csv"])
def test_who_finds_it_busy_is_told_when_to_come_again_and_what_is_kept_is_served_all_the_same(monkeypatch, address):
    kept = "/lab/figures/majority-light-wide.svg?alpha=1"
    assert Client().get(kept).status_code == 200
    closed = Gate(waiting_max=-1)
    monkeypatch.setattr(views, "GATE", closed)
    response = Client().get(f"/lab/{address}?n=777")
    assert response.status_code == 503 and response["Retry-After"] == "5" and "no-store" in response["Cache-Control"]
    assert b"The lab is busy" in response.content
    assert Client().get(kept).status_code == 200


def test_the_lab_has_a_lane_of_its_own_before_the_pages():
    router = Router("/nowhere")
    lanes = {router.lane(path) for path in ("/lab/", "/lab", "/lab/figures/power.csv")}
    assert len(lanes) == 1
    others = ("/r/x/", "/s/x/", "/admin/", "/laboratory", "/account/login/")
    assert lanes.isdisjoint(router.lane(path) for path in others)
