"""Experiments from the literature on the models of trust. `python -m benchmarks.lab [NAME ...]` draws each into
docs/lab/NAME.svg, with its points in docs/lab/NAME.csv. ldp.central computes them if it can; else they are simulated.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import benchmarks.site  # noqa: F401
from benchmarks import lab_curator, lab_local
from benchmarks.lab_scale import FULL, Panels, Scale
from surveys.public.lab import drawing
from surveys.public.lab.curves import charts

FOLDER = Path(__file__).parents[1] / "docs" / "lab"


class Experiment(NamedTuple):
    title: str
    panels: Callable[[Scale], Panels]


EXPERIMENTS = {
    "laplace-mean": Experiment("The mean of a curator with Laplace noise", lab_curator.laplace_mean),
    "power": Experiment("Tests of one share: power and size", lab_curator.power_and_size),
    "osgt": Experiment("OSGT against Gaussian noise", lab_curator.osgt),
    "quantiles": Experiment("Quartiles with and without atoms", lab_curator.quartiles),
    "majority": Experiment("The majority by three ways", lab_curator.majority),
    "multinomial": Experiment("The error of all shares and the minimax rates", lab_local.multinomial),
    "density": Experiment("The error of a density against its bins", lab_local.density),
}


def made(name: str, scale: Scale) -> tuple[bytes, str]:
    """Return the figure of an experiment, and its points with a heading for each panel."""
    experiment = EXPERIMENTS[name]
    panels = experiment.panels(scale)
    points = "\n".join(f"# {heading}\n{charts.table(chart)}" for heading, chart in panels)
    return drawing.draw_panels(panels, experiment.title), points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to draw (default: docs/lab)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(EXPERIMENTS))
    chosen = parser.parse_args()
    names, folder = chosen.names or list(EXPERIMENTS), chosen.folder
    if unknown := set(names) - set(EXPERIMENTS):
        parser.error(f"there is no experiment {', '.join(sorted(unknown))}")
    folder.mkdir(exist_ok=True)
    for name in names:
        picture, points = made(name, FULL)
        (folder / f"{name}.svg").write_bytes(picture)
        (folder / f"{name}.csv").write_text(points, encoding="utf-8")
        print(folder / f"{name}.svg")


if __name__ == "__main__":
    main()
