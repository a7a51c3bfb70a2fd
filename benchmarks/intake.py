"""The intake against a function that stores nothing, a bare one that stores, a Django view and a DRF view.

    python -m benchmarks.intake [--seconds 5] [--rounds 3] [--connections 32] [--database postgres|sqlite]
                                [--flush-milliseconds 3] [--peers nothing intake]

Prints requests a second (median of the rounds, which take turns), the ratio to the bare function, the latency that 99
of 100 requests stay below, and the processors' microseconds a request, of the server and of PostgreSQL. Needs wrk
(Debian's package) and requirements-dev.txt. Every request is a new report.
A slow disk is made by strace (Debian's package), which delays the return of every flush of PostgreSQL.
"""

import argparse
import json
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import NamedTuple

from tests.services.postgres import Postgres, alive
from tests.services.redis import free_port

ROOT = Path(__file__).parent.parent
DRAFT = ROOT / "surveys" / "public" / "demo" / "fair.json"

# The number of real reports. Their answers' bytes are sent repeatedly, each time with a new random UUID.
SENT = 100
LUA = """
local bodies = {BODIES}
math.randomseed(os.time() + tonumber(tostring({}):sub(8), 16) % 100000)
local function hex(n) local s = "" for _ = 1, n do s = s .. string.format("%x", math.random(0, 15)) end return s end
request = function()
  local id = hex(8) .. "-" .. hex(4) .. "-4" .. hex(3) .. "-a" .. hex(3) .. "-" .. hex(12)
  local body = bodies[math.random(#bodies)]:gsub("REPORTID", id)
  return wrk.format("POST", "PATH", {["Content-Type"] = "application/json"}, body)
end
done = function(summary, latency, requests)
  io.write(string.format("bad %d p99 %d\\n", summary.errors.status, latency:percentile(99)))
end
"""


class Peer(NamedTuple):
    name: str
    application: str
    path: str
    interface: str = "wsgi"


BARE = Peer("bare", "benchmarks.intake_peers:bare", "/")
PEERS = {
    "nothing": Peer("nothing", "benchmarks.intake_peers:nothing", "/", "rsgi"),
    "bare": BARE,
    "intake": Peer("intake", "surveys.rsgi:application", "/api/v1/surveys/{slug}/reports", "rsgi"),
    "view": Peer("Django view", "benchmarks.intake_peers:application", "/view/{slug}/reports"),
    "drf": Peer("DRF view", "benchmarks.intake_peers:application", "/drf/{slug}/reports"),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--seconds", type=int, default=5)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--connections", type=int, default=32)
    options.add_argument("--threads", type=int, default=16)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--database", choices=("postgres", "sqlite"), default="postgres")
    options.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS))
    options.add_argument("--flush-milliseconds", type=int, default=0, help="what each flush takes longer")
    chosen = options.parse_args()
    peers = [PEERS[name] for name in dict.fromkeys(["bare", *chosen.peers])]
    if chosen.flush_milliseconds and chosen.database == "sqlite":
        options.error("--flush-milliseconds slows PostgreSQL's flushes only")
    chosen.processes = 1 if chosen.database == "sqlite" else chosen.processes
    chosen.through = _slow_disk(chosen.flush_milliseconds) if chosen.flush_milliseconds else []
    needed("wrk", *chosen.through[:1])
    server = Postgres(through=chosen.through) if chosen.database == "postgres" else None
    try:
        with tempfile.TemporaryDirectory() as data:
            env = os.environ | {"DATA_DIR": data, "DATABASE_URL": server.create("intake") if server else ""}
            slug = opened(env, DRAFT)
            results: dict[str, list[dict[str, float]]] = {peer.name: [] for peer in peers}
            for _ in range(chosen.rounds):
                for peer in peers:
                    results[peer.name].append(measured(peer, slug, env, chosen, database=server and server.pids))
    finally:
        if server:
            server.stop()
    _print(results)


def needed(*tools: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            raise SystemExit(f"{tool} is missing. On Debian: apt-get install {tool}")


def _slow_disk(milliseconds: int) -> list[str]:
    """Return the start of a database's command. The tracer stops flushes only, so all else keeps its speed."""
    flushes = "fsync,fdatasync"
    slower = ["-e", f"trace={flushes}", "-e", f"inject={flushes}:delay_exit={1000 * milliseconds}"]
    return ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", *slower]


def opened(env: dict[str, str], draft: Path, number: int = 1) -> str:
    """Open a survey and return its slug. `number` is its number in the system; 1 also makes the database."""

    def manage(*arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout

    if number == 1:
        manage("migrate", "--no-input")
        manage("owner", "ada")
    manage("survey", "draft", str(draft))
    found = re.search(r"/s/#([\w-]+)", manage("survey", "open", str(number)))
    assert found is not None
    return found[1]


# A context at the server of a port during the measurement.
Beside = Callable[[int], AbstractContextManager[None]]


def measured(
    peer: Peer,
    slug: str,
    env: dict[str, str],
    chosen: argparse.Namespace,
    beside: Beside = lambda port: nullcontext(),
    database: Callable[[], list[int]] | None = None,
) -> dict[str, float]:
    """Requests a second, the latency in milliseconds that 99 of 100 stay below, and the microseconds of processors that
    a request takes of the server and of the database with these processes."""
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", peer.interface, "--host", "127.0.0.1"]
    command += ["--port", str(port), "--workers", str(chosen.processes), "--no-ws", "--log-level", "error"]
    command += ["--http", "1", "--backlog", "8192", "--backpressure", "8192"]
    command += ["--blocking-threads", str(chosen.threads)] if peer.interface == "wsgi" else ["--runtime-mode", "st"]
    granian = subprocess.Popen([*command, peer.application], cwd=ROOT, env=env)
    try:
        _wait(port)
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
            path = peer.path.format(slug=slug)
            bodies = ", ".join(f"[==[{body}]==]" for body in _bodies(slug, env))
            script.write(LUA.replace("BODIES", bodies).replace("PATH", path))
            script.flush()
            url = f"http://127.0.0.1:{port}{path}"
            wrk = ["wrk", "-t1", f"-c{chosen.connections}", "--latency", "-s", script.name, url]
            subprocess.run([*wrk, "-d1"], check=True, capture_output=True)
            pids = [_family(granian.pid), database() if database else []]
            with beside(port):
                before = [*map(_microseconds, pids)]
                done = subprocess.run([*wrk, f"-d{chosen.seconds}"], check=True, capture_output=True, text=True)
                taken = [_microseconds(family) - spent for family, spent in zip(pids, before, strict=True)]
            printed = done.stdout
    finally:
        granian.terminate()
        granian.wait()
    rate, ends = re.search(r"Requests/sec:\s+([\d.]+)", printed), re.search(r"bad (\d+) p99 (\d+)", printed)
    assert rate is not None and ends is not None and ends[1] == "0", printed
    requests = int(printed.partition(" requests in")[0].split()[-1])
    server, stored = (microseconds / requests for microseconds in taken)
    return {"rate": float(rate[1]), "p99": int(ends[2]) / 1000, "server": server, "database": stored}


def _family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(member for child in children for member in _family(int(child)))]


def _microseconds(pids: list[int]) -> float:
    """Return how long processors worked for these processes and for their children that have ended."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids if alive(pid)]
    return sum(int(ticks) for stat in stats for ticks in stat[11:15]) * 1e6 / os.sysconf("SC_CLK_TCK")


def _bodies(slug: str, env: dict[str, str]) -> list[str]:
    code = (
        "import django; django.setup(); from surveys.models import Survey; from ldp.words import system_words; "
        f"from ldp.privatize import report; s = Survey.objects.get(slug={slug!r}); "
        "a = {q['key']: 0 for q in s.questions}; "
        f"print(*(report(s.definition, s.digest, a, system_words) for _ in range({SENT})), sep='\\n')"
    )
    env = env | {"DJANGO_SETTINGS_MODULE": "surveys.settings"}
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True).stdout
    each = (json.loads(line) | {"report_id": "REPORTID"} for line in printed.splitlines())
    return [json.dumps(body, separators=(",", ":")) for body in each]


def _wait(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("granian did not start")


def _print(results: dict[str, list[dict[str, float]]]) -> None:
    rates = {name: statistics.median(run["rate"] for run in runs) for name, runs in results.items()}
    print(f"{'':<12} {'requests/s':>10} {'of bare':>8} {'p99 ms':>8} {'server µs':>10} {'database µs':>12}")
    for name, runs in results.items():
        p99, server, database = (statistics.median(run[what] for run in runs) for what in ("p99", "server", "database"))
        of_bare = rates[name] / rates["bare"]
        print(f"{name:<12} {rates[name]:>10.0f} {of_bare:>8.2f} {p99:>8.1f} {server:>10.0f} {database:>12.0f}")


if __name__ == "__main__":
    main()
