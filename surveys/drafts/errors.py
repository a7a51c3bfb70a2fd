"""Why a draft is not changed."""


class Frozen(Exception):
    """The survey is no draft any more."""


class Changed(Exception):
    """Somebody else has changed, moved or removed the part meanwhile."""
