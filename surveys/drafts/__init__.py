"""A stored draft, and the one door through which it is begun and changed (store.py)."""

from surveys.drafts.errors import Changed, Frozen
from surveys.drafts.shape import Draft
from surveys.drafts.store import begin, change, expect, mark

__all__ = ["Changed", "Draft", "Frozen", "begin", "change", "expect", "mark"]
