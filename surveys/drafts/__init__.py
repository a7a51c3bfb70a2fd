"""A stored draft, and the one door through which it is begun and changed (store.py)."""

from surveys.drafts.errors import Changed, NotDraft
from surveys.drafts.store import Change, begin, change, expect, mark, put_back, replace
