"""A short way to write a draft's question."""

from typing import Any


def question(key: str, kind: str, alpha: str, **fields: Any) -> dict[str, Any]:
    return {"key": key, "kind": kind, "text": f"{key}?", "alpha": alpha} | fields
