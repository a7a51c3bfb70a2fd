"""Calls of functions in the page's modules, made in a real engine. The modules are served unchanged from the
repository."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from surveys.respondent.page import assets
from tests.support.engines import ENGINES

MODULES = Path(assets.__file__).parents[2] / "static" / "respond"
Call = Callable[..., Any]
# A page that calls functions of a module. Arguments and results pass through its document: in every engine, WebDriver's
# scripts share only the document with a page. Bytes and large numbers are hexadecimal on both sides.
PAGE = b"""<!doctype html><body><div id="stage"></div><script type="module">
  const module = await import(`./${location.search.slice(1)}`);
  const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  const hex = (list) => Array.from(list, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const mapped = (value, how) => Object.fromEntries(Object.entries(value).map(([key, each]) => [key, how(each)]));
  async function shown(value) {
    if (value instanceof Uint8Array) return hex(value);
    if (value instanceof Response) {
      return { status: value.status, headers: [...value.headers], text: await value.text() };
    }
    return value && mapped(value, hex);
  }
  async function pair([secret, open]) {
    const imported = { name: "X25519" };
    const secretBytes = bytes(`302e020100300506032b656e04220420${secret}`);
    return {
      privateKey: await crypto.subtle.importKey("pkcs8", secretBytes, imported, true, ["deriveBits"]),
      publicKey: await crypto.subtle.importKey("raw", bytes(open), imported, true, []),
    };
  }
  const KINDS = { bytes, pair, number: (text) => BigInt(`0x${text}`), plain: (value) => value,
    named: (each) => mapped(each, bytes) };
  addEventListener("call", async () => {
    const { dataset } = document.body;
    const [name, given] = JSON.parse(dataset.call);
    try {
      const value = await module[name](...await Promise.all(given.map(([kind, each]) => KINDS[kind](each))));
      dataset.came = JSON.stringify({ value: await shown(value) });
    } catch (error) {
      dataset.came = JSON.stringify({ error: String(error) });
    }
  });
  document.body.dataset.ready = "";
</script></body>
"""
CALL = """
  delete document.body.dataset.came;
  document.body.dataset.call = arguments[0];
  window.dispatchEvent(new Event("call"));
"""


class Files(SimpleHTTPRequestHandler):
    """A server of the page's modules and of a page that calls them."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given, directory=str(MODULES))

    def do_GET(self) -> None:
        if not self.path.startswith("/?"):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: Any) -> None:
        pass


class Named(dict[str, bytes]):
    """A JavaScript object whose values are bytes."""


class Pair(tuple[bytes, bytes]):
    """A private key of X25519 and its public half."""


@contextmanager
def calls(engine: str, module: str) -> Iterator[Call]:
    """Yield a function that calls the module's function of a given name in an engine. Arguments are integers, bytes,
    `Named`, a `Pair` or plain values. The result is {"value": the return value} or {"error": the exception}."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with ENGINES[engine]() as running:
            running.go(f"http://127.0.0.1:{server.server_port}/?{module}")
            running.until(lambda: running.run("return 'ready' in document.body.dataset"), "its module")

            def call(name: str, *arguments: Any) -> Any:
                running.run(CALL, json.dumps([name, [_typed(each) for each in arguments]]))
                came = running.until(lambda: running.run("return document.body.dataset.came"), f"what {name} gives")
                return json.loads(came)

            yield call
    finally:
        server.shutdown()
        server.server_close()


def _typed(value: Any) -> list[Any]:
    match value:
        case bytes():
            return ["bytes", value.hex()]
        case Named():
            return ["named", {name: each.hex() for name, each in value.items()}]
        case Pair():
            return ["pair", [each.hex() for each in value]]
        case int() if value > 2**53:
            return ["number", f"{value:x}"]
    return ["plain", value]
