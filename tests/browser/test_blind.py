"""The page blinds and unblinds as RFC 9474 says, in each of the three engines: Chromium, Firefox and WebKit."""

import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from surveys.invitations import blind
from surveys.respond import assets
from tests.invitations.vectors import KEY, VECTORS
from tests.support.engines import ENGINES

pytestmark = pytest.mark.browser

MODULES = Path(assets.__file__).parents[1] / "static" / "respond"
# A page that calls functions of the module. What they are given and what they give stands in its document, which is all
# that scripts of WebDriver share with a page in every engine. Bytes and large numbers are hexadecimal on both sides.
PAGE = b"""<!doctype html><body><div id="stage"></div><script type="module">
  import * as invitation from "./invitation.js";
  const bytes = (text) => Uint8Array.from(text.match(/../g), (byte) => parseInt(byte, 16));
  const hex = (list) => Array.from(list, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const shown = (value) => (value instanceof Uint8Array ? hex(value)
    : value && Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hex(each)])));
  const KINDS = { bytes, number: (text) => BigInt(`0x${text}`), plain: (value) => value };
  addEventListener("call", async () => {
    const { dataset } = document.body;
    const [name, given] = JSON.parse(dataset.call);
    try {
      const value = await invitation[name](...given.map(([kind, each]) => KINDS[kind](each)));
      dataset.came = JSON.stringify({ value: shown(value) });
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
    """The page's modules, with a page that calls them."""

    def __init__(self, *given):
        super().__init__(*given, directory=str(MODULES))

    def do_GET(self):
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module", params=ENGINES)
def call(request, address):
    """A function of invitation.js, given integers, bytes or plain values."""
    with ENGINES[request.param]() as engine:
        engine.go(address)
        engine.until(lambda: engine.run("return 'ready' in document.body.dataset"), "its module")

        def call(name, *arguments):
            engine.run(CALL, json.dumps([name, [typed(each) for each in arguments]]))
            text = engine.until(lambda: engine.run("return document.body.dataset.came"), f"what {name} gives")
            return json.loads(text)

        yield call


def typed(value):
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    return ["number", f"{value:x}"] if isinstance(value, int) and value > 2**53 else ["plain", value]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_every_step_is_that_of_the_rfc(call, vector):
    message, salt, inverse, signature = (
        bytes.fromhex(vector[name]) for name in ("prepared_msg", "salt", "inv", "blind_sig")
    )
    modulus, factor = KEY["n"], pow(int(vector["inv"], 16), -1, KEY["n"])
    assert call("encoded", message, modulus.bit_length() - 1, salt) == {"value": vector["encoded_msg"]}
    blinded = {"message": vector["blinded_msg"], "inverse": vector["inv"]}
    assert call("blind", modulus, message, salt, factor) == {"value": blinded}
    assert call("finalized", modulus, message, signature, inverse) == {"value": vector["sig"]}
    assert call("finalized", modulus, message + b" ", signature, inverse) == {"value": None}
    assert call("finalized", modulus, message, signature[1:], inverse) == {"value": None}


def test_a_factor_without_an_inverse_is_refused(call):
    assert "RangeError" in call("blind", KEY["n"], b"a message", bytes(48), KEY["p"])["error"]


def test_what_the_page_blinds_python_signs_and_what_python_blinds_the_page_unblinds(call):
    key = blind.new_key()
    message = blind.message("0f" * 32, "6f1c2f6e-8d5e-4c40-9d5f-2f1f0c8f5b11")
    theirs = call("blind", key.modulus, message, bytes(range(48)), 3**1000)["value"]
    ours = blind.blind(key.modulus, message, bytes(range(48)), 3**1000)
    assert [theirs["message"], theirs["inverse"]] == [part.hex() for part in ours]
    signature = blind.sign(key, ours.message)
    finished = blind.finalize(key.modulus, message, signature, ours.inverse)
    assert call("finalized", key.modulus, message, signature, ours.inverse) == {"value": finished.hex()}
