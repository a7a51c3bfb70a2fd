"""Slow documents are made one after the other, and one account has few of them in the queue (P12)."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import reverse

from surveys.models import Membership, Role, Scope
from surveys.respondent.invitations import book
from surveys.web import gate
from surveys.web.gate import OWN_MAX, WAITING_MAX, Gate, GateBusy
from tests.support.estimates import released
from tests.support.factories import DRAFT, opened_survey
from tests.support.program import Program
from tests.support.tokens import carrying, token


def in_line(own, account, release):
    """Return a thread that has the turn or waits for it until `release`, and the event of its turn."""
    entered = threading.Event()

    def stand():
        with own.turn(account):
            entered.set()
            release.wait(600)

    thread = threading.Thread(target=stand)
    thread.start()
    return thread, entered


def test_an_account_has_its_share_of_the_line_and_others_have_theirs():
    own, release = Gate(patience=600), threading.Event()
    threads = [in_line(own, "ada", release)]
    assert threads[0][1].wait(30)
    threads += [in_line(own, "ada", release) for _ in range(OWN_MAX - 1)]
    while own._waiting < OWN_MAX:
        time.sleep(0.01)
    with pytest.raises(GateBusy), own.turn("ada"):
        pass
    threads += [in_line(own, "bob", release)]
    while own._waiting < OWN_MAX + 1:
        time.sleep(0.01)
    release.set()
    for thread, _ in threads:
        thread.join()
    assert own._waiting == 0 and not own._of
    with own.turn("ada"):
        pass


@pytest.fixture
def busy(monkeypatch):
    """Fill the queue with another user's documents for the whole test, on a slow machine too."""
    monkeypatch.setattr(gate.DOCUMENTS, "_patience", 600)
    release = threading.Event()
    threads = [in_line(gate.DOCUMENTS, f"other {place}", release) for place in range(WAITING_MAX + 1)]
    while gate.DOCUMENTS._waiting < WAITING_MAX + 1:
        time.sleep(0.01)
    yield
    release.set()
    for thread, _ in threads:
        thread.join()


@pytest.mark.django_db
def test_every_expensive_document_stands_behind_the_gate(busy):
    ada = User.objects.create_user("ada")
    survey, invited = released(150), opened_survey(DRAFT | {"invitations": True})
    for each in (survey, invited):
        Membership.objects.create(survey=each, user=ada, role=Role.OWNER)
    client, program = Client(), Program(carrying(token(ada, Scope.STUDIO)))
    client.force_login(ada)
    names = ("statement.en.pdf", "statement.en.html", "annex.en.pdf", "archive.zip")
    for path in (*(f"evidence/{name}" for name in names), "export.xlsx"):
        page = client.get(f"/surveys/{survey.pk}/{path}")
        assert (page.status_code, page["Retry-After"], page["Cache-Control"]) == (503, "5", "no-store"), path
    for path in (*(f"evidence/{name}" for name in names), "form.xlsx"):
        answer = program.ask("get", f"/{survey.pk}/{path}")
        assert (answer.status_code, answer["Retry-After"]) == (503, "5"), path
    cards = client.post(reverse("survey-invite", args=[invited.pk]), {"count": "100", "form": "cards"})
    assert cards.status_code == 503 and book.invited(invited.digest) == 0


@pytest.mark.django_db(transaction=True)
def test_twenty_four_documents_of_one_account_leave_results_free():
    ada = User.objects.create_user("ada")
    survey = released(150, results_public=True)
    Membership.objects.create(survey=survey, user=ada, role=Role.OWNER)
    text = token(ada, Scope.STUDIO)

    def ask(_):
        try:
            return Program(carrying(text)).ask("get", f"/{survey.pk}/evidence/annex.en.pdf").status_code
        finally:
            connections.close_all()

    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(24))
        answers = pool.map(ask, range(24))
        assert Client().get(f"/r/{survey.slug}/").status_code == 200
        statuses = list(answers)
    assert set(statuses) <= {200, 503} and statuses.count(200) >= 1 and statuses.count(503) > 12
