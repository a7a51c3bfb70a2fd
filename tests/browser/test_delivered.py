"""The files of the respondents' page: which ones exist, how they are joined, and that the pinned ones run (P7)."""

import base64
import hashlib
import json
import re
import subprocess
from pathlib import Path
from urllib.parse import urljoin

import pytest

from surveys.respondent.page import assets
from surveys.respondent.page.assets import (
    LATER,
    LISTED,
    MODULES,
    MORE,
    PAGE,
    PINS,
    PREVIEW,
    STYLE,
    TABLES,
    asset,
    sources,
)
from tests.support.journeys import request
from tests.support.respondents import Visit
from tests.support.site import open_blank

pytestmark = [pytest.mark.browser, pytest.mark.system, pytest.mark.parametrize("system", ["embedded"], indirect=True)]

SOURCES = Path(assets.__file__).parents[2] / "static" / "respond"


@pytest.fixture(scope="module")
def modules(system):
    """Return the text of every module in the folder; the site serves these texts too."""
    names = [path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.js")]
    return {name: request(f"{system.url}/static/respond/{name}")[2].decode() for name in names}


@pytest.fixture
def blank(page, system):
    return open_blank(page, system.url)


def sha384(data):
    return "sha384-" + base64.b64encode(hashlib.sha384(data).digest()).decode()


def imports(source):
    """Return the files that a module's import statements name."""
    return {found.removeprefix("./") for found in re.findall(r'^import [^;]*? from "([^"]+)";', source, re.MULTILINE)}


def test_every_module_is_delivered_once_and_after_all_that_it_imports(modules):
    tables = {source for name in TABLES.values() for source in sources(name)}
    more = {source for name in MORE.values() for source in sources(name)}
    alone = {source for name in (*LATER, PREVIEW) for source in sources(name)}
    assert set(modules) == {*MODULES, *alone, *tables, *more}
    assert not any(imports(modules[name]) for name in tables)
    assert all(imports(modules[name]) <= {"../words.js"} for name in more)
    for place, name in enumerate(MODULES):
        assert imports(modules[name]) <= set(MODULES[:place]), name
    for name in alone:
        assert {each.removeprefix("../") for each in imports(modules[name])} <= set(MODULES), name


def test_nothing_is_imported_but_by_plain_statements_and_once_after_its_check(modules):
    """Any other import could load a file that no pin names."""
    for name, source in modules.items():
        checked = ["  return import(pin.src)"] if name == "later.js" else []
        assert re.findall(r"^(?!import |//).*\bimport\s*\(.*(?=;)", source, re.MULTILINE) == checked, name
        assert len(re.findall(r"^import\b", source, re.MULTILINE)) == len(imports(source)), name
        assert not re.search(r"^export .* from|\beval\(|new (Function|Shared|Worker)", source, re.MULTILINE), name


def test_modules_that_decide_what_is_sent_import_none_that_asks_or_delivers(modules):
    """A module is at most as trustworthy as its imports."""
    deciding = MODULES[: MODULES.index("dom.js")]
    for name in deciding:
        assert imports(modules[name]) <= set(deciding), name


def test_joined_modules_share_no_name_and_hide_none_of_the_browsers(modules, blank):
    """Each name has the same meaning in the joined file and in its own."""
    names = [name for module in MODULES for name in declared(modules[module])]
    assert len(names) > 200
    assert len(names) == len(set(names)), sorted({name for name in names if names.count(name) > 1})
    assert blank.evaluate("(names) => names.filter((name) => name in globalThis)", names) == []


def declared(source):
    """Return the names at the top level of a module."""
    kinds = r"(?:export )?(?:async )?(?:function\*?|class|const|let)"
    found = re.findall(rf"^{kinds} (\w+|[{{\[][^=]*)", source, re.MULTILINE)
    return [name for each in found for name in re.findall(r"\w+", each)]


def test_a_shell_joins_the_same_files_from_the_repository(survey, modules):
    """The shell follows the rule in docs/respondents/check.md."""
    stated = (SOURCES.parents[2] / "docs" / "respondents" / "check.md").read_text()
    rule = re.search(r"^cat .*?\| (grep .*?) \| openssl", stated, re.MULTILINE)[1]
    assert shell(f"cat {' '.join(MODULES)} | {rule}") == request(file_of(survey, PAGE))[2]
    for name in LATER:
        rule = re.search(r"`(grep [^`]*) audit.js (\|[^`]*)`", stated)
        assert shell(f"{rule[1]} {sources(name)[0]} {rule[2]}") == request(file_of(survey, name))[2]
    rule = re.search(rf"^`(grep .*? {STYLE} \|[^`]*)`", stated, re.MULTILINE)[1]
    assert shell(rule) == request(file_of(survey, STYLE))[2]


def shell(command):
    return subprocess.run(command, shell=True, cwd=SOURCES, capture_output=True, check=True).stdout


def test_what_looks_like_a_comment_is_one(modules):
    """No line inside a text or a sum begins like a comment, and no import takes two lines."""
    for name, source in modules.items():
        lines = [line for line in source.splitlines() if not re.match(r" *(//|\*|/\*)", line)]
        assert all(line.count("`") % 2 == 0 for line in lines), name
        code = re.sub(r"^ */\*.*?\*/$|^ *//.*$", "", source, flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"^ *(//|\*|/\*)", code, re.MULTILINE), name


def test_no_space_beside_a_sign_or_bracket_stands_in_a_text_or_pattern(modules):
    """The joined file lacks these spaces. Code in ${} is not text."""
    left_out = re.compile(r" ?([=<>?:&|*+%!-]+|[,{]) | [({]")
    for name in MODULES:
        lines = [line for line in modules[name].splitlines() if not re.match(r" *(//|/\*|\*)", line)]
        literals = [each for line in lines for each in literals_of(line)]
        plain = [re.sub(r"\$\{[^`]*?\}", "$", each) for each in literals]
        assert not any(left_out.search(each) for each in plain), name
        assert not any(re.search(r"([+-]) \1", line) for line in lines), name


def literals_of(line):
    """Return the texts and patterns of a line. A slash after a sign or an opening bracket begins a pattern."""
    quoted = r'"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`'
    pattern = r"(?:(?<=[(,=:!&|?\[] )|(?<=[(,=:!&|?\[])|^ *)/(?![/*])(?:[^\\/\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/"
    return re.findall(f"{quoted}|{pattern}", line)


def file_of(survey, name):
    return urljoin(survey.page, f"/respond/{name}")


def test_pins_are_the_fingerprints_of_the_files_as_served(survey):
    _, _, page = request(survey.page)
    pins = dict(
        re.findall(r'(?:href|src)="/respond/([^"]+)" integrity="([^"]+)" crossorigin="anonymous"', page.decode())
    )
    assert list(pins) == [STYLE, PAGE, "en.js", "en-more.js", PINS, *(name for name in LATER if name not in LISTED)]
    rest = json.loads(re.fullmatch(r"export const PINS = (.*);\n", served(survey, PINS), re.DOTALL)[1])
    assert list(rest) == list(LISTED)
    for name, pin in (pins | rest).items():
        assert pin == sha384(request(file_of(survey, name))[2])
    assert request(file_of(survey, "words.js"))[0] == 404


def served(survey, name):
    return request(file_of(survey, name))[2].decode()


def test_what_the_document_names_without_a_pin_is_no_script_to_a_browser(survey):
    page = request(survey.page)[2].decode()
    named = re.findall(r'<script type="(\w+)"(?: lang="\w+")? src="/respond/([^"]+)" crossorigin="anonymous">', page)
    assert {name for _, name in named} == set(LISTED) and {kind for kind, _ in named} == {"pinned"}
    assert page.count("<script") == len(named) + page.count(" integrity=") - 1  # the style's integrity


def test_every_file_is_fetched_once_so_that_what_runs_is_what_was_checked(page, survey):
    visit = Visit(page, survey).load()
    page.get_by_text("Check it yourself").click()
    page.get_by_role("heading", name="The files that run").wait_for()
    visit.answer().send().is_thanked()
    files = [made.url.rpartition("/")[2] for made in visit.requests if made.url.endswith((".js", ".css"))]
    assert sorted(files) == sorted([PAGE, STYLE, PINS, "check.js", "outcome.js", "en.js", "en-more.js", "long.js"])


def with_a_space_more(route):
    """Return the file with an extra space, even if it must not be cached: an import would then fetch it again and run
    it unchecked."""
    headers = {"content-type": "text/javascript", "cache-control": "no-store"}
    route.fulfill(body=route.fetch().body() + b" ", headers=headers)


def test_one_altered_byte_stops_the_page(page, survey):
    visit = Visit(page, survey)
    page.route(f"**/{PAGE}", with_a_space_more)
    with page.expect_console_message(lambda said: "integrity" in said.text and PAGE in said.text):
        page.goto(survey.page)
    page.unroute(f"**/{PAGE}")
    assert page.locator(".preparing").is_visible() and not visit.is_asking
    assert not any(made.url.endswith("/definition") for made in visit.requests)
    assert visit.load().is_asking, "with no byte altered the same page asks"


def test_one_altered_byte_of_its_words_stops_the_page(page, survey):
    page.route(f"**/{TABLES['en']}", with_a_space_more)
    with page.expect_console_message(lambda said: "integrity" in said.text and TABLES["en"] in said.text):
        page.goto(survey.page)
    page.get_by_role("heading", name="The survey has not begun").wait_for()
    assert not Visit(page, survey).is_asking
    page.get_by_role("link", name="Check this site").click()
    page.get_by_role("heading", name="Check this site", level=1).wait_for()


# Some are long. Like check.js, they have no other way to arrive; the test of the imports shows that.
@pytest.mark.parametrize(
    "name",
    [
        *("check.js", "en-more.js", PINS),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("audit.js", "budget.js", "beliefs.js")),
    ],
)
def test_one_altered_byte_of_a_file_that_comes_later_keeps_it_from_running(page, survey, name):
    page.route(f"**/{name}", with_a_space_more)
    visit = Visit(page, survey).load()
    with page.expect_console_message(lambda said: "integrity" in said.text and name in said.text):
        open_later(page, name)
    visit.sees("or is the wrong file")
    assert sum(made.url.endswith(f"/{name}") for made in visit.requests) == 1, "it is not fetched again"
    page.unroute(f"**/{name}")
    visit.answer().send().is_thanked()


def without_the_pin_of(name):
    """Return the file of pins without one pin, and the document's new pin of that file."""
    content = re.sub(rf'\n"{name}": "[^"]*",?', "", asset(PINS).content.decode())
    return content, asset(PINS).integrity, sha384(content.encode())


@pytest.mark.parametrize("name", ["check.js", "de.js"])
def test_what_has_no_pin_in_any_place_does_not_run(browser, survey, name):
    content, before, after = without_the_pin_of(name)
    with browser.new_context(locale="de" if name == "de.js" else "en") as context:
        page = context.new_page()
        asked = []
        page.on("request", lambda made: asked.append(made.url))
        page.route("**/s/", lambda route: route.fulfill(body=route.fetch().text().replace(before, after)))
        page.route(f"**/{PINS}", lambda route: route.fulfill(body=content, content_type="text/javascript"))
        page.goto(survey.page)
        if name == "check.js":
            page.get_by_text("Check it yourself").click()
            page.get_by_text("or is the wrong file").wait_for()
        else:
            page.get_by_role("heading", name="Die Umfrage hat nicht begonnen").wait_for()
        assert any(each.endswith(PINS) for each in asked) and not any(each.endswith(f"/{name}") for each in asked)


@pytest.mark.parametrize("name", ["outcome.js", "en-more.js"])
def test_where_what_comes_at_the_end_is_altered_the_page_says_what_became_of_the_report(page, survey, name):
    page.route(f"**/{name}", with_a_space_more)
    visit = Visit(page, survey).load().answer().send().is_thanked()
    visit.sees("Your report is recorded.")
    visit.sees("or is the wrong file")
    page.unroute(f"**/{name}")
    visit.press("Try again")
    visit.sees("What left your browser")


def open_later(page, name):
    if name == "beliefs.js":
        page.get_by_text("How are you protected?").click()
        return
    page.get_by_text("What this browser has sent" if name == "budget.js" else "Check it yourself").click()
    if name == "audit.js":
        page.get_by_text("Audit this site").click()


def test_an_altered_style_is_not_used(page, survey):
    page.route("**/respond/respond.css", lambda route: route.fulfill(body="body { display: none }"))
    Visit(page, survey).load()
    assert page.locator("body").evaluate("(body) => getComputedStyle(body).display") == "block"
