"""A gate before slow computations. Each process runs one at a time, and few requests wait (P12)."""

import functools
import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

WAITING_MAX = 4
OWN_MAX = 2  # of an account: one runs, one waits
PATIENCE = 20.0  # seconds
AGAIN_AFTER = 5  # seconds, for Retry-After


class GateBusy(Exception):
    """Too many computations wait."""


class Gate:
    def __init__(self, waiting_max: int = WAITING_MAX, patience: float = PATIENCE, own_max: int = OWN_MAX) -> None:
        self._turn, self._count = threading.Lock(), threading.Lock()
        self._waiting, self._most, self._patience = 0, waiting_max, patience
        self._of: Counter[Hashable] = Counter()
        self._own_most = own_max

    @contextmanager
    def turn(self, account: Hashable = None) -> Iterator[None]:
        """Wait for a turn. Raise GateBusy after too long, or if the account has its share of the queue."""
        with self._count:
            if self._waiting > self._most or (account is not None and self._of[account] >= self._own_most):
                raise GateBusy
            self._waiting += 1
            self._of[account] += 1
        try:
            if not self._turn.acquire(timeout=self._patience):
                raise GateBusy
            try:
                yield
            finally:
                self._turn.release()
        finally:
            with self._count:
                self._waiting -= 1
                self._of[account] -= 1
                self._of += Counter()  # drops the zeros


# Documents for an account: PDF, workbooks, archives, cards.
DOCUMENTS = Gate()

View = Callable[..., Any]


def document(view: View) -> View:
    """Wrap a view that makes a document for a signed-in user. It waits for its turn, or asks the user to try again."""

    @functools.wraps(view)
    def in_turn(request: HttpRequest, *arguments: Any, **options: Any) -> Any:
        try:
            with DOCUMENTS.turn(request.user.pk):
                return view(request, *arguments, **options)
        except GateBusy:
            return later(request, "designer/busy.html", AGAIN_AFTER)

    return in_turn


def later(request: HttpRequest, template: str, seconds: int) -> HttpResponse:
    """Return a page (503) that asks the user to try again after this many seconds."""
    response = render(request, template, status=503)
    response["Retry-After"] = str(seconds)
    patch_cache_control(response, no_store=True)
    return response
