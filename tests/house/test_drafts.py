"""Only one module stores drafts. The test reads the syntax of every module."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITES = {"create", "get_or_create", "update_or_create", "update", "bulk_create", "bulk_update", "save", "Survey"}


def writes(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that give a survey another draft: an assignment to it or into it, or a query that names the
    field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Delete):
            targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else [node.target]
            if any(_is_draft(target) for target in targets):
                yield node.lineno
        elif isinstance(node, ast.Call) and _called(node) in WRITES and _names_draft(node):
            yield node.lineno


def _is_draft(target: ast.AST) -> bool:
    while isinstance(target, ast.Subscript):
        target = target.value
    return isinstance(target, ast.Attribute) and target.attr == "draft"


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _names_draft(call: ast.Call) -> bool:
    fields = [keyword.arg for keyword in call.keywords]
    listed = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
    everything = _called(call) == "save" and "survey" in ast.unparse(call.func) and "update_fields" not in fields
    return everything or "draft" in fields or (_called(call) in ("save", "bulk_update") and "draft" in listed)


def test_a_stored_draft_is_written_through_one_door():
    paths = [path for room in ("surveys", "worker") for path in (ROOT / room).rglob("*.py")]
    writers = {
        f"{path.relative_to(ROOT)}" for path in paths if any(writes(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert writers == {"surveys/drafts/store.py"}


def test_every_way_of_writing_a_draft_is_seen():
    for line in (
        "survey.draft = {}",
        "survey.draft['title'] = 'x'",
        "survey.draft |= other",
        "del survey.draft['questions'][0]",
        "Survey.objects.create(title='x', draft={})",
        "Survey(draft={})",
        "Survey.objects.filter(pk=1).update(draft={})",
        "survey.save(update_fields=['draft'])",
        "survey.save()",
        "Survey.objects.bulk_update(surveys, ['draft'])",
    ):
        assert list(writes(ast.parse(line))), line
    assert not list(writes(ast.parse("survey.save(update_fields=['title']); draft = survey.draft; draft['title'] = 1")))
