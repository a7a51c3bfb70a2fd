"""The respondents' page: the definitions that it refuses to ask, and its headers (P2, P10)."""

import json
from html.parser import HTMLParser

import pytest

from surveys.survey import definition as definitions
from tests.support.journeys import request
from tests.support.respondents import Visit, open_page

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

RESPONDENT_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "Integrity-Policy": "blocked-destinations=(script)",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.fixture(scope="module")
def closed(system, tmp_path_factory):
    survey = open_page(system, tmp_path_factory.mktemp("closed"))
    system.manage("survey", "close", survey.slug)
    return survey


@pytest.fixture
def page(warm):
    return warm


# Refusals -------------------------------------------------------------------------------------------------------------


def serve_other_definition(page, data):
    page.route("**/definition", lambda route: route.fulfill(body=data, content_type="application/json"))


def refuses(page, survey, others):
    """Load the page with each of these definitions in turn. Yield its name after the page refuses to ask."""
    visit, served = Visit(page, survey), []
    page.route("**/definition", lambda route: route.fulfill(body=served[-1], content_type="application/json"))
    for name, data in others.items():
        served.append(data)
        visit.page.reload() if visit.page.url == survey.page else visit.load()
        page.locator("#promise, #outcome").wait_for()
        assert visit.heading == "This page will not ask any questions" and not visit.is_asking, name
        visit.sees("Nothing has been sent.")
        yield name


def test_a_table_one_beyond_its_threshold_is_not_asked(page, survey):
    weaker = {}
    for index, question in enumerate(survey.definition["questions"]):
        weak = json.loads(json.dumps(survey.definition))
        table = weak["draws"][index]["table"]
        if "keep" in table:
            table["keep"] += 1
        else:
            table["flip"] -= 1
        weaker[question["text"]] = definitions.canonical(weak)
    for text in refuses(page, survey, weaker):
        page.get_by_text(f"The table for “{text}” does not keep the alpha that it states.").wait_for()


def changed(index, **changes):
    def change(definition):
        definition["questions"][index].update(changes)
        return definitions.canonical(definition)

    return change


def replaced(old, new):
    return lambda definition: definitions.canonical(definition).replace(old, new, 1)


HOSTILE = {
    "fewer options than bins": changed(4, options=["under 20", "the rest", "Prefer not to say"]),
    "more options than bins": changed(4, edges=["15", "20", "25", "30", "35"]),
    "edges out of order": changed(4, edges=["15", "20", "30", "25", "35", "40"]),
    "nothing to say but withheld": changed(2, prefer_not_to_say=True, options=["Student", "Prefer not to say"]),
    "a key twice": changed(1, key="affair"),
    "a field that nobody reads": changed(0, weight=1),
    "an alpha of its own": changed(0, alpha="1"),
    "a draw of nothing": lambda definition: definitions.canonical(definition | {"draws": definition["draws"][1:]}),
    "a doubled field": replaced(b'"kind":', b'"kind":"mean","kind":'),
    "other white space": lambda definition: definitions.canonical(definition) + b"\n",
    "no question": lambda definition: definitions.canonical(definition | {"questions": []}),
}


def test_a_definition_to_which_not_every_answer_could_be_reported_is_not_asked(page, survey):
    attacks = {name: attack(json.loads(json.dumps(survey.definition))) for name, attack in HOSTILE.items()}
    assert not any(map(definitions.certified, attacks.values()))
    assert list(refuses(page, survey, attacks)) == list(HOSTILE)


def test_a_report_carries_the_digest_of_what_was_asked_so_another_definition_is_refused(page, survey):
    other = {**survey.definition, "title": "Another title"}
    serve_other_definition(page, definitions.canonical(other))
    visit = Visit(page, survey).load().answer().send()
    visit.sees("The report belongs to other questions than the survey asks now.")
    assert json.loads(visit.posts[0])["digest"] == definitions.digest(other)


def test_the_same_definition_in_other_words_is_asked(page, survey):
    """This is the counterpart of the two tests above. Their definitions differ from this one only in false claims about
    themselves."""
    other = {**survey.definition, "title": "Another title"}
    serve_other_definition(page, definitions.canonical(other))
    visit = Visit(page, survey).load()
    assert visit.heading == "Even randomized, your report can reveal much about your answers" and visit.is_asking


def test_without_encryption_nothing_is_asked(context, survey):
    page = context.new_page()
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    visit = Visit(page, survey).load()
    assert visit.heading == "This page must be opened over https" and not visit.is_asking


def test_the_page_of_a_closed_survey_says_so_and_asks_nothing(page, closed):
    visit = Visit(page, closed).load()
    assert visit.heading == "This survey is closed" and not visit.is_asking
    assert visit.posts == []


@pytest.mark.parametrize("fragment", ["", "#", f"#{'x' * 22}", f"#{'2' * 27}", "#a/b/c", "#\u00fc", "#<b>"])
def test_a_link_that_no_survey_has_is_said_to_be_none(page, survey, fragment):
    visit = Visit(page, survey._replace(page=survey.page.partition("#")[0] + fragment)).load()
    assert visit.heading == ("No survey has this link" if fragment.strip("#") else "Enter your code")
    assert not visit.is_asking
    visit.sees("Nothing has been sent.")


def test_another_link_in_the_same_tab_is_another_page(page, survey, closed):
    visit = Visit(page, survey).load()
    page.evaluate("(slug) => { location.hash = slug; }", closed.slug)
    visit.sees("This survey is closed")
    assert not visit.is_asking


def test_a_link_that_came_into_the_path_asks_the_same_survey_and_knows_what_this_browser_sent(page, survey, system):
    Visit(page, survey).load().answer().send().is_thanked()
    page.goto("about:blank")
    page.goto(f"{system.url}/s/{survey.slug}/")
    page.get_by_role("heading", name="Someone has already answered this survey in this browser").wait_for()
    assert page.url == survey.page


# Headers --------------------------------------------------------------------------------------------------


class Inline(HTMLParser):
    """A parser that collects everything a page would run or style without requesting a file."""

    def __init__(self):
        super().__init__()
        self.found, self._inside = [], None

    def handle_starttag(self, tag, attributes):
        self._inside = tag if tag in ("script", "style") else None
        for name, value in attributes:
            if name == "style" or name.startswith("on") or (value or "").lower().lstrip().startswith("javascript:"):
                self.found.append((tag, name, value))

    def handle_data(self, data):
        if self._inside and data.strip():
            self.found.append((self._inside, data))

    def handle_endtag(self, tag):
        self._inside = None


def inline(html):
    parser = Inline()
    parser.feed(html)
    return parser.found


def test_no_copy_of_the_definition_is_kept(survey, closed):
    for address in (survey.api, closed.api):
        _, headers, _ = request(f"{address}/definition")
        assert headers["Cache-Control"] == "no-store"


def test_the_respondent_page_has_exactly_the_headers_stated(survey):
    _, headers, _ = request(survey.page)
    assert {name: headers[name] for name in RESPONDENT_HEADERS} == RESPONDENT_HEADERS
    assert "camera=()" in headers["Permissions-Policy"] and "geolocation=()" in headers["Permissions-Policy"]


def test_every_page_is_strict_and_none_has_inline_code(system, survey, closed):
    telling = "<p style='a'><script>b</script><style>c</style><a href=' JavaScript:d' onclick='e'>f</a><script src=g>"
    assert len(inline(telling)) == 5, "the search finds what it is for"
    addresses = ["/", "/s/", f"/r/{survey.slug}/", "/nothing", "/account/login/"]
    for address in addresses:
        _, headers, body = request(system.url + address)
        assert headers.get_content_type() == "text/html"
        assert inline(body.decode()) == [], address
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"), address
        assert "unsafe" not in policy and "base-uri 'none'" in policy and "frame-ancestors 'none'" in policy, address
    api = f"/api/v1/surveys/{survey.slug}"
    others = [
        "/respond/page.js",
        "/static/nothing.js",
        f"{api}/definition",
        f"{api}/estimates",
        "/healthz",
    ]
    for address in [*addresses, *others, "/api/", "/api/v1/schema"]:
        _, headers, _ = request(system.url + address)
        assert {name: headers[name] for name in EVERYWHERE} == EVERYWHERE, address
        assert "default-src 'none'" in headers["Content-Security-Policy"], address


def test_nothing_the_page_does_breaks_its_policy(context, survey):
    page = context.new_page()
    page.add_init_script("""
      window.broken = [];
      addEventListener("securitypolicyviolation", (event) => broken.push(event.violatedDirective));
    """)
    console = []
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda error: console.append(str(error)))
    Visit(page, survey).load().answer().send().is_thanked()
    assert page.evaluate("broken") == [] and console == []


ICONS = ("favicon.ico", "apple-touch-icon.png", "apple-touch-icon-precomposed.png", "apple-touch-icon-120x120.png")


@pytest.mark.parametrize("path", ICONS)
def test_icons_that_browsers_ask_for_unasked_are_there(system, path):
    status, headers, body = request(f"{system.url}/{path}")
    assert status == 200 and headers.get_content_type() in ("image/svg+xml", "image/png") and len(body) > 100


def test_a_visit_of_the_pages_leaves_no_line_in_the_log_of_the_site(context, survey, system):
    """The visit goes from the questions to the results and includes every request of a browser."""
    page = context.new_page()
    before = {path: path.stat().st_size for path in system.data.glob("*.log")}
    missing = []
    page.on("response", lambda response: missing.append(response.url) if response.status >= 400 else None)
    Visit(page, survey).load().answer().send().is_thanked()
    for path in ("/", f"/r/{survey.slug}/", "/account/login/"):
        page.goto(system.url + path)
        page.wait_for_load_state("networkidle")
    written = {path.name: path.read_text()[size:] for path, size in before.items() if path.stat().st_size > size}
    assert missing == [] and "Not Found" not in str(written)
