"""Stored drafts. Only store.py begins and changes them."""

from surveys.drafts.errors import Changed, NotDraft
from surveys.drafts.store import Change, begin, change, expect, mark, put_back, replace
