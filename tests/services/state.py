"""The state of a complete system after a test has waited in vain: its processes, its queues and its locks."""

import subprocess
from collections.abc import Callable

import redis

from tests.services.system import ProductionSystem, System, members

QUEUES = ("celery", "estimates")
LOCKS = """SELECT pid, state, wait_event_type, wait_event, now() - xact_start, left(query, 90) FROM pg_stat_activity
           WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()"""
WORK = """SELECT s.id, s.state, s.batch, t.attempts, t.traces,
          (SELECT count(*) FROM surveys_report WHERE survey_id = s.id),
          (SELECT count(*) FROM surveys_release WHERE survey_id = s.id),
          (SELECT max(attempts) FROM surveys_release WHERE survey_id = s.id AND document IS NULL)
          FROM surveys_survey s JOIN surveys_tally t ON t.survey_id = s.id ORDER BY s.id DESC LIMIT 3"""


def state(system: System) -> str:
    """Return some lines of text. If a part of the state cannot be read, its line gives the reason."""
    looks: dict[str, Callable[[], object]] = {"work": lambda: system.query(WORK)}
    if isinstance(system, ProductionSystem):
        looks |= {"queues": lambda: _queues(system), "locks": lambda: system.query(LOCKS)}
        looks |= {"processes": lambda: _processes(system)}
    return "\n".join(f"{name}: {_tried(look)}" for name, look in looks.items())


def _tried(look: Callable[[], object]) -> object:
    try:
        return look()
    except Exception as fault:  # the other parts may say more
        return repr(fault)


def _queues(system: ProductionSystem) -> dict[str, object]:
    server = redis.Redis.from_url(system.redis.url, socket_timeout=5)
    lengths = {queue: server.llen(queue) for queue in QUEUES}
    return {**lengths, "unacknowledged": server.hlen("unacked"), "alive": server.get("deniable:alive")}


def _processes(system: ProductionSystem) -> str:
    pids = ",".join(map(str, members([process.pid for process in system._processes.values()])))
    columns = "pid,stat,wchan:16,etime,time,args"
    listed = subprocess.run(["ps", "-ww", "-o", columns, "-p", pids], capture_output=True, text=True).stdout
    return "\n".join(line[:150] for line in listed.splitlines() if "tether.py" not in line)
