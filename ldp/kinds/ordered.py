"""A step of a scale: one of several options that have an order."""

from ldp.kinds.choices import Choice


class Ordered(Choice):
    """An answer is the index of an option."""
