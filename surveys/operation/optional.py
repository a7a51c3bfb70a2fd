"""Formats of downloads that need packages of their own, which a site may leave out (requirements-formats.txt)."""

from importlib.util import find_spec
from pathlib import PurePath

PACKAGES = {".parquet": ("pyarrow",), ".sav": ("pandas", "pyreadstat"), ".dta": ("pandas", "pyreadstat")}


def installed(name: str) -> bool:
    """Whether this machine can write a file of that name."""
    return all(find_spec(package) is not None for package in PACKAGES.get(PurePath(name).suffix, ()))
