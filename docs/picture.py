"""Writes the README's pictures, docs/*.png: a new demo's pages as a browser shows them. `make picture` runs it."""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.services import chromium
from tests.services.redis import free_port

DOCS = Path(__file__).parent


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "manage.py", "demo", "--port", str(free_port())]
        env = {"DATA_DIR": data, "PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"}
        demo = subprocess.Popen(command, cwd=DOCS.parent, env=env, stdout=subprocess.PIPE, text=True)
        try:
            links = _links(demo)
            _photograph(links["Researcher"], DOCS / "results.png", height=1130)
            _photograph(links["Respondent"], DOCS / "respondent.png", height=1000, width=390)
        finally:
            demo.send_signal(signal.SIGINT)
            demo.wait(60)


def _links(demo: "subprocess.Popen[str]") -> dict[str, str]:
    """The demo's links by person, once it has printed them all; its other lines go to the terminal."""
    links: dict[str, str] = {}
    assert demo.stdout is not None
    for line in demo.stdout:
        print(line, end="")
        found = re.match(r"\s+(Respondent|Designer|Researcher)\s+(http\S+)", line)
        if found:
            links[found[1]] = found[2]
        if len(links) == 3:
            return links
    raise SystemExit("The demo ended before it printed its links.")


def _photograph(url: str, path: Path, height: int, width: int = 1280) -> None:
    with chromium.browser() as browser:
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
        page.goto(url)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=path)


if __name__ == "__main__":
    main()
