"""Results as text: printed, and kept in results/<name>.md beside the command that made them."""

from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent / "results"


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """A Markdown table that is also aligned as plain text."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]
    lines = [
        "| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    return [lines[0], "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|", *lines[1:]]


def write(name: str, title: str, lines: Sequence[str], command: str | None = None) -> None:
    """Print the lines and keep them. They hold ratios first; times and machines come last, if at all."""
    command = command or f"python -m benchmarks.{name}"
    text = "\n".join([f"# {title}", "", f"Made by `{command}`.", "", *lines, ""])
    print(text)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
