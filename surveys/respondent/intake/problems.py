"""Refusals as problem documents (RFC 9457). They contain the rule and the field, never a sent value."""

from typing import Any

CONTENT_TYPE = "application/problem+json"


def problem_document(status: int, name: str, title: str, detail: Any) -> dict[str, Any]:
    """Return a problem document. `name` is the last part of its type, which is stable between versions."""
    return {"type": f"/problems/{name}", "title": title, "status": status, "detail": detail}
