"""The pages about alpha in a browser: the slider works by keyboard, no state has a barrier, and everything works
without JavaScript."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.support.accessibility import violations
from tests.support.drawn import drawn
from tests.support.studio import begun_draft
from tests.support.widths import beyond

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

QUESTIONS = [
    {"key": "slept", "kind": "yes_no", "text": "Have you slept at work?", "alpha": "1"},
    {"key": "often", "kind": "ordered", "text": "How often?", "options": [*"abcde"], "alpha": "1.5"},
    {"key": "weight", "kind": "mean", "text": "How heavy are you?", "low": "40", "high": "140", "unit": "kg"},
    {"key": "gap", "kind": "single_choice", "text": "Which?", "alpha": "1"},
]


@pytest.fixture(scope="module")
def drafted(system):
    return begun_draft(system, {"title": "Night", "questions": QUESTIONS})


@pytest.fixture
def address(system, drafted, context):
    number, cookie = drafted
    context.add_cookies([cookie])
    return f"{system.url}/surveys/{number}/alpha/"


def wide_enough(page):
    """Check that only tables are wider than the narrowest screen (they scroll inside themselves), and that targets fit
    a finger."""
    page.set_viewport_size({"width": 320, "height": 700})
    assert beyond(page) == 0
    small = "[...document.querySelectorAll('main button, main input:not([type=hidden]), main summary, main select')]"
    small += ".filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 43.9"
    small += " && !(node.closest('label')?.getBoundingClientRect().height >= 43.9)).map((node) => node.outerHTML)"
    assert page.evaluate(small) == []
    page.set_viewport_size({"width": 1280, "height": 900})


def test_paper_has_what_the_privacy_page_worked_out_and_nothing_to_press(page, address):
    page.goto(address)
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".priced")).to_be_visible()
    for control in (".tabs", "button", "select", "details:not([open])"):
        assert page.locator(control).evaluate_all("(all) => all.filter((each) => each.checkVisibility()).length") == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_the_slider_moves_every_figure_by_keyboard_and_a_save_can_be_undone(page, address):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{address}?question=often")
    slider, verdict = page.get_by_role("slider"), page.locator(".verdict")
    expect(verdict).to_contain_text(re.compile(r"Alpha 1\.5\s+moderate\s+±8\.\d points"))
    expect(slider).to_have_attribute("aria-valuetext", "1.5")
    expect(page.get_by_role("button", name="Show the figures")).to_be_hidden()
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(verdict).to_contain_text("Save alpha 2")
    assert page.get_by_label("Alpha", exact=True).input_value() == "2"
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(verdict).to_contain_text(re.compile(r"Alpha 3\.25\s+weak"))
    expect(page).to_have_url(re.compile("alpha=3.25"))
    assert page.evaluate("document.activeElement.type") == "range"

    page.get_by_label("Alpha", exact=True).fill("0.75")
    expect(verdict).to_contain_text(re.compile(r"Alpha 0\.75\s+strong"))
    assert slider.get_attribute("aria-valuetext") == "0.75"
    page.reload()
    expect(verdict).to_contain_text("saved now: 1.5")
    page.get_by_role("button", name="Save alpha 0.75").press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("Saved: alpha 0.75.")
    expect(verdict).to_contain_text("This is what is saved.")
    page.get_by_role("button", name="Undo", exact=True).press("Enter")
    expect(verdict).to_contain_text("Alpha 1.5")

    page.get_by_text("For experts: the mechanism").press("Enter")
    page.get_by_label("Mechanism", exact=True).select_option("bitwise")
    expect(page.locator("tr.chosen")).to_contain_text("Bitwise randomized response used here")
    page.get_by_label("People", exact=True).fill("0")
    expect(page.get_by_role("alert")).to_contain_text("People")
    assert violations(page) == []
    wide_enough(page)
    assert complaints == []


def test_old_figures_are_dim_and_can_be_asked_for_again_where_no_new_ones_come(page, address):
    page.goto(f"{address}?question=often")
    figures, button = page.locator("#figures"), page.get_by_role("button", name="Show the figures")
    page.route("**/alpha/?question=often&alpha=2*", lambda route: route.abort())
    page.get_by_label("Alpha", exact=True).fill("2")
    expect(button).to_be_visible()
    expect(figures).to_have_attribute("aria-busy", "true")
    expect(page.locator(".verdict")).to_contain_text("Alpha 1.5")
    page.get_by_label("Alpha", exact=True).fill("3")
    expect(page.locator(".verdict")).to_contain_text("Alpha 3")
    expect(button).to_be_hidden()
    expect(figures).not_to_have_attribute("aria-busy", "true")
    assert page.evaluate("document.activeElement.id") == "alpha"


def test_the_figures_of_what_was_typed_last_are_shown_however_slow_the_site_is(page, address):
    page.goto(f"{address}?question=often")
    waiting, pattern = [], "**/alpha/?question=often&alpha=2*"
    page.route(pattern, lambda route: waiting.append(route))
    with page.expect_request(pattern):
        page.get_by_label("Alpha", exact=True).fill("2")
    page.get_by_label("Alpha", exact=True).fill("3")
    waiting[0].continue_()
    expect(page.locator(".verdict")).to_contain_text("Alpha 3")
    expect(page).to_have_url(re.compile("alpha=3"))


def test_who_was_signed_out_signs_in_and_returns_to_the_figures(page, address, context):
    page.goto(f"{address}?question=often")
    context.clear_cookies()
    page.get_by_label("Alpha", exact=True).fill("3")
    expect(page).to_have_url(re.compile(r"/account/login/\?next=.*alpha%3D3"))


def test_what_is_chosen_before_the_script_has_come_has_its_figures_when_it_comes(page, address):
    held = []
    page.route("**/designer/figures*.js", lambda route: held.append(route))
    page.goto(f"{address}?question=often", wait_until="commit")
    page.get_by_text("For experts: the mechanism").press("Enter")
    page.get_by_label("Mechanism", exact=True).select_option("bitwise")
    assert "Bitwise" not in page.locator("tr.chosen").inner_text()
    for route in held:
        route.continue_()
    expect(page.locator("tr.chosen")).to_contain_text("Bitwise randomized response used here")
    expect(page).to_have_url(re.compile("mechanism=bitwise"))


def test_every_state_of_the_pages_has_no_barrier(page, address):
    states = ["", "?question=gap", "?plan=1&total=3", "?plan=1&total=2&own.slept=x"]
    states += ["?question=often&trial=1&alpha=9"]
    for state in states:
        page.goto(address + state)
        page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        page.wait_for_load_state("networkidle")
        assert violations(page) == [], state
        wide_enough(page)


def test_without_javascript_the_same_is_reached_by_forms(browser, drafted, address):
    plain = browser.new_context(java_script_enabled=False)
    plain.add_cookies([drafted[1]])
    page = plain.new_page()
    page.goto(f"{address}?question=slept")
    assert not page.get_by_role("slider").is_visible()
    page.get_by_label("Alpha", exact=True).fill("2")
    page.get_by_role("button", name="Show the figures").click()
    expect(page.locator(".verdict")).to_contain_text("Save alpha 2")
    page.get_by_text("What people answer", exact=True).click()
    page.get_by_label("Yes").fill("20")
    page.get_by_label("No %").fill("80")
    page.get_by_role("button", name="Run a trial").click()
    expect(page.locator(".ribbon")).to_contain_text("1,000 invented people at alpha 2")
    page.get_by_role("navigation", name="Questions").get_by_role("link", name="All questions").click()
    page.get_by_label("Another alpha:").check()
    page.get_by_label("Another alpha of a whole report").fill("3")
    page.get_by_label("People expected").fill("3000")
    page.get_by_role("button", name="Show a proposal").click()
    page.get_by_role("button", name="Take the proposal").click()
    expect(page.get_by_role("status").first).to_contain_text("Saved: who is asked what, and all alphas.")
    expect(page.locator("#precision")).to_contain_text("3,000 people, weak protection")
    before = page.locator(".card").count()
    page.locator("#mover-slept").click()
    page.get_by_label("Where to move “Have you slept at work?”").select_option("Everyone")
    page.locator("#move-slept").click()
    expect(page.get_by_role("status").first).to_contain_text("Everyone is asked “Have you slept at work?”.")
    expect(page.get_by_role("heading", name="Everyone")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".card")).to_have_count(before)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator(".headline")).to_contain_text("3.5 total alpha")
    plain.close()


# Forms ----------------------------------------------------------------------------------------------------------------

SIX = [{"key": f"q{k}", "kind": "yes_no", "text": f"Question {k}?", "alpha": "1"} for k in range(6)]
SIX_IN_FORMS = drawn(
    {
        "title": "Six",
        "questions": SIX,
        "forms": [{"questions": ["q0", "q1"]}, {"questions": ["q2", "q3"]}, {"questions": ["q4", "q5"]}],
    }
)


@pytest.fixture
def in_forms(system, context):
    """Return the page of a new draft of six questions in three forms; `failures` has the errors of its scripts."""
    number, cookie = begun_draft(system, SIX_IN_FORMS)
    context.add_cookies([cookie])
    page = context.new_page()
    page.failures = []
    page.on("console", lambda message: page.failures.append(message.text))
    page.on("pageerror", lambda error: page.failures.append(str(error)))
    page.goto(f"{system.url}/surveys/{number}/alpha/")
    return page


def questions_of(page, place):
    return page.locator(f".card[data-place='{place}'] .priced bdi")


def test_a_question_is_moved_by_keyboard_and_its_cost_is_seen_at_once(in_forms):
    page = in_forms
    page.locator("#mover-q0").press("Enter")
    select = page.get_by_label("Where to move “Question 0?”")
    select.select_option("Form 2")
    page.locator("#move-q0").press("Enter")
    expect(page.locator("#announcer")).to_have_text("Moved “Question 0?” to form 2.")
    expect(questions_of(page, 2)).to_have_text(["Question 0?", "Question 2?", "Question 3?"])
    expect(page.locator("[data-key=q1]")).to_contain_text("alpha 2")
    expect(page.locator("#move-q0")).to_be_focused()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(questions_of(page, 1)).to_have_text(["Question 0?", "Question 1?"])
    assert page.failures == []


def test_questions_of_a_form_are_randomized_together_where_they_stand(in_forms):
    page, card = in_forms, in_forms.locator(".card[data-place='1']")
    card.get_by_text("Randomize together", exact=True).first.click()
    card.get_by_label("Question 0?", exact=True).check()
    card.get_by_label("Question 1?", exact=True).check()
    page.locator("#together-1").press("Enter")
    expect(page.locator("#announcer")).to_contain_text("Randomized together:")
    expect(card).to_contain_text("Randomized together, alpha 2")
    assert page.failures == [] and violations(page) == []
    wide_enough(page)


def test_a_question_is_dragged_to_another_form(in_forms):
    page = in_forms
    page.set_viewport_size({"width": 1280, "height": 3000})
    row, target = page.locator("[data-key=q0]"), page.locator(".card[data-place='3']")
    row.scroll_into_view_if_needed()
    start, end = row.locator(".its-width").bounding_box(), target.locator("h3").bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 5, steps=4)
    expect(target).to_have_class("card target")
    page.keyboard.press("Escape")
    expect(target).to_have_class("card")
    page.mouse.up()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 5, steps=4)
    page.mouse.up()
    expect(questions_of(page, 3)).to_have_text(["Question 0?", "Question 4?", "Question 5?"])
    assert page.failures == []


def test_what_someone_else_has_moved_is_said_and_shown(in_forms, context):
    other = context.new_page()
    other.goto(in_forms.url)
    other.locator("#mover-q5").click()
    other.get_by_label("Where to move “Question 5?”").select_option("Form 1")
    other.locator("#move-q5").click()
    expect(questions_of(other, 3)).to_have_text(["Question 4?"])
    in_forms.locator("#mover-q0").click()
    in_forms.get_by_label("Where to move “Question 0?”").select_option("Form 2")
    in_forms.locator("#move-q0").click()
    expect(in_forms.locator("#announcer")).to_contain_text("Someone else changed this in the meantime.")
    expect(questions_of(in_forms, 1)).to_have_text(["Question 0?", "Question 1?", "Question 5?"])


# From right to left ---------------------------------------------------------------------------------------------------

OUTSIDE = """svg => [...svg.querySelectorAll("text")].filter((each) => {
  const [text, whole] = [each, svg].map((node) => node.getBoundingClientRect());
  return text.left < whole.left - 1 || text.right > whole.right + 1;
}).map((each) => each.textContent)"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_plot_is_whole_and_the_colours_stand_above_their_words(language, browser, system, drafted):
    number, cookie = drafted
    page = browser.new_page(locale=language)
    page.context.add_cookies([cookie])
    page.goto(f"{system.url}/surveys/{number}/alpha/?question=often")
    page.locator(".slide").wait_for()
    assert page.locator(".widths:visible").evaluate(OUTSIDE) == []
    places = [*page.locator(".slide .ends span").all(), page.locator(".track .hardly-any")]
    more, narrower, least = [box["x"] + box["width"] / 2 for box in map(Locator.bounding_box, places)]
    assert abs(least - narrower) < abs(least - more)
    page.close()
