"""The house rules on imports: the modules that each module may import."""

import ast
import functools
import os
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("ldp", "surveys", "worker")


@functools.cache
def _imports(path: Path) -> set[str]:
    """Return the top-level names of all imports in a file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide who imports whom"
            found.add(str(node.module).split(".")[0])
    return found


def _files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def test_ldp_knows_only_numpy_and_scipy():
    known = {"ldp", "numpy", "scipy", *sys.stdlib_module_names}
    assert {str(path): outside for path in _files("ldp") if (outside := _imports(path) - known)} == {}


def test_surveys_never_knows_the_worker():
    unknown = {"worker", "celery", "kombu"}
    assert {str(path): inside for path in _files("surveys") if (inside := _imports(path) & unknown)} == {}


@functools.cache
def _graph() -> dict[str, set[str]]:
    """Return the modules that each of our modules names, by full name."""
    paths = [path for package in PACKAGES for path in _files(package)]
    return {_name(path): _modules(path) - {_name(path)} for path in paths}


def test_no_two_modules_need_each_other():
    TopologicalSorter(_graph()).prepare()  # CycleError names a circle


def test_no_two_rooms_need_each_other():
    """Rooms are the folders below the packages. Modules beside them at the top connect them."""
    rooms: dict[str, set[str]] = {}
    for module, needed in _graph().items():
        rooms.setdefault(_room(module), set()).update(map(_room, needed))
    graph = {room: needed - {room, ""} for room, needed in rooms.items() if room}
    assert len(graph) > 20
    TopologicalSorter(graph).prepare()


def test_a_room_imports_only_rooms_on_lower_floors():
    """docs/developers/architecture.md has the floors. The modules that start Django or the intake are beside them."""
    floors = _floors()
    height = {room: len(floors) - k for k, names in enumerate(floors) for room in names}
    rooms = {_top(path) for path in _files("surveys")} - BESIDE
    assert rooms == set(height)
    upward = [
        f"{module} imports {other}"
        for module, needed in _graph().items()
        for other in needed
        if (above := _top_of(module)) in height
        and (below := _top_of(other)) in height
        and above != below
        and height[above] <= height[below]
    ]
    assert upward == []


BESIDE = {"", "apps", "settings", "wsgi", "rsgi", "migrations", "formats"}


def _floors() -> list[list[str]]:
    """Return the rooms of each floor, the top floor first."""
    text = (ROOT / "docs/developers/architecture.md").read_text(encoding="utf-8")
    block = text.partition("```floors\n")[2].partition("```")[0]
    return [line.partition("   ")[0].split() for line in block.splitlines()]


def _top(path: Path) -> str:
    return path.relative_to(ROOT / "surveys").with_suffix("").parts[0].replace("__init__", "")


def _top_of(module: str) -> str:
    """Return the room of a module at the top of surveys; empty for modules of other packages."""
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] if package == "surveys" else ""


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _room(module: str) -> str:
    """Return the folder of a module; empty for modules beside the rooms, and for those of other packages."""
    path = ROOT / module.replace(".", "/")
    parts = (path if path.is_dir() else path.parent).relative_to(ROOT).parts
    return "/".join(parts) if parts[:1] in [(package,) for package in PACKAGES] and len(parts) > 1 else ""


def _modules(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {_module(f"{node.module}.{alias.name}", str(node.module)) for alias in node.names}
    return {name for name in found if name.split(".")[0] in PACKAGES}


def _module(name: str, package: str) -> str:
    path = ROOT / name.replace(".", "/")
    return name if path.is_dir() or path.with_suffix(".py").exists() else package


def test_redis_has_a_heartbeat_attempts_to_sign_in_counts_and_who_looks_at_a_draft_and_nothing_else_of_the_site():
    ours = {"heartbeat", "broker", "shared", "counts", "presence"}
    assert {path.stem for path in _files("surveys") if "redis" in _imports(path)} == ours


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_knows_the_tests(package):
    assert not any(_imports(path) & {"tests", "benchmarks", "pytest"} for path in _files(package))


def test_what_the_intake_needs_of_ldp_loads_without_numpy():
    code = (
        "import sys; import ldp.mechanisms, ldp.privatize, ldp.exact, ldp.words; "
        "sys.exit('numpy' in sys.modules or 'scipy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.parametrize("module", ["surveys.urls", "surveys.rsgi", "worker.tasks"])
def test_a_process_loads_what_is_large_when_it_computes_or_writes_with_it_and_not_before(module):
    large = ("scipy.special", "scipy.stats", "scipy.optimize", "pyarrow", "openpyxl")
    code = f"import sys, django; django.setup(); import {module};sys.exit(any(name in sys.modules for name in {large}))"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "surveys.settings"}
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment).returncode == 0
