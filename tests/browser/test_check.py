"""A real browser: a user pastes a survey's link and reads in one sentence whether the log has it."""

import json

import pytest

from tests.support.accessibility import violations
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

VERDICT = "#verdict:not([data-state=working]):not(:empty)"


# With everything unfolded: days that take more than one line, and texts closer than half a line to their panel's end.
CRAMPED = """() => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const broken = [...document.querySelectorAll(".day")].filter((day) => {
    const range = document.createRange();
    range.selectNodeContents(day);
    return range.getClientRects().length !== 1;
  });
  const near = [...document.querySelectorAll(".question")].filter((panel) => {
    const bottoms = [...panel.querySelectorAll("p, table")].map((each) => each.getBoundingClientRect().bottom);
    return panel.getBoundingClientRect().bottom - Math.max(...bottoms) < 8;
  });
  return [...broken, ...near].map((each) => each.textContent.trim().slice(0, 60));
}"""


def verdict(page, system, link):
    """Return the sentence, and whether it says right, wrong or unchecked."""
    if not page.url.startswith(f"{system.url}/check/"):
        page.goto(f"{system.url}/check/")
    page.get_by_label("Paste the link").fill(link)
    page.keyboard.press("Enter")
    shown = page.locator(VERDICT)
    shown.wait_for()
    return shown.inner_text(), shown.get_attribute("data-state")


def link_of(survey, system):
    return f"{system.url}/s/#{survey.slug}"


def alter(page, address, change):
    def handle(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=change(answer.body()))

    page.route(address, handle)


def test_a_survey_of_the_log_is_found_by_any_form_of_its_link(page, system, survey):
    for form in ("/s/#{}/de", "/s/{}/", "/s/{}", "/s/#{}"):
        said, state = verdict(page, system, system.url + form.format(survey.slug))
        assert state == "right" and said.startswith("Right: the log has this survey"), form
    assert verdict(page, system, link_of(survey, system).removeprefix("http://"))[1] == "right"
    page.get_by_text("What was compared").click()
    assert page.locator("[data-value=signature]").inner_text() == "right"
    entry, size = map(int, page.locator("[data-value=entry]").inner_text().split(" / "))
    hashes = page.locator("[data-value=proof]").inner_text().split()
    answer = page.request.get(f"{system.url}/check/log/inclusion/{entry}/{size}")
    assert hashes == answer.text().split()


def test_no_address_that_is_asked_for_names_the_survey(page, system, survey):
    asked = []
    page.on("request", lambda request: asked.append(request))
    verdict(page, system, link_of(survey, system))
    assert not any(survey.slug in request.url for request in asked)
    told = [request.url for request in asked if survey.slug in request.all_headers().values()]
    assert told == [f"{system.url}/respond/definition"]
    fetched = [request for request in asked if request.resource_type == "fetch"]
    assert len(fetched) > 10 and not any("cookie" in request.all_headers() for request in fetched)


def test_what_is_no_link_of_the_site_is_not_called_wrong(page, system):
    for link in ("what?", "https://elsewhere.example/s/x/", f"{system.url}/r/x/", f"{system.url}/s/"):
        said, state = verdict(page, system, link)
        assert state == "unchecked" and "this is not a link to a survey of this site" in said
    assert "has no survey with this link" in verdict(page, system, f"{system.url}/s/#nothing-here")[0]


def sized(body, size):
    """Return a checkpoint with another number of entries."""
    origin, _, rest = body.split(b"\n", 2)
    return b"\n".join([origin, size, rest])


def spoiled(body):
    return body.replace(b" ", b"\t", 1)


# (the altered answer, the change, the page's sentence)
ALTERED = (
    ("**/definition", spoiled, "the log has other questions for this survey"),
    ("**/respond/page.js", spoiled, "your browser got a file that differs from the one"),
    ("**/s/", spoiled, "your browser got a file that differs from the one"),
    ("**/check/manifest.json", spoiled, "the site serves another manifest"),
    ("**/tile/entries/**", lambda body: body.replace(b'"day":"2', b'"day":"1'), "not the signed ones"),
    ("**/tile/entries/**", lambda body: body[:-9], "cannot be read|not the signed ones"),
    ("**/log/checkpoint", lambda body: body[:-20] + b"A" * 16 + body[-4:], "not signed with its own key"),
    ("**/log/checkpoint", lambda body: body[:-3] + b"!!\n", "cannot be read"),
    ("**/log/checkpoint", lambda body: body + b"x" * 20_000, "not signed with its own key"),
    ("**/log/checkpoint", lambda body: sized(body, b"9999999999"), "not the signed ones"),
    ("**/log/checkpoint", lambda body: sized(body, b"0x5"), "not the signed ones"),
    ("**/tile/entries/**", lambda body: body + bytes(2), "not the signed ones"),
)


def test_one_altered_byte_is_seen(page, system, survey):
    for address, change, said in ALTERED:
        page.unroute_all()
        alter(page, address, change)
        text, state = verdict(page, system, link_of(survey, system))
        assert state == "wrong" and any(part in text for part in said.split("|")), (address, text)
    page.unroute_all()
    assert verdict(page, system, link_of(survey, system))[1] == "right", "none of it stays"


def test_a_survey_that_the_log_does_not_have_is_seen(page, system, survey):
    """The log ends before the survey's entry, and is signed."""
    size = json.loads(page.request.get(f"{system.url}/check/head.json").text())["number"]
    link = link_of(survey, system)
    verdict(page, system, link)
    entry = int(page.locator("[data-value=entry]").text_content().split(" / ")[0])
    assert entry < size
    earlier = page.request.get(f"{system.url}/check/log/checkpoint/{entry}").body()
    alter(page, "**/log/checkpoint", lambda body: earlier)
    text, state = verdict(page, system, link)
    assert state == "wrong" and "this survey is not in the log" in text


def test_a_site_that_is_set_back_to_an_earlier_version_is_seen(page, system, survey):
    """The same happens during an update, so the sentence asks to try again."""
    shell = ("shell", "--no-imports", "-c")
    code = "from surveys.transparency.log import entries; entries.enter_software('{}', '', '{}')"
    served = page.request.get(f"{system.url}/check/release.json").json()
    system.manage(*shell, code.format("next", "e" * 96))
    try:
        text, state = verdict(page, system, link_of(survey, system))
        assert state == "wrong" and "the site serves an older version than the newest in its log" in text
    finally:
        system.manage(*shell, code.format(served["version"], served["manifest"]))
    assert verdict(page, system, link_of(survey, system))[1] == "right"


def test_at_an_address_without_encryption_nothing_is_called_wrong(page, system, survey):
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    text, state = verdict(page, system, link_of(survey, system))
    assert state == "unchecked" and "only on pages with https://" in text


def test_an_answer_that_does_not_come_decides_nothing(page, system, survey):
    page.route("**/log/checkpoint", lambda route: route.abort())
    assert verdict(page, system, link_of(survey, system))[1] == "unchecked"


def test_without_scripts_the_page_says_how_to_run_the_verifier(browser, system):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{system.url}/check/")
    assert page.get_by_text("Without JavaScript this page cannot check anything.").is_visible()
    assert not page.locator("#lookup").is_visible()
    page.get_by_role("heading", name="Verify a survey without trusting this site").click()
    assert page.get_by_text("manifest_file.py").is_visible()
    context.close()


# German is long: tests/accounts/test_every_page.py looks for barriers in each language, and at a narrow window.
@pytest.mark.parametrize("language", ["en", pytest.param("de", marks=pytest.mark.long), "ar"])
def test_the_page_has_no_barrier_and_fits_every_screen_in_every_language(browser, system, survey, language, tmp_path):
    context = browser.new_context(locale=language)
    page = context.new_page()
    page.goto(f"{system.url}/check/")
    page.locator("#link").fill(link_of(survey, system))
    page.locator("#lookup button").click()
    page.locator("#verdict[data-state=right]").wait_for()
    page.locator("#lookup-details summary").click()
    assert violations(page) == []
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert beyond(page) == 0, width
        assert page.evaluate(CRAMPED) == [], width
    context.close()
