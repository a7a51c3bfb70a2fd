"""Conversion of a chosen picture: decode it, shrink it and write it as WebP. Only the visible picture remains: no
place, no camera, no colour profile."""

import base64
import io
from collections.abc import Iterator
from typing import IO

from django.utils.translation import gettext as _
from PIL import Image
from PIL.Image import Transpose

from surveys.rules import webp
from surveys.rules.limits import PICTURE_BYTES_MAX
from surveys.rules.unchecked import Unchecked
from surveys.survey.definition.pictures import LARGEST

FORMATS = ("JPEG", "PNG", "WEBP")
FILE_MAX = 3 << 20  # bytes; a browser shrinks larger files before it sends them (static/designer/pictures.js)
PIXELS_MAX = 24_000_000  # decoded, at 4 bytes each
QUALITIES = (85, 70, 55)
SMALLER = 0.8
ORIENTATION = 0x0112  # of EXIF
_UPRIGHT = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
SIDEWAYS = (Transpose.TRANSPOSE, Transpose.ROTATE_270, Transpose.TRANSVERSE, Transpose.ROTATE_90)


class NotPicture(ValueError):
    """A file that is no usable picture. The text tells what it must be, in the page's language."""


def reencoded(file: IO[bytes], what: str) -> Unchecked:
    """Return a draft's picture; `what` is one of LARGEST. Raise NotPicture if the file cannot be shown."""
    data = file.read(FILE_MAX + 1)
    if len(data) > FILE_MAX:
        raise NotPicture(_("must have at most %(most)d megabytes") % {"most": FILE_MAX >> 20})
    image = _small(_opened(data), LARGEST[what])
    content = next(each for each in _tries(image) if len(each) <= PICTURE_BYTES_MAX)
    size = webp.size(content)
    assert size is not None, "Pillow wrote more than a picture"
    return {"data": base64.b64encode(content).decode(), "width": size.width, "height": size.height}


def _opened(data: bytes) -> Image.Image:
    """Return the opened picture. Sizes are checked before decoding; of a too large file only the head is read."""
    try:
        _not_too_large(data)
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        if image.width * image.height > PIXELS_MAX:
            raise _too_many()
        # phones add a preview or a brightness map to a JPEG (MPO); its first picture is the visible one
        if image.format != "MPO" and getattr(image, "n_frames", 1) > 1:
            raise NotPicture(_("must not move: choose a still picture"))
        # a JPEG is decoded at an eighth, a quarter or half of its size if that suffices
        image.draft(None, (2 * LARGEST["picture"].width, 2 * LARGEST["picture"].height))
        image.load()
    except NotPicture:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning, OSError, SyntaxError, ValueError):
        rule = _("must be a JPEG, PNG or WebP picture that can be read; SVG, GIF and films cannot be taken")
        raise NotPicture(rule) from None
    return image


def _not_too_large(data: bytes) -> None:
    """Raise NotPicture for a too large WebP. Pillow allocates all of its pixels on opening."""
    canvas = data[24:30] if data[:4] == b"RIFF" and data[12:16] == b"VP8X" else b""
    if len(canvas) == 6 and _side(canvas[:3]) * _side(canvas[3:]) > PIXELS_MAX:
        raise _too_many()
    size = webp.size(data)
    if size and size.width * size.height > PIXELS_MAX:
        raise _too_many()


def _side(three: bytes) -> int:
    return int.from_bytes(three, "little") + 1


def _too_many() -> NotPicture:
    rule = _("must have at most %(most)d million pixels: choose a smaller picture")
    return NotPicture(rule % {"most": PIXELS_MAX // 1_000_000})


def _small(image: Image.Image, largest: webp.Size) -> Image.Image:
    """Return the picture upright, shrunk to its largest shown size, in colours that all browsers have. Transparent
    parts become white, because the page may be light or dark. Shrinking comes first, so that at most two full-size
    copies exist."""
    turn, is_clear = _turn(image), image.has_transparency_data
    if image.mode.startswith("I"):
        # a conversion alone would turn all but nearly black pixels of 16 bits white
        image = image.point(lambda value: value / 257).convert("L")
    mode = "RGBA" if is_clear else "RGB"
    made = image if image.mode == mode else image.convert(mode)
    made.thumbnail(largest[::-1] if turn in SIDEWAYS else largest, Image.Resampling.LANCZOS)
    if turn is not None:
        made = made.transpose(turn)
    if is_clear:
        made = Image.alpha_composite(Image.new("RGBA", made.size, "white"), made).convert("RGB")
    made.info.clear()
    return made


def _turn(image: Image.Image) -> Transpose | None:
    """Return the turn that makes the picture upright; None if its EXIF is missing or unreadable."""
    try:
        return _UPRIGHT.get(image.getexif().get(ORIENTATION, 1))
    except Exception:  # Pillow raises different exceptions for different faults
        return None


def _tries(image: Image.Image) -> Iterator[bytes]:
    """Yield versions, the best first: lossless or best quality, lower quality, then smaller."""
    yield min(_webp(image, lossless=True), _webp(image, quality=QUALITIES[0]), key=len)
    while True:
        yield from (_webp(image, quality=quality) for quality in QUALITIES)
        image = image.resize([max(1, round(side * SMALLER)) for side in image.size], Image.Resampling.LANCZOS)


def _webp(image: Image.Image, quality: int = 100, lossless: bool = False) -> bytes:
    file = io.BytesIO()
    image.save(file, "WEBP", quality=75 if lossless else quality, lossless=lossless, exact=False)
    return file.getvalue()
