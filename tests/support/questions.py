"""A question of a draft, as short as it can be said."""

from typing import Any


def question(key: str, kind: str, alpha: str, **fields: Any) -> dict[str, Any]:
    return {"key": key, "kind": kind, "text": f"{key}?", "alpha": alpha} | fields
