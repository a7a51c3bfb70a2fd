"""P5: every acknowledged report is stored and counted exactly once, also when processes are killed (-9) on the way."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ldp.privatize import make_report
from surveys.sending import send_all
from tests.services.redis import free_port
from tests.test_journey import open_survey, published, request

pytestmark = pytest.mark.system

ROOT = Path(__file__).parent.parent
REPORTS_MIN, KILLS = 1000, 6


def test_the_demo_loses_nothing_when_web_and_worker_are_killed_while_it_sends(tmp_path):
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL", "SITE_URL")}
    command = [sys.executable, "manage.py", "demo", "--no-stay", "--port", str(free_port())]
    demo = subprocess.Popen(
        command, cwd=ROOT, env=env | {"DATA_DIR": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    progress, errors = 0, b""
    kills = {0.1: "web", 0.25: "worker", 0.4: "web", 0.55: "worker", 0.7: "web", 0.85: "worker"}
    # tqdm's own line says how far the sending is: the parts die in the middle of it, not before or after.
    while chunk := os.read(demo.stderr.fileno(), 4096):
        errors += chunk
        for part in re.findall(rb"(\d+)%\|", chunk):
            progress = max(progress, int(part) / 100)
        for at in [at for at in kills if at <= progress]:
            parts = json.loads((tmp_path / "serve.json").read_text())["parts"]
            os.killpg(parts[kills.pop(at)]["pid"], signal.SIGKILL)
    output = demo.stdout.read().decode()
    assert demo.wait(60) == 0, output + errors.decode()
    assert not kills, f"the sending was over before all parts were killed: {kills}"
    assert "6366 reports acknowledged, 6366 stored, 6366 counted." in output


def test_acknowledged_is_stored_is_counted_whatever_is_killed(system, tmp_path):
    slug = open_survey(system, tmp_path)
    api = f"{system.url}/api/v1/surveys/{slug}"
    _, headers, canonical = request(f"{api}/definition")
    definition, digest = json.loads(canonical), headers["ETag"].strip('"')
    chance = random.Random(7)
    answers = {"yes": 0, "which": 1, "many": 2}
    done, kills = threading.Event(), []

    def kill() -> None:
        for part in ["web", "worker"] * (KILLS // 2):
            time.sleep(chance.uniform(0.1, 0.5))
            system.kill(part)
            system.start(part)
            kills.append(part)
        done.set()

    killer = threading.Thread(target=kill)
    killer.start()
    bodies: list[str] = []
    acknowledged = 0
    while not done.is_set() or acknowledged < REPORTS_MIN:
        batch = [make_report(definition, digest, answers, lambda: chance.getrandbits(32)) for _ in range(200)]
        bodies += batch
        acknowledged += send_all(f"{api}/reports", batch, 8, lambda sent: None)
    killer.join(60)
    assert len(kills) == KILLS and acknowledged == len(bodies)

    survey = f"(SELECT id FROM surveys_survey WHERE slug = '{slug}')"
    assert system.query(f"SELECT count(*) FROM surveys_report WHERE survey_id = {survey}") == [(acknowledged,)]
    document = published(system, slug, lambda document: document["n"] >= acknowledged, 90)
    assert document["n"] == acknowledged
    counted = system.query(f"SELECT count(*) FROM surveys_report WHERE survey_id = {survey} AND counted")
    assert counted == [(acknowledged,)]
    # Counted exactly once, and rightly: the totals are those of the bodies that were sent.
    yes = [json.loads(body)["answers"]["yes"] for body in bodies]
    scores = [category["score"] for category in document["questions"][0]["methods"][0]["categories"]]
    assert scores == [yes.count(0), yes.count(1)]
