"""What ldp defines is used by the product or measured by a benchmark; what only tests need stands in tests/support."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]


def trees(*rooms):
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def mentions(node):
    """The names that a node uses, also those that it imports or reads by their text."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.alias):
            yield each.name.rpartition(".")[2]
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.isidentifier():
            yield each.value


def test_no_function_of_ldp_is_there_for_tests_alone():
    used = {name for _, tree in trees("ldp", "surveys", "worker", "benchmarks") for name in mentions(tree)}
    defined = {
        f"{module}: {node.name}"
        for module, tree in trees("ldp")
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in used
    }
    assert defined == set()
