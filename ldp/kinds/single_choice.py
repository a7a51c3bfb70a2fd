"""One of several options."""

from ldp.kinds.choices import Choice


class SingleChoice(Choice):
    """An answer is the index of an option."""
