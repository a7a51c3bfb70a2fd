"""What holds for the scripts of the site's pages."""

import re
from pathlib import Path

from surveys.survey.kinds import KINDS

SURVEYS = Path(__file__).parents[2] / "surveys"


def test_parts_of_pages_are_exchanged_in_one_way():
    """The respondents' page, which has scripts of its own, exchanges none."""
    scripts = [path for path in (SURVEYS / "static").rglob("*.js") if "respond" not in path.parts]
    fetching = [path.name for path in scripts if "fetch(" in path.read_text("utf-8")]
    assert sorted(fetching) == ["log.js", "requests.js"]  # that of the public log exchanges nothing
    assert [str(path) for path in (SURVEYS / "templates").rglob("*.html") if " hx-" in path.read_text("utf-8")] == []


def test_the_respondents_page_names_the_kinds_that_the_site_does():
    """Of some kinds an answer can decide whom another question is asked, can be the right one, or has a picture."""

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
