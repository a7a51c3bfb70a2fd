"""Pictures in the builder, in a real browser: a file is chosen, shown at once, described, and removed again."""

import pytest
from playwright.sync_api import expect

from tests.support.accessibility import violations
from tests.support.builder_pages import expect_saved, signed_in, stored, two_designers
from tests.support.picture_files import SECRET, drawing, file, photograph

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

WAY = {"key": "way", "kind": "single_choice", "text": "How?", "options": ["On foot", "By bus"], "alpha": "1"}
DRAFTS = [{"title": title, "questions": [WAY]} for title in ("Ways", "Logos", "Others")]
SHOWN = "(image) => image.complete && image.naturalWidth"


@pytest.fixture(scope="module")
def designers(system):
    return two_designers(system, DRAFTS)


def chosen(name, data):
    return {"name": name, "mimeType": "image/jpeg", "buffer": data}


def test_a_picture_is_chosen_seen_at_once_and_taken_away(context, system, designers):
    (session, _), (number, *_) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/way/")
    page.get_by_text("Note and picture").click()
    group = page.get_by_role("group", name="Picture", exact=True)
    group.get_by_label("Choose a file").set_input_files(chosen("lane.jpg", photograph(90, 60)))
    expect(group.locator("img")).to_be_visible()
    assert group.locator("img").evaluate(SHOWN) == 90
    expect(page.locator("#e-picture")).to_contain_text("Say in words what the picture shows")
    words = group.get_by_label("What it shows, in words")
    words.fill("A lane with herons")
    words.press("Tab")
    expect(page.locator("#e-picture")).to_be_empty()
    expect_saved(page)
    draft = stored(system, number)
    picture = draft["questions"][0]["picture"]
    assert picture["alt"] == "A lane with herons" and (picture["width"], picture["height"]) == (90, 60)
    assert SECRET.decode() not in str(draft)
    frame = page.frame_locator("iframe:not(.coming)")
    expect(frame.get_by_role("img", name="A lane with herons")).to_be_visible()
    # Text that is typed elsewhere meanwhile does not conflict with the picture.
    page.get_by_label("Note").fill("The longest part.")
    expect_saved(page)
    assert stored(system, number)["questions"][0] == WAY | {"picture": picture, "note": "The longest part."}
    assert violations(page) == []
    group.get_by_role("button", name="Remove the picture").click()
    expect(group.locator("img")).to_have_count(0)
    expect_saved(page)
    assert "picture" not in stored(system, number)["questions"][0]
    page.reload()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_role("group", name="Picture", exact=True).locator("img")).to_have_count(1)
    assert stored(system, number)["questions"][0]["picture"] == picture
    assert page.failures == []


def test_what_is_no_picture_is_refused_beside_its_field(context, system, designers):
    (session, _), (*_, number) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/way/")
    page.get_by_text("Note and picture").click()
    field = page.get_by_role("group", name="Picture", exact=True).get_by_label("Choose a file")
    field.set_input_files(chosen("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"))
    expect(page.locator("#e-picture")).to_contain_text("must be a JPEG, PNG or WebP picture")
    field.set_input_files(chosen("a.png", file()))
    expect(page.get_by_role("group", name="Picture", exact=True).locator("img")).to_be_visible()
    expect(page.locator("#e-picture")).not_to_contain_text("JPEG")


def test_options_have_pictures_which_move_with_them(context, system, designers):
    (session, _), (*_, number) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/questions/way/")
    page.get_by_text("Pictures of the options").click()
    page.get_by_label("Choose a file: By bus").set_input_files(chosen("bus.png", file(drawing(50, 40))))
    expect(page.locator(".option img")).to_have_count(1)
    expect_saved(page)
    first, second = stored(system, number)["questions"][0]["pictures"]
    assert first is None and (second["width"], second["height"]) == (50, 40)
    handle = page.locator(".rows .handle").nth(1)
    handle.focus()
    handle.press("ArrowUp")
    expect(page.locator(".option").first.locator("img")).to_have_count(1)
    expect_saved(page)
    question = stored(system, number)["questions"][0]
    assert question["options"] == ["By bus", "On foot"] and question["pictures"] == [second, None]
    assert violations(page) == []
    page.get_by_role("button", name="Remove the picture: By bus").click()
    expect(page.locator(".option img")).to_have_count(0)
    expect_saved(page)
    assert "pictures" not in stored(system, number)["questions"][0]


def test_a_large_photograph_is_made_smaller_before_it_is_sent(context, system, designers):
    (session, _), (_, number, _) = designers
    page = signed_in(context, system, session)
    page.goto(f"{system.url}/surveys/{number}/texts/")
    sent = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/pictures/") else None)
    page.get_by_text("Consent, thanks, logo").click()
    large = photograph(3000, 1500) + bytes(4 << 20)
    page.get_by_role("group", name="Logo").get_by_label("Choose a file").set_input_files(chosen("sign.jpg", large))
    expect(page.get_by_role("group", name="Logo").locator("img")).to_be_visible()
    assert len(sent) == 1 and int(sent[0].all_headers()["content-length"]) < 1 << 20
    page.get_by_label("Whose logo it is, in words").fill("The Society")
    page.get_by_label("Whose logo it is, in words").press("Enter")
    expect(page.locator("#e-logo")).to_be_empty()
    expect_saved(page)
    logo = stored(system, number)["logo"]
    assert (logo["width"], logo["height"], logo["alt"]) == (192, 96, "The Society")
    expect(page.frame_locator("iframe:not(.coming)").get_by_role("img", name="The Society")).to_be_visible()
    assert violations(page) == [] and page.failures == []


def test_a_file_is_taken_without_a_script_too(browser, system, designers):
    (session, _), (_, number, _) = designers
    with browser.new_context(java_script_enabled=False) as context:
        page = signed_in(context, system, session)
        page.goto(f"{system.url}/surveys/{number}/questions/way/")
        page.get_by_text("Note and picture").click()
        page.get_by_label("Choose a file", exact=True).set_input_files(chosen("lane.png", file()))
        page.get_by_role("button", name="Save the picture").click()
        expect(page.locator("#c-picture img")).to_have_count(1)
        assert stored(system, number)["questions"][0]["picture"]["alt"] == ""
