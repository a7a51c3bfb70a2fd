"""The house rules: who may know whom, read from the imports."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("ldp", "surveys", "worker")


def _imports(path: Path) -> set[str]:
    """Top-level names of everything a file imports, anywhere in it."""
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


@pytest.mark.parametrize("path", _files("ldp"), ids=lambda path: path.name)
def test_ldp_knows_only_numpy_and_scipy(path):
    outside = _imports(path) - set(sys.stdlib_module_names)
    assert outside <= {"ldp", "numpy", "scipy"}


@pytest.mark.parametrize("path", _files("surveys"), ids=lambda path: path.stem)
def test_surveys_never_knows_the_worker(path):
    assert not _imports(path) & {"worker", "celery", "kombu"}


def test_no_room_stands_in_a_circle():
    """Rooms are the folders below the packages; what stands beside them at the top ties them together."""
    rooms: dict[str, set[str]] = {}
    for path in (path for package in PACKAGES for path in _files(package)):
        room = _room(path.relative_to(ROOT).with_suffix("").as_posix())
        rooms.setdefault(room, set()).update(_room(name.replace(".", "/")) for name in _modules(path))
    order = TopologicalSorter(
        {room: {other for other in others if other and other != room} for room, others in rooms.items() if room}
    )
    assert len(list(order.static_order())) > 20  # CycleError names a circle


def test_no_two_modules_import_each_other():
    modules = {
        path.relative_to(ROOT).with_suffix("").as_posix().removesuffix("/__init__"): path
        for package in PACKAGES
        for path in _files(package)
    }
    known = {name.replace("/", "."): path for name, path in modules.items()}
    graph = {
        name: {other for other in _modules(path) if other in known and other != name} for name, path in known.items()
    }
    assert len(list(TopologicalSorter(graph).static_order())) == len(known)


def _room(path: str) -> str:
    """The folder of a module, empty for those beside the rooms and for other packages."""
    parts = path.split("/")
    if parts[0] not in PACKAGES or len(parts) < 2:
        return ""
    return (
        "/".join(parts[:-1] if not (ROOT / path).is_dir() else parts) if (ROOT / parts[0] / parts[1]).is_dir() else ""
    )


def _modules(path: Path) -> set[str]:
    """Everything that a file imports by its whole name, packages and what may be a module or a name in one."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {_module(f"{node.module}.{alias.name}", str(node.module)) for alias in node.names}
    return found


def _module(name: str, package: str) -> str:
    path = ROOT / name.replace(".", "/")
    return name if path.is_dir() or path.with_suffix(".py").exists() else package


def test_the_site_asks_redis_for_the_workers_heartbeat_and_whether_it_answers_and_for_nothing_else():
    assert {path.stem for path in _files("surveys") if "redis" in _imports(path)} == {"heartbeat", "broker"}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_knows_the_tests(package):
    assert not any(_imports(path) & {"tests", "benchmarks", "pytest"} for path in _files(package))


def test_what_the_intake_needs_of_ldp_loads_without_numpy():
    code = (
        "import sys; import ldp.mechanisms, ldp.privatize, ldp.exact, ldp.words; "
        "sys.exit('numpy' in sys.modules or 'scipy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
