"""P5 for the demo: nothing is lost when its processes are killed (-9) on the way. test_faults.py does worse."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.redis import free_port

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]


def test_the_demo_loses_nothing_when_intake_and_worker_are_killed_while_it_sends(tmp_path):
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL", "SITE_URL")}
    command = [sys.executable, "manage.py", "demo", "--no-stay", "--port", str(free_port())]
    demo = subprocess.Popen(
        command, cwd=ROOT, env=env | {"DATA_DIR": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    progress, errors = 0, b""
    kills = {0.1: "intake", 0.25: "worker", 0.4: "pages", 0.55: "worker", 0.7: "intake", 0.85: "worker"}
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
