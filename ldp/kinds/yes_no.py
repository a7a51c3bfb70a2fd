"""Yes or no."""

from ldp.kinds.choices import Choice


class YesNo(Choice):
    """An answer is the index of an option."""
