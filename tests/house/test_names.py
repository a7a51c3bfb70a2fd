"""Modules, functions and classes have the field's nouns: who greps for "export", "job" or "sentence" finds them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Each of these once named several things.
AVOIDED = frozenset(
    [
        "asked",
        "beginning",
        "changing",
        "chosen",
        "confined",
        "deed",
        "deeds",
        "delivered",
        "described",
        "desk",
        "ending",
        "exporting",
        "found",
        "frozen",
        "further",
        "imported",
        "joining",
        "kept",
        "labelled",
        "mixing",
        "neutral",
        "offered",
        "offers",
        "randomizing",
        "releasing",
        "said",
        "sending",
        "shaped",
        "shown",
        "spoken",
        "stored",
        "taken",
        "taking",
        "told",
        "translated",
        "translating",
        "tried",
        "watching",
        "writing",
    ]
)


def test_no_module_has_a_name_that_says_nothing_of_what_is_in_it():
    modules = [
        path
        for top in ("ldp", "surveys", "worker", "tests/support", "tests/services")
        for path in (ROOT / top).rglob("*.??*")
        if path.suffix in {".py", ".js"}
    ]
    named = [str(path.relative_to(ROOT)) for path in modules if AVOIDED & set(path.stem.replace("-", "_").split("_"))]
    assert len(modules) > 500 and not named


# Names of a stored format, a table and Django's; what a designer chose, and what a statement stored.
OLDER = {"_asked_if", "Taken", "not_found", "chosen_role", "chosen_numbers", "_stored", "_not_stored"}


@pytest.fixture(scope="module")
def named_things():
    """Every function and class of the product, and every module, with the place where it stands."""
    paths = [path for top in ("ldp", "surveys", "worker") for path in (ROOT / top).rglob("*.py")]
    return [
        (path.relative_to(ROOT), getattr(node, "name", path.stem), node)
        for path in paths
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
    ]


def words_of(name):
    return set(re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().split("_"))


def test_no_function_and_no_class_has_such_a_name(named_things):
    named = {(str(path), name) for path, name, _ in named_things if AVOIDED & words_of(name) and name not in OLDER}
    assert not named


# Local names that made a stranger stop: functions that still have one. The number only falls.
LOCAL = frozenset(["asked", "begun", "found", "got", "said", "spoken", "taken", "told"])
FUNCTIONS_WITH_ONE = 7


def test_no_more_functions_than_before_have_a_local_name_that_says_nothing(named_things):
    functions = [node for _, _, node in named_things if isinstance(node, ast.FunctionDef)]
    names = [
        {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        | {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        for node in functions
    ]
    assert len(functions) > 3000 and sum(len(LOCAL & own) for own in names) <= FUNCTIONS_WITH_ONE


def test_a_docstring_says_what_the_thing_is(named_things):
    """Not of what it is, nor what else it is the same as."""
    openings = ("Of ", "Those ", "Where ", "The same ")
    texts = [(f"{path}: {name}", ast.get_docstring(node) or "") for path, name, node in named_things]
    assert len(texts) > 3000 and not [place for place, text in texts if text.startswith(openings)]
