"""A stored draft, and the one door through which it is begun and changed (store.py)."""

from surveys.drafts.errors import Changed, NotDraft
from surveys.drafts.store import begin, change, expect, mark

__all__ = ["Changed", "NotDraft", "begin", "change", "expect", "mark"]
