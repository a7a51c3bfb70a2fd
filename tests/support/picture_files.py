"""Pictures for tests: as files that a person chooses, and as drafts store them."""

import base64
import io
import random
import struct
from typing import Any

from PIL import Image, ImageDraw

SECRET = b"Heron Lane 7"  # a text that a camera wrote into the file
SOUTH_EAST = {1: "S", 2: (33.0, 51.0, 35.9), 3: "E", 4: (151.0, 12.0, 40.0)}


def drawing(width: int = 64, height: int = 48, colour: str = "#3357a8", mode: str = "RGB") -> Image.Image:
    """Return a disc on white; a turned or cropped picture looks different."""
    image = Image.new(mode, (width, height), "white")
    side = min(width, height)
    ImageDraw.Draw(image).ellipse((0, 0, side - 1, side - 1), fill=colour)
    return image


def file(image: Image.Image | None = None, form: str = "PNG", **options: Any) -> bytes:
    written = io.BytesIO()
    (image or drawing()).save(written, form, **options)
    return written.getvalue()


def photograph(width: int = 90, height: int = 60, turned: int = 1) -> bytes:
    """Return a JPEG with the data that a telephone writes: a description, an orientation, a location and a comment."""
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = SECRET.decode(), turned
    exif.get_ifd(0x8825).update(SOUTH_EAST)
    return file(drawing(width, height), "JPEG", exif=exif, comment=SECRET, icc_profile=SECRET * 20)


def picture(width: int = 64, height: int = 48, alt: str | None = None, colour: str = "#3357a8") -> dict[str, Any]:
    """Return a picture as a draft stores it. The picture of an option has no `alt`."""
    return of_bytes(file(drawing(width, height, colour), "WEBP", lossless=True), width, height, alt)


def noise(side: int, alt: str) -> dict[str, Any]:
    """Return a picture that no program can compress."""
    image = Image.frombytes("RGB", (side, side), random.Random(7).randbytes(3 * side * side))
    return of_bytes(file(image, "WEBP", lossless=True), side, side, alt)


def of_bytes(data: bytes, width: int, height: int, alt: str | None = None) -> dict[str, Any]:
    shown = {"data": base64.b64encode(data).decode(), "width": width, "height": height}
    return shown if alt is None else shown | {"alt": alt}


def with_chunk(data: bytes, name: bytes, content: bytes) -> bytes:
    """Return a WebP file with an extra chunk at its end."""
    chunk = name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
    return b"RIFF" + struct.pack("<I", len(data) - 8 + len(chunk)) + data[8:] + chunk


PICTURED: dict[str, Any] = {
    "title": "On the move",
    "introduction": "Three questions.",
    "logo": picture(200, 60, "The Society for Walking"),
    "questions": [
        {"key": "walks", "kind": "yes_no", "text": "Do you walk to work?", "alpha": "1"},
        {
            "key": "way",
            "kind": "single_choice",
            "text": "How do you get there most often?",
            "note": "The longest part counts.",
            "options": ["On foot", "By bus", "By train"],
            "prefer_not_to_say": True,
            "alpha": "2",
            "picture": picture(320, 180, "A street with a bus stop", "#0f5c56"),
            "pictures": [picture(160, 120), None, picture(120, 160, colour="#8a5200")],
        },
        {
            "key": "steps",
            "kind": "ordered",
            "text": "How steep is the way?",
            "options": ["Flat", "Gentle", "Steep"],
            "alpha": "2",
            "asked_if": {"question": "walks", "options": [0]},
            "picture": picture(300, 200, "Three hills, each higher than the one before", "#8a1020"),
            "pictures": [picture(100, 60), picture(100, 80), picture(100, 100)],
        },
    ],
}
