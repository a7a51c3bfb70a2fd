"""The context of a template: texts, numbers, rows and objects by name."""

from typing import Any

Context = dict[str, Any]
