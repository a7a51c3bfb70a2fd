"""The reasons why a draft is not changed."""


class NotDraft(Exception):
    """The survey is no draft any more: it was opened or deleted."""


class Changed(Exception):
    """Another user has changed, moved or removed the part meanwhile."""
