"""Every benchmark starts from the current checkout at its smallest size. If even that takes long, the benchmark only
prints its options, and `make test-long` runs it. If it needs packages or programs that the project does not use, it
only says so."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import intake, people
from ldp.forms import columns, efficiency
from surveys.designer.files.starting import templates
from tests.services.manager import Done, Manager
from tests.services.system import OURS, ROOT

pytestmark = [pytest.mark.system, pytest.mark.slow]

SMALLEST = {
    "aggregation": "--reports 1000",
    "between": "--cells 1",
    "builder": "--rounds 1 --database sqlite",
    "comparisons": "--surveys 1",
    "coverage": "--alphas 1 --sizes 1 --categories 2 --surveys 1",
    "crossings": "--reports 1000",
    "crossings_coverage": "--surveys 1",
    "demo": "--people 1000",
    "designs": "--short",
    "designs_audiences": "",
    "error": "--surveys 2",
    "estimation": "--reports 1000 --mechanisms randomized_response",
    "faults": "--reports 20 --kills 1",
    "forms": "--surveys 10 --most 20",
    "forms_cost": "--people 100 --seconds 0",
    "growth": "--reports 1000 --questions 5 --largest 0 --surveys 10",
    "impossible": "--surveys 1",
    "intake": "--seconds 1 --rounds 1",
    "interval_methods": "--surveys 1",
    "joining": "--people 20 --kills 1",
    "killed_browser": "--times 1",
    "lab": "--folder {folder} majority",
    "microdata": "--reports 1000",
    "observer": "--reports 10 --pause 0.1",
    "pages": "--times 1 --reports 200",
    "peers": "--seconds 0.1",
    "people": "--margin 10",
    "raking": "--surveys 2 --alphas 4 --sizes 500",
    "reading": "--alphas 4 --sizes 50 --categories 3 --surveys 1 --names bitwise",
    "relations": "--surveys 2 --totals 8 --sizes 500",
    "scale": "--reports 1000 --database sqlite",
    "sentences": "--surveys 1",
    "sequences": "--surveys 1",
    "shares": "--step 100",
    "signing": "--seconds 1 --rounds 1 --signatures 50 --connections 1",
    "starving": "--reports 1 --only nobody",
    "thief": "--batch 20",
    "turnout": "--tries 50",
    "voters": "--surveys 1",
    "walk": "--only together",
    "weight": "--times 1",
    "weighting": "--surveys 1",
}
LONG = {"comparisons", "coverage", "crossings", "crossings_coverage", "faults", "killed_browser", "observer", "reading"}
LONG |= {"between", "designs", "estimation", "microdata", "starving", "thief", "voters", "weight"}
LONG |= {"builder", "error", "pages", "impossible", "interval_methods", "growth", "joining", "scale"}
LONG |= {"signing", "walk"}
MISSING = {"peers": "No module named 'pure_ldp'"}


def documented() -> set[str]:
    files = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]
    return {name for file in files for name in re.findall(r"-m benchmarks\.(\w+)", file.read_text(encoding="utf-8"))}


def test_every_documented_benchmark_is_started_here_and_every_started_one_is_documented():
    assert documented() == set(SMALLEST)


def environment(directory: Path) -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if key not in (*OURS, "DJANGO_SETTINGS_MODULE")}
    return own | {"DATA_DIR": str(directory)}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """Yield a process that has loaded most of a benchmark's modules. Daily, each benchmark runs in a fork of it;
    nightly, in a new process."""
    manager = Manager(ROOT, environment(tmp_path_factory.mktemp("loaded")), "scipy.stats", "scipy.optimize", "pandas")
    yield manager
    manager.stop()


@pytest.mark.statistical
@pytest.mark.parametrize("name", SMALLEST)
def test_a_benchmark_starts(name, tmp_path, nightly, loaded):
    before, module, chosen = kept(), f"benchmarks.{name}", SMALLEST[name].format(folder=tmp_path).split()
    if nightly:
        command = [sys.executable, "-m", module, *chosen]
        ran = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True)
        done = Done(ran.returncode, ran.stdout, ran.stderr)
    else:
        done = loaded.run(("-m", module, *(["--help"] if name in LONG else chosen)), "")
    said = done.output + done.errors
    assert done.status == 0 or (name in MISSING and MISSING[name] in said), said
    assert done.output or name in MISSING, "it prints what it found"
    assert kept() == before, "what the documents show is not replaced by a look"


def test_the_intake_is_measured_with_a_draft_that_is_there():
    assert intake.DRAFT.exists()


def test_the_readme_shows_the_sample_sizes_that_its_command_prints():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\n".join(people.by_alpha(people.MARGIN)) in readme
    printed = (ROOT / "benchmarks" / "results" / "people.md").read_text(encoding="utf-8")
    assert "\n".join(people.by_template()) in printed
    smallest = templates()[0]
    assert f"needs {smallest.people_for_main} people for its main question and {smallest.people_for_all}" in readme


def test_the_sentences_of_the_readme_on_sample_sizes_agree_with_its_table():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in people.by_alpha(people.MARGIN)]
    (_, plain, _, moderate, strong, _), several, twenty = rows[2], rows[4], rows[6]
    first = " ".join(readme.split())
    assert f"one yes/no question takes {plain} people without privacy, {moderate} with moderate protection" in first
    assert f"and {strong} with strong protection; five take {several[3]} with moderate protection" in first
    forms, without = (int(twenty[k].replace(",", "")) for k in (3, 5))
    assert "fifteen times as many" in first and round(without / forms) == 15
    least = math.floor(100 * least_part(20))
    assert f"For twenty questions at alpha 2, no method can need fewer than {least}% of the people" in first


def least_part(questions: int) -> float:
    """Return the least part of the people of forms that any method needs for that many yes/no questions at alpha 2."""
    forms = max(t * columns.keep_chance(2.0, 2**t) ** 2 for t in range(1, questions + 1))
    return 4 * forms / columns.best_alone(2.0, 2) / efficiency.bound(2.0, (2,) * questions).at_most


def kept() -> dict[Path, float]:
    return {path: path.stat().st_mtime for path in (ROOT / "benchmarks" / "results").iterdir()}
