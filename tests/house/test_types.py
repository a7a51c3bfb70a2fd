"""A question of a definition has a type, and each difference between kinds has a home. The test reads the syntax."""

import ast
import re
from collections import Counter
from pathlib import Path

from ldp.mechanisms import FITTING

ROOT = Path(__file__).parents[2]

NAMES = {"question", "questions", "deciding", "by_key"}
LOOSE = ("dict[str, Any]", "list[dict[str, Any]]", "dict[str, dict[str, Any]]", "Data", "list[Data]", "dict[str, Data]")

# The number of times that a module outside of kinds compares with a single kind. These numbers only fall.
ASKING = {
    "ldp/forms/efficiency.py": 3,
    "ldp/forms/results.py": 1,
    "ldp/planning/design_needs.py": 2,
    "ldp/planning/draw_prices.py": 4,
    "ldp/tidy.py": 1,
    "surveys/api/programs/respondent.py": 6,  # a program of one file
    "surveys/designer/editor/part_editor.py": 1,
    "surveys/public/demo/respondents.py": 1,
    "surveys/designer/xlsform/questions.py": 1,
    "surveys/designer/xlsform/lists.py": 1,
    "surveys/designer/xlsform/writer.py": 9,
}


def modules(*rooms):
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def test_a_definitions_question_has_its_type_wherever_it_is_read():
    found = [
        f"{module}:{node.lineno} {node.arg}: {ast.unparse(node.annotation)}"
        for module, tree in modules("ldp", "surveys", "worker")
        if module != "surveys/transparency/check/verify.py"  # a program of one file imports no types
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) and node.arg in NAMES and node.annotation and ast.unparse(node.annotation) in LOOSE
    ]
    assert found == []


def test_what_is_published_and_frozen_has_its_type_wherever_it_is_read():
    """These are the documents of results, their parts, and definitions. The program of one file imports no types."""
    names = {"document", "result", "results", "category", "categories", "method", "cell", "definition"}
    found = [
        f"{module}:{node.lineno} {node.arg}: {ast.unparse(node.annotation)}"
        for module, tree in modules("surveys", "worker")
        if module
        not in ("surveys/transparency/check/verify.py", "surveys/api/openapi.py", "surveys/designer/studio/preview.py")
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) and node.arg in names and node.annotation and ast.unparse(node.annotation) in LOOSE
    ]
    assert found == []


# The number of uses of a type that says nothing about the content. These numbers only fall.
UNTOLD = {"dict[str, Any]": 103, "Unchecked": 249, "Built": 108}


def test_no_more_places_than_before_say_nothing_of_what_is_in_a_dictionary():
    """The remaining places hold files and definitions before they are checked, their parts, schemas and settings. A
    draft has a type."""
    paths = [path for room in ("ldp", "surveys", "worker") for path in (ROOT / room).rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    counts = {name: sum(len(re.findall(rf"\b{re.escape(name)}(?!\w)", text)) for text in texts) for name in UNTOLD}
    assert {name: n for name, n in counts.items() if n > UNTOLD[name]} == {}


def asks(node):
    """Return whether a comparison is with the name of a kind."""
    if not isinstance(node, ast.Compare):
        return False
    compared = [node.left, *node.comparators]
    names = {each.value for one in compared for each in ast.walk(one) if isinstance(each, ast.Constant)}
    return bool(names & FITTING.keys()) and "kind" in ast.unparse(node)


def test_no_more_modules_than_before_ask_for_a_single_kind():
    counts = Counter(
        module
        for module, tree in modules("ldp", "surveys", "worker")
        if not module.startswith(("ldp/kinds/", "surveys/survey/kinds/"))
        for node in ast.walk(tree)
        if asks(node)
    )
    assert {module: n for module, n in counts.items() if n > ASKING.get(module, 0)} == {}
