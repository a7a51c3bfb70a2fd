"""Copies of Python modules with a fault. A fault finds its place in the syntax tree, by a function's name and an
expression. The layout of the code and the order of a call's arguments do not matter."""

import ast
from types import ModuleType
from typing import Any, NamedTuple


class Swap(NamedTuple):
    """Replace every expression `old` in a function by `new`.

    `inside` limits this to the arguments of calls to the function with that name. An `old` of the form f(...) matches
    every call of f.
    """

    function: str
    old: str
    new: str
    inside: str = ""


class Start(NamedTuple):
    """Add a statement at the start of a function."""

    function: str
    statement: str


Edit = Swap | Start


class Fault(NamedTuple):
    """Edits of a mechanism's module, or of a module that it imports."""

    edits: tuple[Edit, ...]
    module: ModuleType | None = None


def fault(*edits: Edit, module: ModuleType | None = None) -> Fault:
    return Fault(edits, module)


# Edits that fit several mechanisms.

SIGNED = "((uniform() ^ (1 << 52)) - (1 << 52))"


def draw(old: str, new: str, inside: str = "") -> Swap:
    return Swap("randomize", old, new, inside)


def signed() -> Swap:
    return draw("uniform()", SIGNED)


def low_byte(entry: str) -> Swap:
    return draw(f'uniform() < table["{entry}"]', f'(uniform() & 255) < (table["{entry}"] & 255)')


AT_MOST = draw("c <= u", "c < u")
LOW_BYTES = draw("c <= u", "(c & 255) <= (u & 255)")


def mutant(module: ModuleType, edits: tuple[Edit, ...]) -> ModuleType:
    """Return the module with these edits. AssertionError if an edit no longer fits the code."""
    tree = tree_of(module)
    for edit in edits:
        function = _function(tree, edit.function)
        if isinstance(edit, Start):
            function.body[:0] = ast.parse(edit.statement).body
        else:
            swapper = _Swapper(edit)
            swapper.generic_visit(function)
            assert swapper.count, f"the fault no longer fits the code: {edit}"
    return executed(module, tree)


def executed(module: ModuleType, tree: ast.Module) -> ModuleType:
    fresh = ModuleType(module.__name__)
    exec(compile(ast.fix_missing_locations(tree), f"mutant of {module.__name__}", "exec"), fresh.__dict__)
    return fresh


def tree_of(module: ModuleType) -> ast.Module:
    with open(str(module.__file__), encoding="utf-8") as file:
        return ast.parse(file.read())


def _function(tree: ast.Module, name: str) -> ast.FunctionDef:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    assert len(functions) == 1, f"the fault no longer fits the code: {name}"
    return functions[0]


class _Swapper(ast.NodeTransformer):
    def __init__(self, swap: Swap) -> None:
        self.old, self.new = (ast.parse(text, mode="eval").body for text in (swap.old, swap.new))
        self.inside, self.within, self.count = swap.inside, not swap.inside, 0

    def visit(self, node: ast.AST) -> Any:
        if self.within and self._matches(node):
            self.count += 1
            return self.new
        if isinstance(node, ast.Call) and not self.within and _called(node) == self.inside:
            self.within = True
            node.args = [self.visit(argument) for argument in node.args]
            self.within = False
            return node
        return self.generic_visit(node)

    def _matches(self, node: ast.AST) -> bool:
        if isinstance(self.old, ast.Call) and _takes_any(self.old):
            return isinstance(node, ast.Call) and ast.dump(node.func) == ast.dump(self.old.func)
        return ast.dump(node) == ast.dump(self.old)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _takes_any(call: ast.Call) -> bool:
    return [ast.dump(argument) for argument in call.args] == [ast.dump(ast.Constant(...))]
