"""The oldest browsers that the respondents' page needs: the features of its modules, and the documents' statements."""

import re
from pathlib import Path

from surveys.respondent.page.notices import MINIMUM

ROOT = Path(__file__).parents[2]
# Syntax and functions that came later than those browsers.
LATE = (
    r"\(\?<[=!]|/[dgimsuy]*v[dgimsuy]*[;,.)]|\bstatic \{|import .* with \{|"
    r"\.(findLast|toSorted|toReversed|toSpliced|groupBy|withResolvers)\(|"
    r"\b(structuredClone|reportError|navigation\.|scheduler\.|AbortSignal\.)"
)


def test_no_module_uses_what_the_stated_browsers_do_not_have():
    for path in (ROOT / "surveys" / "static" / "respond").rglob("*.js"):
        code = re.sub(r"^ *//.*$", "", path.read_text(), flags=re.MULTILINE)
        assert not re.search(LATE, code), path.name


def test_the_documents_name_the_same_browsers():
    document = (ROOT / "docs" / "respondents" / "accessibility.md").read_text()
    assert MINIMUM in document
