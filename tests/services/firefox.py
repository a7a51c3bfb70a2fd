"""The system's real Firefox without a window, driven by Marionette: JSON over a loopback connection."""

import hashlib
import json
import os
import re
import shutil
import socket
import tempfile
import time
import urllib.request
from base64 import b64encode
from pathlib import Path
from typing import Any

from surveys.operation.embedded import tether
from tests.services.webdriver import ELEMENT, Refused, WebDriver

NAMES = ("firefox-esr", "firefox")
STARTING = 60.0  # seconds for Firefox to listen
PREFERENCES = {  # a free port; only the tests use the network
    "marionette.port": 0,
    "app.normandy.enabled": False,
    "browser.region.network.url": "",
    "browser.safebrowsing.downloads.remote.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}
NOTHING = b64encode(hashlib.sha384().digest()).decode()
ERRORS = """return Services.console.getMessageArray()
  .filter((each) => each instanceof Ci.nsIScriptError && !(each.flags & (each.warningFlag | each.infoFlag)))
  .filter((each) => /^https?:/.test(each.sourceName)).map((each) => each.errorMessage)"""


def firefox() -> str | None:
    """Return the path of the system's Firefox, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def was_left(complaint: str) -> bool:
    """Return whether a complaint is about a script still loading when its page was left. Firefox takes it for an empty
    script, so its fingerprint differs from the page's. A truly empty file is a real complaint."""
    if NOTHING not in complaint:
        return False
    with urllib.request.urlopen(re.findall("“(http[^”]+)”", complaint)[0], timeout=30) as file:
        return bool(file.read())


class Firefox(WebDriver):
    """A Firefox window with its own profile."""

    def __init__(self, preferences: dict[str, Any] | None = None) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="deniable-firefox-"))
        profile = self.directory / "profile"
        profile.mkdir()
        chosen = PREFERENCES | (preferences or {})
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in chosen.items())
        (profile / "user.js").write_text("".join(lines))
        options = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", profile]
        self._log = self.directory / "firefox.log"
        env = {**os.environ, "HOME": str(self.directory), "MOZ_CRASHREPORTER_DISABLE": "1"}
        self._process = tether.start([firefox() or NAMES[0], *options], log=self._log, env=env)
        self._connect(profile / "MarionetteActivePort")
        self._sent = 0
        self._send("WebDriver:NewSession", {})

    def command(self, name: str, element: Any = None, **parameters: Any) -> Any:
        own = {"id": element[ELEMENT]} if element is not None else {}
        return self._send(f"WebDriver:{name}", own | parameters)

    @property
    def complaints(self) -> list[str]:
        """Return uncaught errors, and requests that a policy blocked. A page's own console messages stay in its
        process."""
        self._send("Marionette:SetContext", {"value": "chrome"})
        try:
            return [each for each in self.run(ERRORS) if not was_left(each)]
        finally:
            self._send("Marionette:SetContext", {"value": "content"})

    def stop(self) -> None:
        self._stream.close()
        self._socket.close()
        tether.end(self._process)
        shutil.rmtree(self.directory)

    def _connect(self, port: Path) -> None:
        deadline = time.monotonic() + STARTING
        while not (port.exists() and port.read_text().strip()):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Firefox does not start:\n{self._log.read_text()}")
            time.sleep(0.05)
        self._socket = socket.create_connection(("127.0.0.1", int(port.read_text())), 60)
        self._stream = self._socket.makefile("rb")
        self._receive()  # its greeting

    def _send(self, name: str, parameters: dict[str, Any]) -> Any:
        self._sent += 1
        message = json.dumps([0, self._sent, name, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, refusal, result = self._receive()
        if refusal:
            raise Refused(refusal["error"], refusal["message"])
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _receive(self) -> Any:
        """Return a message: its length in digits, a colon and JSON."""
        digits = b""
        while (byte := self._stream.read(1)) != b":":
            if not byte:
                raise ConnectionError(f"Firefox has ended:\n{self._log.read_text()}")
            digits += byte
        return json.loads(self._stream.read(int(digits)))
