"""Links on the page: repaired after mail gateways, messengers and people changed them. Typed codes."""

import secrets

import pytest

from surveys.rules.spelling import INVITATION, LETTERS, SURVEY, in_groups, is_code, short, spelled
from tests.support.accessibility import violations
from tests.support.invited_page import invitations, invited_survey
from tests.support.links import CHANGES
from tests.support.respondents import Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

CODE = """
from surveys.models import Survey
from surveys.life.actions import let_type
from django.contrib.auth.models import User
survey = Survey.objects.get(slug={slug!r})
let_type(survey, User.objects.first(), True)
print("code", survey.code)
"""


@pytest.fixture(scope="module")
def survey(system, tmp_path_factory):
    return invited_survey(system, tmp_path_factory.mktemp("invited"))


@pytest.fixture(scope="module")
def invited(system, survey):
    return invitations(system, survey)


@pytest.fixture(scope="module")
def code(system, survey):
    return system.manage("shell", "-c", CODE.format(slug=survey.slug)).partition("code ")[2].strip()


def token_of(survey):
    return survey.page.rpartition("/")[2]


def changed(token):
    """Return the token with one letter changed."""
    return token[:9] + next(each for each in LETTERS if each != token[9]) + token[10:]


MENDED = """async (addresses) => {
  const { fragmentOf } = await import("/respond/lost.js");
  return addresses.map((address) => {
    const { pathname, search, hash } = new URL(address);
    return fragmentOf(`${pathname.replace(/^\\/+s/i, "")}${search}${hash}`);
  });
}"""


def test_every_changed_link_is_read_as_it_was_made(page, survey):
    Visit(page, survey).load().sees("This survey is by invitation")  # the page has the part that mends links
    in_group = spelled(b"\xff" * 16, INVITATION, 19)
    wanted = [("", ""), ("de", ""), ("", spelled(bytes(range(16)), INVITATION)), ("zh-Hant", in_group)]
    for language, token in wanted:
        addresses = [change("https://example.org", survey.slug, language, token) for change in CHANGES.values()]
        read = dict(zip(CHANGES, page.evaluate(MENDED, addresses), strict=True))
        wrong = {name: found for name, found in read.items() if _codes(found) != [survey.slug, *[token] * bool(token)]}
        assert not wrong, (language, token)
        kept = [name for name, found in read.items() if not language or f"/{language.lower()}" in found.lower()]
        assert len(kept) > 0.8 * len(read), "the language is kept, mostly"


def _codes(fragment):
    return [part for part in (fragment or "").split("/") if len(part) > 20]


def test_what_holds_no_whole_code_is_read_as_none(page, survey):
    Visit(page, survey).load().sees("This survey is by invitation")
    wrong = (survey.slug[:-1], survey.slug + "a", changed(survey.slug), survey.slug[1:], "x" * 27, "", "en", "o" * 27)
    read = page.evaluate(MENDED, [f"https://example.org/s/#{each}" for each in wrong])
    assert read == [None] * len(wrong)


def test_what_is_typed_in_groups_is_read_as_the_two_codes_and_never_as_two_groups_that_meet(page, survey):
    Visit(page, survey).load().sees("This survey is by invitation")
    pairs = [(short(), spelled(secrets.token_bytes(16), INVITATION)) for _ in range(400)]
    addresses = [
        f"https://example.org/s/#{between.join([in_groups(code), in_groups(own)])}"
        for code, own in pairs
        for between in ("%20%20", "-", "/")
    ]
    read = page.evaluate(MENDED, addresses)
    assert read == [f"{code}/{own}" for code, own in pairs for _ in range(3)]


@pytest.mark.parametrize(
    "change", ["with # encoded", "moved into the path", "with '?utm_source=mail' behind it", "all in capitals",
               "in wide letters", "with all behind /s/ encoded twice", "with an invisible character in it",
               "with '&fbclid=IwAR0abc' behind it", "with an empty language", "quoted-printable"]
)  # fmt: skip
def test_a_person_whose_link_was_changed_is_asked_and_the_link_is_whole_again(page, invited, survey, system, change):
    one = next(invited)
    page.goto(CHANGES[change](system.url, survey.slug, "de", token_of(one)))
    page.get_by_text("0 of 5 answered").wait_for()
    tongue = "" if "empty" in change else "/de"
    assert page.url == f"{system.url}/s/#{survey.slug}{tongue}/{token_of(one)}"


def test_a_token_with_one_letter_changed_is_known_before_the_first_question_and_tells_the_server_nothing(
    page, invited, survey
):
    one = next(invited)
    visit = Visit(page, one._replace(page=one.page.replace(token_of(one), changed(token_of(one))))).load()
    assert visit.heading == "Your invitation's link was changed on its way"
    assert page.locator(".question").count() == 0
    asked = [made.url + (made.post_data or "") + str(made.all_headers()) for made in visit.requests]
    assert visit.posts == [] and not any(changed(token_of(one)) in each for each in asked)
    page.get_by_role("textbox").fill(in_groups(token_of(one)).upper())
    page.keyboard.press("Enter")
    visit.sees("0 of 5 answered")


def test_a_person_with_paper_types_the_code_of_the_survey_and_their_own(page, invited, survey, system, code):
    assert is_code(code, SURVEY) and len(code) == 8
    visit = Visit(page, survey._replace(page=f"{system.url}/s/")).load()
    assert visit.heading == "Enter your code" and violations(page) == []
    one = next(invited)
    box = page.get_by_role("textbox", name="The code from your letter, card or poster")
    for typed, said in (
        ("", "This is not a code: a letter is missing, added or mistyped."),
        (code[:-1], "This is not a code"),
        (short(), "No survey has this code."),
    ):
        box.fill(typed)
        visit.press("Open the survey").sees(said)
        assert box.input_value() == typed, "nothing typed is lost"
    box.fill(f" {in_groups(code).upper()}  {in_groups(token_of(one))} ")
    visit.press("Open the survey").sees("0 of 5 answered")
    assert page.url == f"{system.url}/s/#{survey.slug}/{token_of(one)}"
    assert not any(token_of(one) in str(made.all_headers()) for made in visit.requests)


def test_a_code_alone_leads_to_the_survey_and_so_does_a_link_with_it(page, system, tmp_path):
    open_one = open_page(system, tmp_path)
    code = system.manage("shell", "-c", CODE.format(slug=open_one.slug)).partition("code ")[2].strip()
    for link in (f"/s/#{code}", f"/s/{in_groups(code)}"):
        page.goto("about:blank")
        page.goto(system.url + link)
        page.get_by_text("0 of 5 answered").wait_for()
        assert page.url == open_one.page
    visit = Visit(page, open_one._replace(page=f"{system.url}/s/")).load()
    page.route("**/respond/definition", lambda route: route.abort())
    page.get_by_role("textbox").fill(code)
    visit.press("Open the survey").sees("The network or the server cannot be reached.")
