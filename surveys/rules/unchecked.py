"""What nobody has checked yet, as it was typed or as it stands in a file: a draft and its parts, a definition; and what
is built of it, of which only all parts together are a definition."""

from collections.abc import Mapping
from typing import Any

Unchecked = Mapping[str, Any]
Built = dict[str, Any]
