"""`manage.py lab`: the lab's three rows for chosen numbers, and every figure as SVG and CSV."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.figures.themes import THEMES
from surveys.public.lab import facts
from surveys.public.lab.curves import charts
from surveys.public.lab.curves.numbers import Numbers
from surveys.public.lab.figures import FIGURES
from surveys.public.lab.inputs import DEFAULTS, NumbersInput, chosen_numbers, read

COLUMNS = (26, 14, 17, 8, 9)


class Command(BaseCommand):
    help = "One question without privacy, with a trusted curator and with local privacy; the lab's figures as files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        for name, field in NumbersInput.base_fields.items():
            parser.add_argument(f"--{name}", default=DEFAULTS[name], help=f"{field.label}. {field.help_text}")
        parser.add_argument("--figures", nargs="+", choices=FIGURES, default=list(FIGURES), metavar="NAME")
        parser.add_argument("--svg", type=Path, metavar="DIR", help="write the figures there as SVG")
        parser.add_argument("--csv", type=Path, metavar="DIR", help="write their points there as CSV")
        parser.add_argument("--theme", choices=THEMES, default="light")

    def handle(self, *args: Any, **options: Any) -> None:
        form = read(options)
        if not form.is_valid():
            raise CommandError(
                "\n".join(f"--{name}: {' '.join(map(str, errors))}" for name, errors in form.errors.items())
            )
        numbers = chosen_numbers(form)
        self._rows(numbers)
        for name in options["figures"]:
            self._figure(name, numbers, options)

    def _rows(self, numbers: Numbers) -> None:
        self._line("", "interval for", f"{facts.percent(numbers.share)}", "width", "coverage")
        for row in facts.of_three_ways(numbers)["rows"]:
            self._line(row["trust"], row["method"], row["interval"], row["width"], row["coverage"])

    def _line(self, *cells: str) -> None:
        self.stdout.write(" ".join(cell.ljust(width) for cell, width in zip(cells, COLUMNS, strict=True)).rstrip())

    def _figure(self, name: str, numbers: Numbers, options: dict[str, Any]) -> None:
        if not (options["svg"] or options["csv"]):
            return
        chart = FIGURES[name].chart(numbers)
        if options["csv"]:
            _write(options["csv"] / f"{name}.csv", charts.table(chart).encode())
        if options["svg"]:
            from surveys.public.lab import drawing

            _write(
                options["svg"] / f"{name}.svg", drawing.draw(chart, str(FIGURES[name].title), options["theme"], "wide")
            )


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
