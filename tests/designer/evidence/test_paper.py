"""Documents of the demo, on paper and on a phone: the statement fits one page, and axe finds no fault."""

import pytest

from tests.support.accessibility import violations
from tests.support.evidence import FOLDER
from tests.support.widths import beyond

PAGE = b"/Type /Page\n"


@pytest.mark.browser
@pytest.mark.parametrize("name", ["statement.en", "annex.ar", "impact.de", "transparency.en"])
def test_a_document_can_be_read_at_390_pixels_and_the_statement_is_one_page_of_paper(page, name):
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content((FOLDER / f"{name}.html").read_text(encoding="utf-8"))
    assert beyond(page) == 0
    assert violations(page) == []
    pages = page.pdf(prefer_css_page_size=True).count(PAGE)
    assert pages == 1 if name.startswith("statement") else pages > 1
