"""Results as text, printed and kept in results/<name>.md with the command that made them. A run with options, which may
be smaller, only prints."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

FOLDER = Path(__file__).parent / "results"
Scale = TypeVar("Scale", bound=Any)


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return a Markdown table that is also aligned as plain text."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    lines = [
        "| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    return [lines[0], "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|", *lines[1:]]


def write(name: str, title: str, lines: Sequence[str], command: str | None = None) -> None:
    """Print the lines and keep them. Lines give ratios first; times and machines come last, if at all."""
    command = command or f".venv/bin/python -m benchmarks.{name}"
    text = "\n".join([f"# {title}", "", f"Made by `{command}`.", "", *lines, ""])
    print(text)
    keep(f"{name}.md", text.encode())


def keep(file: str, content: bytes) -> None:
    """Keep a file of results, unless the command line has options."""
    if not sys.argv[1:]:
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / file).write_bytes(content)


def number(name: str, default: int) -> int:
    """Return the size of the run, the only option of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument(f"--{name}", type=int, default=default)
    return int(getattr(parser.parse_args(), name))


def scaled(scale: Scale) -> Scale:
    """Return the scale with fields from the command line: `--surveys 10 --alphas 1 4`."""
    parser = argparse.ArgumentParser()
    for field in fields(scale):
        value = getattr(scale, field.name)
        one, several = (value[0], {"nargs": "+"}) if isinstance(value, tuple) else (value, {})
        parser.add_argument(f"--{field.name}", type=type(one), default=value, **several)
    chosen = vars(parser.parse_args()).items()
    return replace(scale, **{name: tuple(value) if isinstance(value, list) else value for name, value in chosen})
