"""The respondent page itself: its files, what it refuses to ask, and its headers (P2, P7, P10)."""

import base64
import hashlib
import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest

from surveys import definition as definitions
from surveys.respond import delivered
from surveys.respond.delivered import LATER, MODULES, MORE, PAGE, STYLE, TABLES, sources
from tests.support.journeys import request
from tests.support.respondents import DRAFT, Visit, open_page
from tests.support.served import open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

SOURCES = Path(delivered.__file__).parents[1] / "static" / "respond"
RESPONDENT_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
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
def survey(system, tmp_path_factory):
    return open_page(system, tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def closed(system, tmp_path_factory):
    survey = open_page(system, tmp_path_factory.mktemp("closed"))
    system.manage("survey", "close", survey.slug)
    return survey


@pytest.fixture(scope="module")
def modules(system):
    """The text of every module in the folder, which the site serves as well."""
    names = [path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.js")]
    return {name: request(f"{system.url}/static/respond/{name}")[2].decode() for name in names}


@pytest.fixture
def blank(page, system):
    return open_blank(page, system.url)


def sha384(data):
    return "sha384-" + base64.b64encode(hashlib.sha384(data).digest()).decode()


def imports(source):
    """The files that a module's import statements name."""
    return {found.removeprefix("./") for found in re.findall(r'^import [^;]*? from "([^"]+)";', source, re.MULTILINE)}


# The files ------------------------------------------------------------------------------------------------


def test_every_module_is_delivered_once_and_after_all_that_it_imports(modules):
    tables = {source for name in TABLES.values() for source in sources(name)}
    more = {source for name in MORE.values() for source in sources(name)}
    assert set(modules) == {*MODULES, *LATER, *tables, *more}
    assert not any(imports(modules[name]) for name in tables)
    assert all(imports(modules[name]) <= {"../words.js"} for name in more)
    for place, name in enumerate(MODULES):
        assert imports(modules[name]) <= set(MODULES[:place]), name
    for name in LATER:
        assert imports(modules[name]) <= set(MODULES), name


def test_nothing_is_imported_but_by_plain_statements_and_once_after_its_check(modules):
    """Anything else could load a file that no pin names."""
    for name, source in modules.items():
        checked = ["  return import(pin.href)"] if name == "later.js" else []
        assert re.findall(r"^(?!import |//).*\bimport\s*\(.*(?=;)", source, re.MULTILINE) == checked, name
        assert len(re.findall(r"^import\b", source, re.MULTILINE)) == len(imports(source)), name
        assert not re.search(r"^export .* from|\beval\(|new (Function|Shared|Worker)", source, re.MULTILINE), name


def test_modules_that_decide_what_is_sent_import_none_that_asks_or_delivers(modules):
    """A module can be trusted no more than what it imports."""
    deciding = MODULES[: MODULES.index("dom.js")]
    for name in deciding:
        assert imports(modules[name]) <= set(deciding), name


def test_joined_modules_share_no_name_and_hide_none_of_the_browsers(modules, blank):
    """Each means in the joined file what it means alone."""
    names = [name for module in MODULES for name in declared(modules[module])]
    assert len(names) > 200
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})
    assert blank.evaluate("(names) => names.filter((name) => name in globalThis)", names) == []


def declared(source):
    """The names at the top level of a module."""
    kinds = r"(?:export )?(?:async )?(?:function\*?|class|const|let)"
    found = re.findall(rf"^{kinds} (\w+|[{{\[][^=]*)", source, re.MULTILINE)
    return [name for each in found for name in re.findall(r"\w+", each)]


def test_a_shell_joins_the_same_files_from_the_repository(survey, modules):
    """By the rule that docs/privacy.md states: whole lines are left out, and nothing else is done."""
    stated = (SOURCES.parents[2] / "docs" / "privacy.md").read_text()
    rule = re.search(r"^cat .*?\| (grep .*?) \| openssl", stated, re.MULTILINE)[1]
    assert shell(f"cat {' '.join(MODULES)} | {rule}") == request(file_of(survey, PAGE))[2]
    for name in LATER:
        rule = re.search(r"`(grep [^`]*) audit.js (\|[^`]*)`", stated)
        assert shell(f"{rule[1]} {name} {rule[2]}") == request(file_of(survey, name))[2]
    assert shell(f"sed -E 's/^ +//' {STYLE}") == request(file_of(survey, STYLE))[2]


def shell(command):
    return subprocess.run(command, shell=True, cwd=SOURCES, capture_output=True, check=True).stdout


def test_what_looks_like_a_comment_is_one(modules):
    """No line inside a text or a sum begins like a comment, and no import has a second line."""
    for name, source in modules.items():
        lines = [line for line in source.splitlines() if not re.match(r" *(//|\*|/\*)", line)]
        assert all(line.count("`") % 2 == 0 for line in lines), name
        code = re.sub(r"^ */\*.*?\*/$|^ *//.*$", "", source, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"^ *(//|\*|/\*)", code, re.MULTILINE), name


def file_of(survey, name):
    return urljoin(survey.page, f"/respond/{name}")


def test_pins_are_the_fingerprints_of_the_files_as_served(survey):
    _, _, page = request(survey.page)
    pins = dict(re.findall(r'(?:href|src)="([^"]+)" integrity="([^"]+)" crossorigin="anonymous"', page.decode()))
    assert list(pins) == [f"/respond/{name}" for name in (STYLE, PAGE, *TABLES.values(), *MORE.values(), *LATER)]
    for address, pin in pins.items():
        assert pin == sha384(request(urljoin(survey.page, address))[2])
    assert request(file_of(survey, "words.js"))[0] == 404


def test_every_file_is_fetched_once_so_that_what_runs_is_what_was_checked(page, survey):
    visit = Visit(page, survey).load()
    page.get_by_text("Check it yourself").click()
    page.get_by_role("heading", name="The files that run").wait_for()
    visit.answer().send().is_thanked()
    files = [made.url.rpartition("/")[2] for made in visit.requests if made.url.endswith((".js", ".css"))]
    assert sorted(files) == sorted([PAGE, STYLE, "check.js", "en.js", "en-more.js"])


def with_a_space_more(route):
    """Also where the file must not be cached: an import would fetch it again then, and run it unchecked."""
    headers = {"content-type": "text/javascript", "cache-control": "no-store"}
    route.fulfill(body=route.fetch().body() + b" ", headers=headers)


def test_one_altered_byte_stops_the_page(page, survey):
    visit = Visit(page, survey)
    page.route(f"**/{PAGE}", with_a_space_more)
    with page.expect_console_message(lambda said: "integrity" in said.text and PAGE in said.text):
        page.goto(survey.page)
    page.unroute(f"**/{PAGE}")
    assert visit.heading == "Preparing the survey" and not visit.is_asking
    assert not any(made.url == f"{survey.api}/definition" for made in visit.requests)
    assert visit.load().is_asking, "with no byte altered the same page asks"


def test_one_altered_byte_of_its_words_stops_the_page(page, survey):
    page.route(f"**/{TABLES['en']}", with_a_space_more)
    with page.expect_event("pageerror", lambda error: f"{TABLES['en']} is missing or not" in error.message):
        page.goto(survey.page)
    assert Visit(page, survey).heading == "Preparing the survey"


@pytest.mark.parametrize("name", ["check.js", "audit.js", "budget.js", "en-more.js"])
def test_one_altered_byte_of_a_file_that_comes_later_keeps_it_from_running(page, survey, name):
    page.route(f"**/{name}", with_a_space_more)
    visit = Visit(page, survey).load()
    with page.expect_console_message(lambda said: "integrity" in said.text and name in said.text):
        open_later(page, name)
    visit.sees("not the file that it should be")
    assert sum(made.url.endswith(f"/{name}") for made in visit.requests) == 1, "it is not fetched again"
    visit.answer().send().is_thanked()


def open_later(page, name):
    page.get_by_text("What this browser has sent" if name == "budget.js" else "Check it yourself").click()
    if name == "audit.js":
        page.get_by_text("Audit this site").click()


def test_an_altered_style_is_not_used(page, survey):
    page.route("**/respond/respond.css", lambda route: route.fulfill(body="body { display: none }"))
    Visit(page, survey).load()
    assert page.locator("body").evaluate("(body) => getComputedStyle(body).display") == "block"


# What it refuses to ask -----------------------------------------------------------------------------------


def serve_other_definition(page, survey, data, pinned):
    """Serves other bytes as the definition; where `pinned`, the page is made to expect them."""
    page.route("**/definition", lambda route: route.fulfill(body=data, content_type="application/json"))
    if pinned:
        digest = hashlib.sha256(data).hexdigest()

        def shell(route):
            response = route.fetch()
            route.fulfill(response=response, body=response.text().replace(survey.digest, digest))

        page.route("**/s/*/", shell)


@pytest.mark.parametrize("index", range(len(DRAFT["questions"])))
def test_a_table_one_below_its_threshold_is_not_asked(page, survey, index):
    weak = json.loads(json.dumps(survey.definition))
    question = weak["questions"][index]
    question["table"]["other" if "other" in question["table"] else "flip"] -= 1
    serve_other_definition(page, survey, definitions.canonical(weak), pinned=True)
    visit = Visit(page, survey).load()
    assert visit.heading == "This page refuses to ask" and not visit.is_asking
    visit.sees(f"The table of the question “{question['text']}” does not keep the alpha that it states.")
    visit.sees("Nothing has been sent.")


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
    "a doubled field": replaced(b'"kind":', b'"kind":"mean","kind":'),
    "other white space": lambda definition: definitions.canonical(definition) + b"\n",
    "no question": lambda definition: definitions.canonical(definition | {"questions": []}),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_a_definition_to_which_not_every_answer_could_be_reported_is_not_asked(page, survey, attack):
    data = HOSTILE[attack](json.loads(json.dumps(survey.definition)))
    assert not definitions.certified(data)
    serve_other_definition(page, survey, data, pinned=True)
    visit = Visit(page, survey).load()
    assert visit.heading == "This page refuses to ask" and not visit.is_asking
    visit.sees("Nothing has been sent.")


def test_other_bytes_than_the_digest_says_are_not_asked(page, survey):
    data = definitions.canonical(survey.definition)
    serve_other_definition(page, survey, data.replace(b"affair", b"affaix", 1), pinned=False)
    visit = Visit(page, survey).load()
    assert visit.heading == "These are not the questions this page was made for" and not visit.is_asking
    visit.sees("Nothing has been sent.")


def test_the_same_definition_in_other_words_is_asked(page, survey):
    """Counterpart of the two tests above: what they serve differs only in what they say it does."""
    other = {**survey.definition, "title": "Another title"}
    serve_other_definition(page, survey, definitions.canonical(other), pinned=True)
    visit = Visit(page, survey).load()
    assert visit.heading.startswith("Your answers are randomized") and visit.is_asking


def test_without_encryption_nothing_is_asked(page, survey):
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    visit = Visit(page, survey).load()
    assert visit.heading == "This page must be opened over https" and not visit.is_asking


def test_the_page_of_a_closed_survey_says_so_and_asks_nothing(page, closed):
    visit = Visit(page, closed)
    page.goto(closed.page)
    page.get_by_text("Check it yourself").wait_for()  # the page has run
    assert visit.heading == "This survey is closed" and not visit.is_asking
    assert visit.posts == []


def test_there_is_no_page_of_a_survey_that_nobody_opened(system):
    status, headers, _ = request(f"{system.url}/s/{'x' * 22}/")
    assert status == 404 and "Set-Cookie" not in headers


# Headers --------------------------------------------------------------------------------------------------


class Inline(HTMLParser):
    """Collects whatever a page would run or style without asking for a file."""

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


def test_the_respondent_page_has_exactly_the_headers_stated(survey, closed):
    for page in (survey.page, closed.page):
        _, headers, _ = request(page)
        assert {name: headers[name] for name in RESPONDENT_HEADERS} == RESPONDENT_HEADERS
        assert "camera=()" in headers["Permissions-Policy"] and "geolocation=()" in headers["Permissions-Policy"]


def test_every_page_is_strict_and_none_has_inline_code(system, survey, closed):
    telling = "<p style='a'><script>b</script><style>c</style><a href=' JavaScript:d' onclick='e'>f</a><script src=g>"
    assert len(inline(telling)) == 5, "the search finds what it is for"
    addresses = ["/", f"/s/{survey.slug}/", f"/s/{closed.slug}/", f"/r/{survey.slug}/", "/nothing", "/account/login/"]
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


def test_nothing_the_page_does_breaks_its_policy(page, survey):
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


def test_a_visit_of_the_pages_leaves_no_line_in_the_log_of_the_site(page, survey, system):
    """From the questions to the results: nothing that a browser asks for is missing."""
    before = {path: path.stat().st_size for path in system.data.glob("*.log")}
    missing = []
    page.on("response", lambda response: missing.append(response.url) if response.status >= 400 else None)
    Visit(page, survey).load().answer().send().is_thanked()
    for path in ("/", f"/r/{survey.slug}/", "/account/login/"):
        page.goto(system.url + path)
        page.wait_for_load_state("networkidle")
    written = {path.name: path.read_text()[size:] for path, size in before.items() if path.stat().st_size > size}
    assert missing == [] and "Not Found" not in str(written)
