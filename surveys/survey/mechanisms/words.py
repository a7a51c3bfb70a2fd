"""Lazy translation: a text is translated into the reader's language when it is read."""

from collections.abc import Callable
from typing import cast

from django.utils.translation import gettext_lazy

_ = cast(Callable[[str], str], gettext_lazy)
