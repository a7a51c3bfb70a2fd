"""A chosen file becomes a picture of a draft, with nothing left except the visible image."""

import array
import base64
import io
import random
import time
import tracemalloc
import zlib

import pytest
from PIL import Image

from surveys.drafts import options, pictures
from surveys.drafts.pictures import NotPicture, reencoded
from surveys.rules import webp
from surveys.rules.limits import PICTURE_BYTES_MAX
from surveys.survey import definition as definitions
from tests.support.factories import DRAFT
from tests.support.picture_files import SECRET, drawing, file, photograph, picture


def taken(data, what="picture"):
    return reencoded(io.BytesIO(data), what)


def image(given):
    return Image.open(io.BytesIO(base64.b64decode(given["data"])))


def test_nothing_of_a_photograph_is_left_but_what_is_seen():
    data = photograph()
    assert data.count(SECRET) > 20 and Image.open(io.BytesIO(data)).getexif().get_ifd(0x8825)
    given = taken(data)
    bare = base64.b64decode(given["data"])
    assert SECRET not in bare and b"EXIF" not in bare and b"ICCP" not in bare
    made = image(given)
    assert not made.getexif() and set(made.info) <= {"loop", "background", "timestamp", "duration"}
    assert webp.size(bare) == (given["width"], given["height"]) == (90, 60)
    survey = DRAFT | {"questions": [DRAFT["questions"][0] | {"picture": given | {"alt": "A disc"}}]}
    assert SECRET not in definitions.canonical(definitions.build(survey))


def test_it_is_held_as_the_camera_was():
    given = taken(photograph(90, 60, turned=6))
    assert (given["width"], given["height"]) == (60, 90)
    red, _green, _blue = image(given).convert("RGB").getpixel((30, 80))  # the disc was on the left
    assert red > 200


@pytest.mark.parametrize(("what", "most"), [("picture", (640, 640)), ("pictures", (320, 320)), ("logo", (320, 96))])
@pytest.mark.parametrize("size", [(2000, 1000), (500, 1500), (10, 10)])
def test_it_is_made_smaller_and_never_larger(what, most, size):
    given = taken(file(drawing(*size)), what)
    share = min(1, most[0] / size[0], most[1] / size[1])
    for side, name in enumerate(("width", "height")):
        assert abs(given[name] - size[side] * share) < 1 and given[name] <= most[side]


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_what_no_program_makes_smaller_comes_in_32_kilobytes_too(form):
    data = random.Random(3).randbytes(3 * 500 * 400)
    given = taken(file(Image.frombytes("RGB", (500, 400), data), form))
    assert len(base64.b64decode(given["data"])) <= PICTURE_BYTES_MAX and image(given).load()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK"])
def test_files_of_every_sort_of_colours_are_taken(mode):
    form = "JPEG" if mode == "CMYK" else "PNG"
    assert image(taken(file(Image.new(mode, (20, 10)), form))).size == (20, 10)


def test_gray_of_16_bits_stays_gray():
    values = array.array("H", [257 * x for _line in range(10) for x in range(256)])
    made = image(taken(file(Image.frombytes("I;16", (256, 10), values.tobytes())))).convert("L")
    for x in (10, 128, 245):
        assert abs(made.getpixel((x, 5)) - x) < 8


def test_of_a_telephones_jpeg_with_more_in_it_the_first_picture_is_taken():
    more = drawing(30, 20, "#000000")
    given = taken(file(drawing(900, 600, "#c00000"), "MPO", save_all=True, append_images=[more]))
    assert (given["width"], given["height"]) == (640, 427)
    assert image(given).convert("RGB").getpixel((200, 200))[0] > 150


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    "broken", [b"garbage", b"", b"II*\0\x08\0\0\0\x05\0", b"MM\0*\0\0\0\x08" + b"\0\1\x01\x12\0\2\0\0\0\1\6\0\0\0"]
)
@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_a_picture_whose_exif_no_one_can_read_is_taken_as_it_lies(form, broken):
    assert image(taken(file(drawing(60, 30), form, exif=b"Exif\0\0" + broken))).size == (60, 30)


def test_what_lies_on_its_side_is_as_large_as_what_does_not():
    given = taken(photograph(900, 300, turned=6), "logo")
    assert (given["width"], given["height"]) == (32, 96)


def test_what_can_be_seen_through_is_white():
    clear = Image.new("RGBA", (20, 10), (0, 0, 0, 0))
    clear.putpixel((3, 3), (200, 0, 0, 255))
    made = image(taken(file(clear))).convert("RGBA")
    assert made.getpixel((15, 5)) == (255, 255, 255, 255) and made.getpixel((3, 3))[0] > 150


NONE = {
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "gif": file(drawing(mode="L"), "GIF"),
    "tiff": file(form="TIFF"),
    "text": b"Dear all,",
    "nothing": b"",
    "a_torn_png": file()[:60],
    "a_torn_jpeg": file(form="JPEG")[:300],
    "a_torn_webp": file(form="WEBP")[:40],
}


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_picture_is_refused(name):
    with pytest.raises(NotPicture, match="JPEG, PNG or WebP"):
        taken(NONE[name])


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
def test_what_moves_is_refused(form):
    with pytest.raises(NotPicture, match="still"):
        taken(file(form=form, save_all=True, append_images=[drawing(colour="#000000")]))


def _png_bomb(side):
    """Return a PNG of that many pixels in few bytes, made without memory for them."""
    packer, line = zlib.compressobj(9), b"\0" * (1 + side // 8)
    packed = b"".join(packer.compress(line) for _ in range(side)) + packer.flush()
    parts = [(b"IHDR", side.to_bytes(4) * 2 + b"\1\0\0\0\0"), (b"IDAT", packed), (b"IEND", b"")]
    chunks = (len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4) for name, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _webp_bomb():
    head = file(drawing(16, 16), "WEBP", lossless=True)
    return head[:21] + (16383 | 16383 << 14).to_bytes(4, "little") + head[25:]


def _canvas_bomb():
    head = file(form="WEBP", exif=b"Exif\0\0x")
    return head[:24] + b"\xff\x3f\0" * 2 + head[30:]


BOMBS = {"png": lambda: _png_bomb(30_000), "webp": _webp_bomb, "canvas": _canvas_bomb}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_few_bytes_that_would_fill_the_memory_are_refused_at_once(name):
    bomb = BOMBS[name]()
    assert len(bomb) < 1 << 20
    tracemalloc.start()
    begun = time.process_time()
    with pytest.raises(NotPicture):
        taken(bomb)
    assert time.process_time() - begun < 1
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


def test_a_file_that_no_one_sends_is_not_read_to_its_end():
    with pytest.raises(NotPicture, match="3 megabytes"):
        taken(file() + bytes(pictures.FILE_MAX))


def test_a_picture_goes_with_its_option_and_away_with_it():
    pics = [picture(10 + i, 10) for i in range(3)]
    before = {"key": "q", "kind": "single_choice", "options": ["a", "b", "c"], "pictures": pics}
    for lines, expected in (
        (["c", "a", "b"], [pics[2], pics[0], pics[1]]),
        (["a", "c"], [pics[0], pics[2]]),
        (["a", "new", "b", "c"], [pics[0], None, pics[1], pics[2]]),
        (["a", "better", "c"], pics),
        (["x", "y"], None),
    ):
        after = before | {"options": lines, "pictures": list(pics)}
        options.follow({"questions": [after]}, before, after)
        assert after.get("pictures") == expected, lines


def test_pictures_stay_with_their_options_while_two_have_the_same_words():
    """A designer changes “Redder” to “Red wine”, and the draft saves the text in between."""
    question = {"key": "q", "kind": "single_choice", "options": ["Red", "Redder"]}
    question["pictures"] = pics = [picture(10 + i, 10) for i in range(2)]
    for lines in (["Red", "Red"], ["Red", "Red wine"]):
        after = question | {"options": lines}
        options.follow({"questions": [after]}, question, after)
        question = after
    assert question["pictures"] == pics
