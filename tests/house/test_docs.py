"""The documents agree with the code."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from surveys.public.demo.drafts import draft
from surveys.researcher.downloads import column_docs
from surveys.survey import definition as definitions
from tests.documents import columns, conformance, data_flow

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
    *sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]),
]
NAME = re.compile(r"(?<![\w./*<>{}$-])((?:[\w-]+/)*[\w-]+\.(?:py|js|css))\b(?![\w/.(])")
# Files that are joined and written when served; other projects' files; files that a test makes.
NO_FILES = {
    *("page.js", "pins.js", "respond/page.js", "user.js", "admin/css/base.css"),
    *("looks.py", "no/such/file.js", "surveys/migrations/NAME.py"),
}


def test_the_bytes_of_the_data_flow_are_the_codes():
    assert data_flow.PATH.read_text(encoding="utf-8") == data_flow.page(), "run `make docs`"


def test_the_columns_of_the_downloads_are_those_that_are_declared():
    text = columns.page()
    assert columns.PATH.read_text(encoding="utf-8") == text, "run `make docs`"
    assert text.count("\n## ") == len(column_docs.FILES) + 2, "one for several files, one for forms"


def test_the_conformance_report_is_that_of_the_tests_and_each_of_them_exists():
    assert conformance.PATH.read_text(encoding="utf-8") == conformance.page(), "run `make docs`"
    for criterion in conformance.CRITERIA:
        for test in criterion.tests:
            file, _, name = test.partition("::")
            assert f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), test
    # Without level AAA and experimental rules.
    assert len(conformance.CRITERIA) == 50 and len(conformance.rules()) == 20


@pytest.mark.parametrize("document", ["data_flow", "columns", "conformance"])
def test_make_docs_needs_no_settings(document):
    """The command writes the text that is already there."""
    command = [sys.executable, "-m", f"tests.documents.{document}"]
    env = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    subprocess.run(command, cwd=ROOT, env=env, check=True)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_paths_of_the_documents_exist(document):
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"(?:\]\(|<img src=\")(?!https?:)([^)#\"]+)", text)
    paths = re.findall(r"`((?:ldp|surveys|worker|tests|docs|benchmarks)/[\w./-]*)`", text)
    for link in links:
        assert (document.parent / link).exists(), link
    for path in paths:
        assert (ROOT / path).exists(), path


def anchor(heading: str) -> str:
    """Return the anchor that a heading gets on the pages of a repository."""
    words = re.sub(r"[`*]|\[(.*?)\]\(.*?\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")


def anchors(document: Path) -> set[str]:
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_headings_that_exist(document):
    for link, name in re.findall(r"\]\(([^)#:\s]*)#([^)\s]+)\)", document.read_text(encoding="utf-8")):
        assert name in anchors((document.parent / link).resolve() if link else document), f"{link}#{name}"


def test_files_that_code_and_documents_name_exist():
    folders = ("ldp", "surveys", "worker", "tests", "benchmarks", "docs")
    paths = [*ROOT.glob("*.*"), *(path for folder in folders for path in (ROOT / folder).rglob("*.*"))]
    parts = [path.relative_to(ROOT).parts for path in paths]
    known = NO_FILES | {"/".join(each[place:]) for each in parts for place in range(len(each))}
    texts = [path for path in paths if path.suffix in {".py", ".js", ".css"} or path in DOCUMENTS]
    named = {(path.name, name) for path in texts for name in NAME.findall(path.read_text("utf-8"))}
    assert len(texts) > 1500 and not [pair for pair in named if pair[1] not in known]


def test_the_readme_fits_120_lines_and_its_lines_of_python_and_r_are_those_that_a_test_runs():
    """tests/researcher/downloads/test_notebooks.py runs these lines."""
    text, tried = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/researchers/notebooks.md"))
    assert len(text.splitlines()) <= 120
    lines = [line for block in re.findall(r"```(?:python|r)\n(.+?)```", text, re.DOTALL) for line in block.split("\n")]
    assert len(lines) > 4 and [line for line in lines if line not in tried] == []


def test_the_page_of_the_demo_shows_its_own_options():
    text = (ROOT / "docs" / "researchers" / "demo.md").read_text(encoding="utf-8")
    for question in draft()["questions"]:
        for option in question.get("options", []):
            assert option[:40] in text


def test_the_draft_that_is_documented_can_open():
    text = (ROOT / "docs" / "makers" / "drafts.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```json\n(.+?)```", text, re.DOTALL)
    assert definitions.refusals(json.loads(example)) == ()
