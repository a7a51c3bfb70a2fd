"""For any answer of a site, the verifier and the witness print one line and end. They read no more than honest sites
have, contact no other site, and print nothing with which a site could write the verdict."""

import base64
import gzip
import http.server
import json
import math
import socket
import threading
import time
from contextlib import contextmanager
from fractions import Fraction

import pytest

from surveys.transparency.check import verify
from surveys.transparency.log import merkle, note

KEY = note.new_key("a.example/check/log")
DAY = {"day": "2026-03-04"}
NAMED = {"kind": "key", "key": str(KEY.public)} | DAY
ROOT = base64.b64encode(bytes(32)).decode()


def text_of(entry):
    return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def bundle(*texts):
    return b"".join(len(text).to_bytes(2) + text for text in texts)


def checkpoint(texts=(), text=None, size=None):
    """Return a signed checkpoint of these entries or of any text."""
    root = base64.b64encode(merkle.root(list(map(merkle.leaf_hash, texts)))).decode()
    whole = text or f"{KEY.name}\n{len(texts) if size is None else size}\n{root}\n"
    return f"{whole}\n{KEY.sign(whole)}".encode()


class Hostile(http.server.BaseHTTPRequestHandler):
    answers: dict

    def do_GET(self):
        body = self.answers.get(self.path.removeprefix("/check/log/"))
        if callable(body):
            body(self)
        else:
            self.send_response(404 if body is None else 200)
            self.end_headers()
            self.wfile.write(body or b"")

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextmanager
def site(answers):
    """Yield the URL of a site with these answers. An answer that is a function handles the request itself."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("It", (Hostile,), {"answers": answers}))
    threading.Thread(target=server.serve_forever, args=(0.01,)).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def log_of(*entries):
    """Return the answers of a log with these entries, each an object or its bytes."""
    texts = [entry if isinstance(entry, bytes) else text_of(entry) for entry in entries]
    return {"checkpoint": checkpoint(texts), f"tile/entries/000.p/{len(texts)}": bundle(*texts), "policy": b""}


@pytest.fixture
def witness(tmp_path, capsys):
    """Return a function that runs the witness and returns its status and lines."""

    def run(address):
        files = ["--key", str(tmp_path / "key"), "--remember", str(tmp_path / "kept.json")]
        status = verify.main([f"{address}/", "--witness", "me.example", *files])
        out = capsys.readouterr().out
        assert status == ("WRONG" in out) and not (tmp_path / "kept.json.lock").exists()
        return status, out

    return run


@pytest.fixture
def told(witness):
    """Return a function that returns the witness's only line about a log with these answers, which is WRONG."""

    def run(answers):
        with site(answers) as address:
            status, out = witness(address)
        assert status == 1 and out.startswith("WRONG") and out.count("\n") == 1, out
        return out

    return run


def test_an_honest_log_is_signed(witness):
    with site(log_of(NAMED)) as address:
        status, out = witness(address)
        assert status == 0 and "Signed its 1 entries as me.example+" in out
        assert witness(address)[1].startswith("right        The log continues the one of 1 entries")


def test_what_this_machine_refuses_is_not_laid_to_the_site(tmp_path, capsys):
    (tmp_path / "kept.json").mkdir()
    with site(log_of(NAMED)) as address:
        files = ["--key", str(tmp_path / "key"), "--remember", str(tmp_path / "kept.json")]
        assert verify.main([f"{address}/", "--witness", "me.example", *files]) == 1
    out = capsys.readouterr().out
    assert out.startswith("WRONG        a file on this machine cannot be used") and out.count("\n") == 1


SIGNED = checkpoint([text_of(NAMED)]).decode()
LINE = SIGNED.partition("\n\n")[2]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not a signed note"),
        (b"\xff\xfe", "cannot be read"),
        (b"\n\n\n", "not a signed note"),
        (SIGNED[:-1].encode(), "not a signed note"),
        (SIGNED.encode() + LINE.encode() * 64, "not a signed note"),
        (SIGNED.encode() + b"x" * 20_000, "not a signed note"),
        (SIGNED.replace("— ", "- ").encode(), "not a signed note"),
        (SIGNED.encode() + "— b.example AAAA\n".encode(), "not a signed note"),
        (SIGNED.encode() + "— b\x1b[2J.example AAAAAAAA\n".encode(), "not a signed note"),
        (SIGNED.encode() + "— b.example AAAAAAB=\n".encode(), "base64 in another notation"),
        (SIGNED.encode() + "— b.example AAAA=AAA\n".encode(), "not a signed note"),
        (checkpoint(text="a\n1\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n-1\n{ROOT}\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n+1\n{ROOT}\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n01\n{ROOT}\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n١\n{ROOT}\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n1e3\n{ROOT}\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n{'9' * 5000}\n{ROOT}\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n18446744073709551617\n{ROOT}\n"), "not a checkpoint"),
        (checkpoint(text=f"a\n9999999999\n{ROOT}\n"), "the log says that it has 9999999999 entries"),
        (checkpoint(text=f"a\n1\n{ROOT[:-2]}B=\n"), "base64 in another notation"),
        (checkpoint(text=f"a\n1\n{ROOT[:-4]}\n"), "not the root of a tree"),
        (checkpoint(text=f"a\n1\n{base64.b64encode(bytes(33)).decode()}\n"), "not the root of a tree"),
        (checkpoint(text=f"a\n1\n{ROOT}\nmore\n"), "not a checkpoint"),
        (checkpoint([]), "signed by no key that the log names"),
    ],
)
def test_a_checkpoint_that_is_none_is_said_in_one_line(told, body, said):
    assert said in told(log_of(NAMED) | {"checkpoint": body})


def test_a_signature_that_stands_twice_is_right_and_one_beside_it_that_is_wrong_is_not(witness, told):
    with site(log_of(NAMED) | {"checkpoint": SIGNED.encode() + LINE.encode()}) as address:
        assert witness(address)[0] == 0
    other = note.signature_line(KEY.public, bytes(64))
    assert f"the signature of {KEY.name} is wrong" in told(log_of(NAMED) | {"checkpoint": (SIGNED + other).encode()})


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "cut off"),
        (bytes(8 << 20), "cut off"),
        (b"\xff\xff{}", "cut off"),
        (bundle(text_of(NAMED))[:-1], "cut off"),
        (bundle(text_of(NAMED)) + b"\0", "more comes with the log"),
        (bundle(text_of(NAMED)) * 2, "more comes with the log"),
        (b"x" * (8 << 20) + b"xx", "is larger than"),
    ],
    ids=range(7),
)
def test_entries_that_are_cut_off_or_too_many_are_said_in_one_line(told, body, said):
    assert said in told(log_of(NAMED) | {"tile/entries/000.p/1": body})


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (b"{", "cannot be read"),
        (b"\xff", "cannot be read"),
        (b"[" * 60_000, "cannot be read"),
        (b"1" * 60_000, "cannot be read"),
        (b"null", "in one way only"),
        (b'"kind"', "in one way only"),
        (b'["kind"]', "in one way only"),
        (b'{"day":1}', "in one way only"),
        (b'{"kind":"survey","link":"a","link":"b"}', "in one way only"),
        (b'{"kind": "survey"}', "in one way only"),
        (b'{"kind":"\\u0061"}', "in one way only"),
        (b'{"kind":NaN}', "in one way only"),
        ({"kind": "key"}, "cannot be read"),
        ({"kind": "key", "key": 7}, "cannot be read"),
        ({"kind": "key", "key": "a+b+c"}, "not a verifier key|cannot be read"),
        ({"kind": "key", "key": str(KEY.public_of(note.COSIGNATURE))}, "not a verifier key"),
        ({"kind": "key", "key": str(note.new_key("b").public), "before": 1, "signature": "x"}, "cannot be read"),
    ],
    ids=range(17),
)
def test_an_entry_that_can_be_read_in_no_way_or_two_is_said_in_one_line(told, entry, said):
    assert any(part in told(log_of(NAMED, entry)) for part in said.split("|"))


def test_a_name_that_would_write_on_the_terminal_is_no_key_and_no_text_moves_the_cursor(told):
    forged = "a\x1b[1G\x1b[2Kright"
    key = verify.Key(forged, verify.PLAIN, KEY.public.public)
    assert "\x1b" not in told(log_of({"kind": "key", "key": str(key)} | DAY))
    line = verify.line_of(verify.Finding("WRONG", "x\nright        All is well\x1b[1A\r\u202e"))
    assert (
        line
        == "WRONG        x\N{REPLACEMENT CHARACTER}right        All is well"
        + "\N{REPLACEMENT CHARACTER}[1A"
        + ("\N{REPLACEMENT CHARACTER}" * 2)
    )


def lines(*hashes):
    return "".join(f"{each}\n" for each in hashes).encode()


@pytest.mark.parametrize(
    "proof", [b"", b"x", b"\xff", lines("ab"), lines("AB" * 32), lines(*["ab" * 32] * 65), lines("ab" * 32 + " ")]
)
def test_a_proof_that_is_none_is_said_in_one_line_and_what_was_kept_stays(witness, tmp_path, proof):
    later = log_of(NAMED, {"kind": "other"} | DAY, {"kind": "other"} | DAY) | {"consistency/1/3": proof}
    answers = log_of(NAMED)
    with site(answers) as address:
        witness(address)
        kept = (tmp_path / "kept.json").read_bytes()
        answers.update(later)
        status, out = witness(address)
    assert status == 1 and out.count("\n") == 1 and (tmp_path / "kept.json").read_bytes() == kept


def test_two_logs_of_one_name_are_not_both_signed_at_whatever_addresses_they_are(witness):
    first, other = log_of(NAMED, {"kind": "one"} | DAY), log_of(NAMED, {"kind": "two"} | DAY)
    with site(first) as address, site(other) as elsewhere, site(first) as mirror:
        assert witness(address)[0] == 0
        assert "the log is another one than that of 2 entries" in witness(elsewhere)[1]
        assert f"right        At {address} it was: The log continues" in witness(mirror)[1]


# The connection -------------------------------------------------------------------------------------------------------


def bomb(request):
    request.send_response(200)
    request.send_header("Content-Encoding", "gzip")
    request.end_headers()
    request.wfile.write(gzip.compress(bytes(64 << 20)))


def half(request):
    request.send_response(200)
    request.send_header("Content-Encoding", "gzip")
    request.end_headers()
    request.wfile.write(gzip.compress(b"x" * 1000)[:-9])


def nonsense(request):
    request.wfile.write(b"nonsense\r\n\r\n")


def elsewhere(request):
    request.send_response(302)
    request.send_header("Location", "file:///etc/passwd")
    request.end_headers()


def hangs_up(request):
    request.connection.shutdown(socket.SHUT_RDWR)


def drips(request):
    """Send one byte after another, for ever."""
    request.send_response(200)
    request.end_headers()
    try:
        while True:
            request.wfile.write(b"x")
            time.sleep(0.05)
    except OSError:
        pass


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (bomb, "is larger than 8388608 bytes"),
        (half, "was not answered"),
        (nonsense, "was not answered"),
        (elsewhere, "was not answered"),
        (hangs_up, "was not answered"),
        (drips, "was not answered: TimeoutError"),
    ],
)
def test_an_answer_without_end_or_sense_is_said_in_one_line(told, monkeypatch, answer, said):
    if answer is drips:  # the other answers are refused at any speed
        monkeypatch.setattr(verify, "SECONDS", 1)
    # The first of the two clients accepts no compressed answer, and says so. A lying site compresses nevertheless.
    began = time.monotonic()
    assert said in told(log_of(NAMED) | {"checkpoint": answer})
    assert time.monotonic() - began < 60


def test_a_site_that_answers_slowly_for_hours_is_left(told, monkeypatch):
    monkeypatch.setattr(verify, "HOURS", 0)
    assert "has not answered all within" in told(log_of(NAMED))


@pytest.mark.parametrize(
    "path",
    [
        "file:///etc/passwd",
        "//169.254.169.254/latest",
        "/\\elsewhere.example",
        "https://elsewhere.example/",
        "x",
        "",
        "/a\nb",
        f"/{'x' * 300}",
    ],
)
def test_no_address_leads_to_another_site_or_into_this_machine(path, tmp_path):
    with pytest.raises(verify.Wrong, match="is no address of this site"):
        verify.check_files(verify.Site("https://nobody.invalid", offline=tmp_path), {path: "sha384-x"})


@pytest.mark.parametrize(
    "manifest",
    [
        {"document": {}, "files": {"/respond/page.js": "x"}},
        {"document": {"/s/": "x"}, "files": {}},
        {"document": {"/s/": "x", "/t/": "y"}, "files": {"/respond/page.js": "x"}},
        {"document": {"/s/": "x"}, "files": {f"/{i}": "x" for i in range(300)}},
    ],
)
def test_a_manifest_that_names_no_page_or_no_end_of_files_is_none(manifest):
    with pytest.raises(verify.Wrong, match="the manifest is not that of a page"):
        verify.manifest_of(json.dumps(manifest).encode())


# The tables -----------------------------------------------------------------------------------------------------------

QUESTION = {"key": "a", "kind": "yes_no", "options": ["Yes", "No"]}
DRAW = {"questions": ["a"], "alpha": "1", "table": {"keep": 3 << 50, "sizes": [1]}}


@pytest.mark.parametrize(
    "change",
    [
        *(
            {"alpha": alpha}
            for alpha in ("1e999999999", "1/3", " 1", "-1", "0", "17", "1000", "Infinity", "١", 1, None, [])
        ),
        {"alpha": "1", "delta": "1", "table": {"noise": [1, 2]}},
        {"alpha": "1", "delta": "0.5", "table": {"noise": [1 << 51, 1 << 52]}},
        {"table": None},
        {"table": []},
        {"table": "keep"},
        {"table": {"keep": {}, "sizes": [1]}},
        {"table": {"keep": True, "sizes": [1]}},
        *({"table": {"keep": keep, "sizes": [1]}} for keep in (0, -1, 1 << 52, 1 << 53, 1 << 60)),
        *({"table": {"keep": 1, "sizes": sizes}} for sizes in (None, [], [0], [2], [1, 1], [[1]])),
        {"questions": []},
        {"questions": ["b"]},
        {"questions": ["a", "a"], "table": {"keep": 1, "sizes": [1, 1]}},
    ],
    ids=repr,
)
def test_a_draw_that_promises_too_much_or_nothing_does_not_keep_its_alpha(change):
    began = time.process_time()
    assert verify.check_tables({"questions": [QUESTION], "draws": [DRAW]}) == 1
    with pytest.raises(verify.Wrong):
        verify.check_tables({"questions": [QUESTION], "draws": [DRAW | change]})
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "definition",
    [
        {"questions": [QUESTION] * 201, "draws": [DRAW]},
        {"questions": [QUESTION], "draws": [DRAW | {"table": {"noise": list(range(12_001))}, "delta": "0.0001"}]},
        {"questions": [QUESTION], "draws": [DRAW] * 401},
        {"questions": [QUESTION], "draws": [], "forms": [{"weight": 1, "draws": [DRAW]}] * 401},
    ],
    ids=["questions", "integers", "draws", "forms"],
)
def test_a_definition_larger_than_any_is_not_worked_through(definition):
    with pytest.raises(verify.Wrong, match="larger than that of any survey"):
        verify.check_tables(definition)


@pytest.mark.parametrize("definition", [None, [], 1, {"questions": 1}, {"questions": ["x"]}, {"questions": [[]]}])
def test_a_definition_that_is_none_is_said_in_one_line(definition, capsys):
    def found():
        yield verify.right(str(verify.check_tables(definition)))

    assert verify.write_findings(found()) == 1
    assert capsys.readouterr().out.startswith("WRONG")


def test_a_question_without_a_draw_or_with_two_is_noticed():
    other, draw = QUESTION | {"key": "b"}, DRAW | {"questions": ["b"]}
    questions = {"questions": [QUESTION, other]}
    assert verify.check_tables(questions | {"draws": [DRAW, draw]}) == 2
    assert verify.check_tables(questions | {"draws": [], "forms": [{"draws": [DRAW]}, {"draws": [draw]}]}) == 2
    assert verify.check_tables(questions | {"draws": [DRAW], "forms": [{"draws": [draw]}, {"draws": [draw]}]}) == 2
    with pytest.raises(verify.Wrong, match="a question has no draw"):
        verify.check_tables(questions | {"draws": [DRAW]})
    for twice in ({"draws": [DRAW, draw, DRAW]}, {"draws": [DRAW], "forms": [{"draws": [draw, DRAW]}]}):
        with pytest.raises(verify.Wrong, match="asked a question twice"):
            verify.check_tables(questions | twice)


@pytest.mark.parametrize("alpha", ["0.01", "1", "2.5", "16"])
@pytest.mark.parametrize(("options", "sizes"), [([2], [1]), ([7], [3]), ([2, 3], [1, 2]), ([5, 5, 4], [1, 4, 2])])
def test_the_largest_chance_of_keeping_the_answers_is_right_and_one_more_is_not(alpha, options, sizes):
    questions = [{"key": f"q{d}.{place}", "kind": "ordered", "options": ["x"] * d} for place, d in enumerate(options)]
    questions = [{"prefer_not_to_say": False} | question for question in questions]
    draw = {"questions": [question["key"] for question in questions], "alpha": alpha}
    grown = verify.exp_below(Fraction(alpha)) - 1
    largest = math.floor(verify.R * grown / (grown + Fraction(math.prod(options), math.prod(sizes))))
    for keep in (1, largest, largest + 1):
        definition = {"questions": questions, "draws": [draw | {"table": {"keep": keep, "sizes": sizes}}]}
        if keep <= largest:
            assert verify.check_tables(definition) == len(questions)
        else:
            with pytest.raises(verify.Wrong, match="does not keep its alpha"):
                verify.check_tables(definition)


# Witnesses ------------------------------------------------------------------------------------------------------------


def cosigned(moment):
    text = checkpoint([text_of(NAMED)]).decode().partition("\n\n")[0] + "\n"
    seed = bytes(32)
    key = verify.Key("w", verify.COSIGNATURE, verify.public_of(seed))
    line = key.line(moment.to_bytes(8) + verify.sign(seed, verify.cosigned(text, moment)))
    return key, verify.note_of(f"{text}\n{LINE}{line}".encode())


def test_a_cosignature_has_a_time_that_was():
    key, right = cosigned(1_779_573_024)
    assert right.cosigned_by(key) == 1_779_573_024
    for moment in (0, int(time.time()) + 200_000, 1 << 63, (1 << 64) - 1):
        key, wrong = cosigned(moment)
        with pytest.raises(verify.Wrong, match="not of a time that was"):
            wrong.cosigned_by(key)


def test_of_a_witness_that_signed_twice_the_last_time_counts_and_no_line_may_be_wrong():
    key, first = cosigned(1_779_573_024)
    _, second = cosigned(1_779_573_030)
    own = [each for each in second.signatures if each[0] == "w"]
    assert first._replace(signatures=[*first.signatures, *own]).cosigned_by(key) == 1_779_573_030
    spoiled = [(name, number, value[:-1] + bytes([value[-1] ^ 1])) for name, number, value in own]
    with pytest.raises(verify.Wrong, match="the cosignature of w is wrong"):
        first._replace(signatures=[*first.signatures, *spoiled]).cosigned_by(key)


def test_a_witness_is_counted_once_under_whatever_names(capsys):
    key, _ = cosigned(1)
    twice = ["--trust", str(key), "--trust", str(key._replace(name="another"))]
    with pytest.raises(SystemExit):
        verify.main(["https://a/s/#x", *twice, "--quorum", "2"])
    assert "one witness is one" in capsys.readouterr().err
    for option, other in (("--trust", KEY.public), ("--log-key", key)):
        with pytest.raises(SystemExit):
            verify.main(["https://a/s/#x", option, str(other)])
        assert "is not the verifier key of" in capsys.readouterr().err
