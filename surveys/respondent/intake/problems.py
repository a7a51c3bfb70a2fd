"""Refusals as problem documents (RFC 9457): the rule and the field, never a value that was sent."""

from typing import Any

CONTENT_TYPE = "application/problem+json"


def problem_document(status: int, name: str, title: str, detail: Any) -> dict[str, Any]:
    """Return a problem document. `name` is the last part of its type, which stays the same between versions."""
    return {"type": f"/problems/{name}", "title": title, "status": status, "detail": detail}
