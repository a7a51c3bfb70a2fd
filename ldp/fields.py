"""Checks of the fields of a JSON object from outside."""

from typing import Any


def require_fields(given: Any, where: str, needed: dict[str, type], others: dict[str, type]) -> None:
    """Raise ValueError, naming `where` and the rule, unless `given` is an object with these fields and types."""
    if not isinstance(given, dict):
        raise ValueError(f"{where}: must be an object")
    for name in given.keys() - (needed | others).keys():
        raise ValueError(f"{where}: has no field {name}")
    for name, kind in (needed | others).items():
        if name in given and (not isinstance(given[name], kind) or isinstance(given[name], bool)):
            raise ValueError(f"{where}: {name} is of another type")
        if name in needed and name not in given:
            raise ValueError(f"{where}: needs {name}")
