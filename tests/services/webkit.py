"""A real WebKit: GTK's small browser on a virtual screen, driven by WebDriver over HTTP."""

import json
import os
import re
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from surveys.operation.embedded import tether
from tests.services.redis import free_port
from tests.services.webdriver import ELEMENT, Refused, WebDriver

DRIVER, SCREEN = "WebKitWebDriver", "Xvfb"
STARTING = 60.0  # seconds for the screen and the driver to start
COMMANDS = {
    "Navigate": ("POST", "/url"),
    "ExecuteScript": ("POST", "/execute/sync"),
    "SetWindowRect": ("POST", "/window/rect"),
    "SwitchToFrame": ("POST", "/frame"),
    "TakeScreenshot": ("GET", "/screenshot"),
    "GetComputedLabel": ("GET", "/element/{}/computedlabel"),
    "GetComputedRole": ("GET", "/element/{}/computedrole"),
    "ElementClear": ("POST", "/element/{}/clear"),
    "ElementClick": ("POST", "/element/{}/click"),
    "ElementSendKeys": ("POST", "/element/{}/value"),
}


class WebKit(WebDriver):
    """A WebKit window with its own profile."""

    read = ("columnheader", "rowheader")
    complaints = None

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="deniable-webkit-"))
        self._log, self._url = self.directory / "driver.log", f"http://127.0.0.1:{free_port()}"
        self._screen, display = self._show()
        env = {**os.environ, "HOME": str(self.directory), "DISPLAY": f":{display}", "GDK_BACKEND": "x11"}
        for name in ("CACHE", "CONFIG", "DATA"):
            env[f"XDG_{name}_HOME"] = str(self.directory / name.lower())
        command = [DRIVER, f"--port={self._url.rpartition(':')[2]}"]
        self._process = tether.start(command, log=self._log, env=env)
        self._wait(lambda: self._log.exists() and self._answers(), DRIVER)
        self._session = self._request("POST", "/session", {"capabilities": {}})["sessionId"]

    def command(self, name: str, element: Any = None, **parameters: Any) -> Any:
        method, path = COMMANDS[name]
        where = f"/session/{self._session}" + path.format(element and element[ELEMENT])
        return self._request(method, where, parameters if method == "POST" else None)

    def click(self, element: Any) -> None:
        """Click the element when it can be clicked. WebKit refuses a new list until it is laid out."""

        def clicked() -> bool:
            self._reveal(element)
            try:
                super(WebKit, self).click(element)
            except Refused as refusal:
                if refusal.code != "element not interactable":
                    raise
                return False
            return True

        self.until(clicked, "the element to be clickable")

    def type(self, element: Any, text: str) -> None:
        self._reveal(element)
        super().type(element, text)

    def stop(self) -> None:
        self._request("DELETE", f"/session/{self._session}")
        tether.end(self._process)
        tether.end(self._screen)
        shutil.rmtree(self.directory)

    def _reveal(self, element: Any) -> None:
        """Scroll to the element. The driver refuses elements below the window's edge, although the protocol lets it
        scroll."""
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)

    def _show(self) -> tuple[Any, str]:
        """Start a screen. Return its process and the free number it found."""
        log = self.directory / "screen.log"
        command = [SCREEN, "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1280x1024x24"]
        process = tether.start(command, log=log)
        found = self._wait(lambda: re.search(r"^(\d+)\n", log.read_text(), re.MULTILINE), SCREEN)
        return process, found[1]

    def _wait(self, condition: Any, what: str) -> Any:
        deadline = time.monotonic() + STARTING
        while not (value := condition()):
            if time.monotonic() > deadline:
                logs = "".join(log.read_text() for log in self.directory.glob("*.log"))
                raise RuntimeError(f"{what} does not start:\n{logs}")
            time.sleep(0.05)
        return value

    def _answers(self) -> bool:
        try:
            return bool(self._request("GET", "/status"))
        except urllib.error.URLError:
            return False

    def _request(self, method: str, path: str, parameters: Any = None) -> Any:
        data = None if parameters is None else json.dumps(parameters).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as refusal:
            value = json.load(refusal)["value"]
            raise Refused(value["error"], value["message"]) from None
