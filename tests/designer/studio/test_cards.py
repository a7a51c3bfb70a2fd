"""Invitations to print: the text of each card, in rows, with a code that leads to its link."""

import re

import pytest
import segno

from surveys.designer.invitations import cards
from surveys.figures import picture
from tests.support import pdfs

LINK = "https://survey.example.org/s/#abcdefgh12345678//{:022d}"
WORDS = "Your own link: it allows one report, and the site cannot see whose report that is."


def card(person="", number=1, typed=""):
    return cards.InvitationCard(person, LINK.format(number), typed)


def test_every_card_has_its_title_person_words_and_whole_link_eight_on_a_page():
    drawn = cards.pdf("Health", "en", [card(f"Person {number}", number) for number in range(9)])
    pages = pdfs.texts(drawn)
    assert [sum(piece == "Health" for piece in page) for page in pages] == [8, 1]
    for number, page in zip(range(9), [*[pages[0]] * 8, pages[1]], strict=True):
        assert f"Person {number}" in page and LINK.format(number) in "".join(page) and WORDS in " ".join(page)
    assert drawn == cards.pdf("Health", "en", [card(f"Person {number}", number) for number in range(9)])


def test_what_can_be_typed_stands_below_the_code():
    [page] = pdfs.texts(cards.pdf("Health", "en", [card(typed="ABCD-EFGH 1234-5678-1234-5678-90AB-CDEF")]))
    assert "survey.example.org/s/" in page and "ABCD-EFGH" in page
    assert "1234-5678-1234-5678-" in page and "90AB-CDEF" in page


def test_the_code_is_that_of_the_link():
    [content] = pdfs.contents(cards.pdf("Health", "en", [card()]))
    runs = re.findall(rb"(\d+) (\d+)\.5 m (\d+) \2\.5 l", content)
    drawn = {(x, int(y)) for start, y, end in runs for x in range(int(start), int(end))}
    matrix = segno.make(LINK.format(1), error="m", micro=False).matrix
    assert drawn == {(x, y) for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark}


def test_long_texts_end_with_an_ellipsis_in_their_last_row():
    [page] = pdfs.texts(cards.pdf("many words " * 40, "en", [card("w" * 300)]))
    assert [piece[-1] for piece in page[:7]].count("…") == 2 and page[4].endswith("…") and page[6].endswith("…")
    assert " ".join(page[:5]).startswith("many words many") and page[7].startswith("Your own")


def test_arabic_is_written_from_the_right_with_its_code_at_the_right():
    title = "استبيان"
    [page] = pdfs.texts(cards.pdf(title, "ar", [card("محمد")]))
    assert page[:2] == [title[::-1], "محمد"[::-1]]


def test_letters_that_the_fonts_lack_come_from_fonts_of_the_machine(monkeypatch, caplog):
    name = "\N{MATHEMATICAL BOLD SCRIPT CAPITAL A}"
    assert name not in pdfs.texts(cards.pdf("Health", "en", [card(name)]))[0]
    assert not caplog.records
    monkeypatch.setattr(picture, "FALLBACKS", ("DejaVu Math TeX Gyre",))
    picture.other_fonts.cache_clear()
    try:
        assert name in pdfs.texts(cards.pdf("Health", "en", [card(name)]))[0]
    finally:
        picture.other_fonts.cache_clear()


@pytest.mark.parametrize("person", ["\ufeff\u200b\u202eAda\x00\x07", "\U0001f600\ue000", "a\nb\r\nc", "A️"])
def test_texts_that_no_one_can_draw_make_no_card_fail(person):
    assert cards.pdf(person, "en", [card(person)]).startswith(b"%PDF-")
