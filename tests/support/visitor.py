"""A visitor with a browser's cookies. Each request goes to a chosen machine of a site."""

import http.client
import re
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode

from tests.services.system import System

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Reply(NamedTuple):
    status: int
    location: str
    text: str


class Visitor:
    """A visitor; the proxy in front says that their IP address is `address`."""

    def __init__(self, address: str = "203.0.113.7") -> None:
        self._address, self._cookies = address, dict[str, str]()

    def get(self, machine: System, path: str) -> Reply:
        return self._request(machine, "GET", path)

    def post(self, machine: System, path: str, page: str = "", **fields: str) -> Reply:
        """Send the form on `page`, by default the form on the same URL."""
        token = TOKEN.search(self.get(machine, page or path).text)
        return self._request(
            machine, "POST", path, urlencode({"csrfmiddlewaretoken": token[1] if token else ""} | fields)
        )

    def sign_in(self, machine: System, name: str, password: str) -> Reply:
        return self.post(machine, "/account/login/", login=name, password=password)

    def _request(self, machine: System, method: str, path: str, body: str | None = None) -> Reply:
        headers = {"Host": "127.0.0.1", "X-Forwarded-For": self._address}
        headers |= {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        connection = http.client.HTTPConnection("127.0.0.1", machine.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            for each in answer.headers.get_all("Set-Cookie", []):
                self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(each).items()}
            return Reply(answer.status, answer.headers.get("Location", ""), answer.read().decode("utf-8", "replace"))
        finally:
            connection.close()
