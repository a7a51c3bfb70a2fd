"""The product uses every definition of the product, or a benchmark measures it. Code for tests alone is in
tests/support.

Django and Celery find some definitions by their own rules: a name in the settings (read from its text), a decorator
that registers, a module's `Command`, the configuration of an app.
"""

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A name, or a path to one: surveys.accounts.backend.LimitedBackend, worker.schedule:Schedule.
PATH = re.compile(r"(?:\w+[.:])*([A-Za-z_]\w*)")
REGISTERING = {"register", "receiver"}


def trees(*rooms):
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def mentions(node):
    """Yield the names that a node uses, imports or has as text."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.alias):
            yield each.name.rpartition(".")[2]
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and (path := PATH.fullmatch(each.value)):
            yield path[1]


@functools.cache
def used():
    return {name for _, tree in trees("ldp", "surveys", "worker", "benchmarks") for name in mentions(tree)}


def is_found_by_a_framework(module, node):
    bases = {name for base in getattr(node, "bases", []) for name in mentions(base)}
    registering = {name for decorator in node.decorator_list for name in mentions(decorator)} & REGISTERING
    return bool(registering) or "AppConfig" in bases or ("management/commands" in module and node.name == "Command")


@pytest.mark.parametrize("package", ["ldp", "surveys", "worker"])
def test_nothing_is_defined_for_tests_alone(package):
    defined = {
        f"{module}: {node.name}"
        for module, tree in trees(package)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in used()
        if not is_found_by_a_framework(module, node)
    }
    assert defined == set()
