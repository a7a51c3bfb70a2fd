"""Password hashing in two threads of low priority in each process. More threads would slow the pages."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

from django.contrib.auth.hashers import Argon2PasswordHasher

HASHING = 2  # threads
NICE = 10


def _step_back() -> None:
    """Lower the priority of this thread. Linux sets niceness for each thread, and new threads inherit it."""
    own = threading.get_native_id()
    os.setpriority(os.PRIO_PROCESS, own, min(os.getpriority(os.PRIO_PROCESS, own) + NICE, 19))


_threads = ThreadPoolExecutor(HASHING, "hash a password", initializer=_step_back)


class QueuedArgon2(Argon2PasswordHasher):
    """Argon2id with the parameters that OWASP advises. Each hash takes one thread."""

    time_cost = 2
    memory_cost = 19_456  # KiB
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return _threads.submit(super().encode, password, salt).result()

    def verify(self, password: str, encoded: str) -> bool:
        return _threads.submit(super().verify, password, encoded).result()
