"""Download formats that need extra packages (requirements-formats.txt), which a site may omit."""

from importlib.util import find_spec
from pathlib import PurePath

PACKAGES = {".parquet": ("pyarrow",), ".sav": ("pandas", "pyreadstat"), ".dta": ("pandas", "pyreadstat")}


def installed(name: str) -> bool:
    """Return whether this machine can write a file of this name."""
    return all(find_spec(package) is not None for package in PACKAGES.get(PurePath(name).suffix, ()))
