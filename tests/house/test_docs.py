"""What the documents show is what the code does."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from surveys import definition as definitions
from surveys.demo.drafts import draft
from tests.documents import data_flow

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_bytes_of_the_data_flow_are_the_codes():
    assert data_flow.PATH.read_text(encoding="utf-8") == data_flow.page(), "run `make docs`"


def test_make_docs_needs_no_settings():
    """It writes what stands there already."""
    command = [sys.executable, "-m", "tests.documents.data_flow"]
    env = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    subprocess.run(command, cwd=data_flow.PATH.parents[1], env=env, check=True)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_paths_of_the_documents_exist(document):
    text = document.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    paths = re.findall(r"`((?:ldp|surveys|worker|tests|docs|benchmarks)/[\w./-]*)`", text)
    for link in links:
        assert (document.parent / link).exists(), link
    for path in paths:
        assert (ROOT / path).exists(), path


def test_the_readme_shows_the_demos_own_options():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for question in draft()["questions"]:
        for option in question.get("options", []):
            assert option[:40] in text


def test_the_draft_that_is_documented_can_open():
    [example] = re.findall(r"```json\n(.+?)```", (ROOT / "docs" / "drafts.md").read_text(encoding="utf-8"), re.DOTALL)
    assert definitions.refusals(json.loads(example)) == ()
