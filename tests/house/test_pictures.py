"""The pictures of templates/pictures have the same style, and each is used."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "surveys" / "templates"
PICTURES = sorted((TEMPLATES / "pictures").glob("*.html"))
ATTRIBUTES = {"class", "viewBox", "width", "height", "aria-hidden", "focusable", "d", "cx", "cy", "r"}


def test_pictures_are_drawn_by_the_style_sheet_and_hidden_from_readers():
    assert PICTURES
    for picture in PICTURES:
        text = picture.read_text()
        assert 'class="picture"' in text and 'aria-hidden="true"' in text
        assert set(re.findall(r' ([\w-]+)="', text)) <= ATTRIBUTES, picture.name


def test_each_picture_stands_on_a_page():
    pages = "".join(page.read_text() for page in TEMPLATES.rglob("*.html"))
    unused = [picture.name for picture in PICTURES if f'include "pictures/{picture.name}"' not in pages]
    assert not unused
