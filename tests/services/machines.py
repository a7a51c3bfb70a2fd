"""The machines of one site. Each is a group of processes with its own data folder and ports. All use the same
PostgreSQL and the same Redis. Their settings have everything else they share, as docs/operators/runbook.md says under
Grow."""

import secrets
import shutil
from pathlib import Path

from surveys.operation.embedded import tether
from surveys.transparency.log import note
from tests.services.postgres import Postgres
from tests.services.redis import Redis
from tests.services.system import ProductionSystem, System

WEB, WORKER = ("intake", "pages"), ("worker", "estimates")
SITE = "http://127.0.0.1"


class Machine(ProductionSystem):
    """A machine that runs some of the parts. `wait_ready` waits only if it has an intake."""

    pair = "machine"

    def __init__(self, parts: tuple[str, ...], database_url: str, redis: Redis, **settings: str) -> None:
        self.parts, self.database_url, self.redis = parts, database_url, redis
        self._processes = {}
        System.__init__(self, None, DATABASE_URL=database_url, REDIS_URL=redis.url, **settings)

    def launch(self) -> None:
        for part in reversed(self.parts):
            self.start(part)

    def wait_ready(self) -> None:
        if "intake" in self.parts:
            super().wait_ready()

    def stop(self) -> None:
        """End the machine's processes. The shared services keep running."""
        self.dismiss_manager()
        for process in self._processes.values():
            tether.kill(process)
        for process in self._processes.values():
            tether.reap(process)
        shutil.rmtree(self.data)


class Site:
    """Two machines with intake and pages, and two with workers. The first of each kind are on one machine: they share
    the book of invitations on its disk. The schedule runs beside the first worker."""

    def __init__(self, postgres: Postgres, book: Path, **settings: str) -> None:
        self.redis = Redis()
        self.database_url = postgres.create(f"machines_{secrets.token_hex(4)}")
        shared = {"SECRET_KEY": secrets.token_urlsafe(48), "LOG_KEY": str(note.new_key("127.0.0.1/check/log"))}
        shared |= {"SITE_URL": SITE, **settings}
        first = {**shared, "INVITATIONS_DIR": str(book)}
        self.machines: list[Machine] = []
        try:
            migrated = self._machine((), first)
            migrated.manage("migrate", "--no-input")
            for parts, own in ((WEB, first), (WEB, shared), ((*WORKER, "beat"), first), (WORKER, shared)):
                self._machine(parts, own)
        except BaseException:
            self.stop()
            raise
        self.operator, *self.web = self.machines[:3]
        self.workers = self.machines[3:]

    def _machine(self, parts: tuple[str, ...], settings: dict[str, str]) -> Machine:
        self.machines.append(Machine(parts, self.database_url, self.redis, **settings))
        return self.machines[-1]

    def stop(self) -> None:
        for machine in reversed(self.machines):
            machine.stop()
        self.redis.stop()
