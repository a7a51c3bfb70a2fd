"""The texts of a PDF of the site, in the order in which they are drawn, read with the PDF's tables of letters."""

import re
import zlib

_OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)\nendobj", re.S)
_STREAM = re.compile(rb"stream\r?\n(.*)\r?\nendstream", re.S)
_SHOWN = re.compile(rb"/F(\d+) [\d.]+ Tf|\(((?:\\.|[^\\)])*)\)|(\bET\b)", re.S)
_ESCAPED = re.compile(rb"\\(.)", re.S)


def texts(pdf: bytes) -> list[list[str]]:
    """Return each page's pieces of text. Arabic letters are in drawing order, from left to right."""
    objects = _objects(pdf)
    fonts = {
        int(name): _letters(_stream(objects[_referred(objects[int(number)], rb"ToUnicode")]))
        for name, number in re.findall(rb"/F(\d+) (\d+) 0 R", pdf)
    }
    return [_shown(content, fonts) for content in contents(pdf)]


def contents(pdf: bytes) -> list[bytes]:
    """Return each page's drawing instructions."""
    objects = _objects(pdf)
    pages = [content for content in objects.values() if b"/Type /Page\n" in content]
    return [_stream(objects[_referred(page, rb"Contents")]) for page in pages]


def _objects(pdf: bytes) -> dict[int, bytes]:
    return {int(number): content for number, content in _OBJECT.findall(pdf)}


def _referred(content: bytes, name: bytes) -> int:
    found = re.search(rb"/" + name + rb" (\d+) 0 R", content)
    assert found is not None, name
    return int(found[1])


def _stream(content: bytes) -> bytes:
    found = _STREAM.search(content)
    assert found is not None
    return zlib.decompress(found[1]) if b"/FlateDecode" in content else found[1]


def _letters(table: bytes) -> dict[int, str]:
    pairs = re.findall(rb"<([0-9A-F]+)> <([0-9A-F]+)>\n", table.partition(b"beginbfchar")[2])
    return {int(glyph, 16): bytes.fromhex(letters.decode()).decode("utf-16-be") for glyph, letters in pairs}


def _shown(content: bytes, fonts: dict[int, dict[int, str]]) -> list[str]:
    pieces, font = [""], dict[int, str]()
    for name, string, end in _SHOWN.findall(content):
        if name:
            font = fonts[int(name)]
        elif end:
            pieces.append("")
        else:
            codes = _ESCAPED.sub(lambda match: {b"r": b"\r", b"n": b"\n"}.get(match[1], match[1]), string)
            pieces[-1] += "".join(font[int.from_bytes(codes[k : k + 2], "big")] for k in range(0, len(codes), 2))
    return [piece for piece in pieces if piece]
