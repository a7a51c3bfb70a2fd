"""The translation of a text when it is read, in the reader's language; it is used like any other text."""

from collections.abc import Callable
from typing import cast

from django.utils.translation import gettext_lazy

_ = cast(Callable[[str], str], gettext_lazy)
