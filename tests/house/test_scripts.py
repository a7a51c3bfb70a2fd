"""What holds for the scripts of the site's pages."""

from pathlib import Path

SURVEYS = Path(__file__).parents[2] / "surveys"


def test_parts_of_pages_are_exchanged_in_one_way():
    """The respondents' page, which has scripts of its own, exchanges none."""
    scripts = [path for path in (SURVEYS / "static").rglob("*.js") if "respond" not in path.parts]
    fetching = [path.name for path in scripts if "fetch(" in path.read_text("utf-8")]
    assert sorted(fetching) == ["log.js", "requests.js"]  # that of the public log exchanges nothing
    assert [str(path) for path in (SURVEYS / "templates").rglob("*.html") if " hx-" in path.read_text("utf-8")] == []
