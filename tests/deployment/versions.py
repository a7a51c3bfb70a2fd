"""The next version of the software: this version with another column in two tables, and the migration that adds
them."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.services.system import ROOT

# Additions of the next version to the models: a column of the surveys and one of the reports.
GROWN = {"survey": "Survey", "report": "Report"}  # the models that get a column, by module


def next_version(directory: Path) -> Path:
    """Make a checkout with more columns, and the migration that Django writes for them. Return its path. The compiled
    files are copied too; without them, each of about ten processes would compile the code again."""
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
    """Copy the code that a site runs into the folder `code`."""
    for part in ("ldp", "surveys", "worker"):
        shutil.copytree(ROOT / part, code / part, ignore=shutil.ignore_patterns("*.pyc.*"))  # half-written files
    shutil.copy(ROOT / "manage.py", code)


def with_column(source: str, model: str) -> str:
    """Return the module with a column before the model's first assignment."""
    body = next(node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == model)
    first = next(node for node in body if isinstance(node, ast.Assign))
    lines = source.splitlines(keepends=True)
    lines.insert(first.lineno - 1, "    wave = models.IntegerField(null=True)\n")
    return "".join(lines)
