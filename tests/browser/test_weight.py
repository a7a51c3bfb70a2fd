"""The respondents' page has exact limits on bytes and requests. `python -m benchmarks.weight` measures the times."""

import pytest

from tests.services import chromium
from tests.support.invited_page import invitations, invited_survey
from tests.support.page_weight import KEYS, TEN, weigh
from tests.support.respondents import open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]


@pytest.fixture(scope="module")
def whole():
    """Yield a browser as people have it. A browser without windows requests no icon."""
    with chromium.browser(whole=True) as browser:
        yield browser


def test_ten_questions_come_in_33_kilobytes_and_six_answers(whole, system, tmp_path):
    survey = open_page(system, tmp_path, TEN)
    assert len({draw["mechanism"] for draw in survey.definition["draws"]}) == 9
    weight = weigh(whole, survey.page)
    files = [f"{system.url}/respond/{name}" for name in ("page.js", "en.js", "respond.css")]
    icon = f"{system.url}/static/respond/icon.svg"
    asked = {f"{system.url}/s/", f"{system.url}/respond/definition"}
    assert {address.partition("#")[0] for address in weight.bodies} == {icon, *asked, *files}
    assert sum(weight.bodies.values()) <= 33_000 and len(weight.bodies) <= 6, weight.bodies


def test_an_invitation_adds_two_files(whole, system, tmp_path):
    survey = next(invitations(system, invited_survey(system, tmp_path, TEN), 1))
    weight = weigh(whole, survey.page)
    more = {name: weight.bodies[f"{system.url}/respond/{name}"] for name in ("invitation.js", "en-more.js")}
    assert len(weight.bodies) == 9 and sum(weight.bodies.values()) - sum(more.values()) <= 33_400, weight.bodies
    assert more["invitation.js"] <= 3_500, more


def test_a_consent_and_sections_add_one_file(whole, system, tmp_path):
    """The survey's definition alone decides this, before anyone has answered."""
    halves = KEYS[:5], KEYS[5:]
    sections = [{"title": f"Part {place}", "text": "", "questions": list(keys)} for place, keys in enumerate(halves, 1)]
    longer = TEN | {"consent": "I have read this.", "sections": sections}
    weight = weigh(whole, open_page(system, tmp_path, longer).page, ready="#consent")
    more = weight.bodies[f"{system.url}/respond/long.js"]
    assert len(weight.bodies) == 7 and sum(weight.bodies.values()) - more <= 33_100 and more <= 1_500, weight.bodies
