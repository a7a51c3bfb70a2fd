"""Rules for the scripts of the site's pages."""

import re
from collections import Counter
from pathlib import Path

from surveys.respondent.page import assets
from surveys.survey.kinds import KINDS

SURVEYS = Path(__file__).parents[2] / "surveys"
RESPOND = SURVEYS / "static/respond"


def test_parts_of_pages_are_exchanged_in_one_way():
    """The respondents' page has its own scripts and exchanges no parts."""
    scripts = [path for path in (SURVEYS / "static").rglob("*.js") if "respond" not in path.parts]
    fetching = [path.name for path in scripts if "fetch(" in path.read_text("utf-8")]
    assert sorted(fetching) == ["log.js", "requests.js"]  # the public log's script exchanges nothing
    assert [str(path) for path in (SURVEYS / "templates").rglob("*.html") if " hx-" in path.read_text("utf-8")] == []


def test_the_respondents_page_names_the_kinds_that_the_site_does():
    """Some kinds decide who is asked another question, have a right answer, or have pictures."""

    def named(script, constant):
        text = (SURVEYS / "static/respond" / script).read_text("utf-8")
        return set(re.findall(r'"(\w+)"', re.findall(rf"const {constant} = (\[.+\]);", text)[0]))

    anchors = named("routing.js", "ANCHORS")
    assert anchors == {name for name, kind in KINDS.items() if "right" in kind.optional}
    assert anchors | named("routing.js", "DECIDING") == {name for name, kind in KINDS.items() if kind.decides}
    assert named("pictures.js", "PICTURED") == {name for name, kind in KINDS.items() if kind.pictured}


def test_every_static_file_that_a_template_names_is_there():
    named = {
        name
        for template in (SURVEYS / "templates").rglob("*.html")
        for name in re.findall(r"""{% static ['"]([^'"]+)['"]""", template.read_text("utf-8"))
    }
    assert len(named) > 20
    assert [name for name in sorted(named) if not (SURVEYS / "static" / name).is_file()] == []


def test_no_two_modules_of_a_joined_file_declare_the_same_name():
    """A joined file is one module. A browser refuses a whole module that declares a name twice."""
    names = Counter(name for module in assets.MODULES for name in declared((RESPOND / module).read_text("utf-8")))
    assert len(names) > 200
    assert {name: times for name, times in names.items() if times > 1} == {}


def test_no_module_of_a_joined_file_renames_what_it_imports():
    """A joined file has no imports."""
    texts = {module: (RESPOND / module).read_text("utf-8") for module in assets.MODULES}
    assert [module for module, text in texts.items() if re.search(r"^import .* as ", text, re.MULTILINE)] == []


def test_declarations_of_every_sort_are_found():
    script = """
export async function ask() {
  const inside = 1;
}
function* words() {}
export class Lot {}
const { one, two: other } = pair;
let [, first, second = "a"] = pair;
export let third, fourth;
const PAGE = "page";
"""
    names = ["ask", "words", "Lot", "one", "other", "first", "second", "third", "fourth", "PAGE"]
    assert declared(script) == names


def declared(script):
    """Return the names that a module declares at its outermost level."""
    names = re.findall(r"^(?:export )?(?:async )?(?:function\*?|class) (\w+)", script, re.MULTILINE)
    starts = re.findall(r"^(?:export )?(?:const|let|var) ([{\[].*?[}\]]|[\w, ]+)", script, re.MULTILINE)
    return names + [name for start in starts for name in bound(start)]


def bound(start):
    """Return the names at the beginning of a declaration: `{ one, two: other }`, `[, first = "a"]`, or `one, two`."""
    parts = [re.sub(r"=.*|.*:", "", part).strip("[]{} ") for part in start.split(",")]
    return [part for part in parts if part]
