"""The codebook of a survey in forms, for readers. It says which form has which questions, and how forms were drawn."""

import pytest

from tests.support import forms
from tests.support.accessibility import violations
from tests.support.journeys import ended_survey, published
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return ended_survey(system, tmp_path_factory.mktemp("draft"), 240, forms.DRAFT)


def test_the_codebook_lists_the_forms(system, survey, page):
    document = published(system, survey, lambda document: document["final"])
    page.goto(f"{system.url}/r/{survey}/{document['release']}/codebook/")
    rows = page.locator("section:has(#forms) tbody tr")
    assert [row.locator("code").all_inner_texts() for row in rows.all()] == [
        ["drugs", "age"],
        ["health", "doctor"],
        ["income"],
    ]
    n = [int(row.locator("td").nth(3).inner_text()) for row in rows.all()]
    # With the weights 2, 1 and 1, some form gets none of 240 reports once in 10^29 runs.
    assert sum(n) == 240 and min(n) > 0 and n == [form["n"] for form in document["forms"]]
    assert [row.locator("td").nth(4).inner_text() for row in rows.all()] == ["3", "3", "3"]
    page.locator("section:has(#forms) summary").click()
    assert "Its questions were randomized together, by one draw." in page.locator("section:has(#forms)").inner_text()
    text = "Asked only of people whose report has report.form = 1 (form 2 of the survey's pages)."
    assert page.get_by_text(text).count() == 2
    assert violations(page) == []
    page.set_viewport_size({"width": 320, "height": 600})
    assert beyond(page) == 0
