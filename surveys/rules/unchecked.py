"""What nobody has checked yet: a draft and its parts, as they were typed or as they stand in a file."""

from typing import Any

Unchecked = dict[str, Any]

Draft = Unchecked
Question = Unchecked
Section = Unchecked
Form = Unchecked
