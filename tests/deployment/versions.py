"""The next version of the software: this one with a column more in two tables, and the migration that adds them."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.services.system import ROOT

# What the next version adds to the models: a column of the surveys and one of the reports.
GROWN = {"survey": "Survey", "report": "Report"}  # models that get a column, by their modules


def next_version(directory: Path) -> Path:
    """A checkout with more columns than this one has, and the migration that Django writes for them. What is compiled
    of the rest comes with it: each of some ten processes would compile it anew."""
    code = directory / "next"
    copied_code(code)
    package = code / "surveys" / "__init__.py"
    package.write_text(re.sub('(?<=^__version__ = ").*(?="$)', "99.0.0", package.read_text(), flags=re.MULTILINE))
    for module, model in GROWN.items():
        path = code / "surveys" / "models" / f"{module}.py"
        path.write_text(with_column(path.read_text(), model))
    make = [sys.executable, "manage.py", "makemigrations", "surveys", "--name", "more"]
    subprocess.run(make, cwd=code, env=os.environ | {"DATA_DIR": str(directory)}, check=True, capture_output=True)
    return code


def copied_code(code: Path) -> None:
    """Copy what a site runs into the folder `code`."""
    for part in ("ldp", "surveys", "worker"):
        shutil.copytree(ROOT / part, code / part, ignore=shutil.ignore_patterns("*.pyc.*"))  # half-written
    shutil.copy(ROOT / "manage.py", code)


def with_column(source: str, model: str) -> str:
    """The module with one more column before the model's first statement that assigns."""
    body = next(node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == model)
    first = next(node for node in body if isinstance(node, ast.Assign))
    lines = source.splitlines(keepends=True)
    lines.insert(first.lineno - 1, "    wave = models.IntegerField(null=True)\n")
    return "".join(lines)
