"""The context of a template: texts, numbers, rows and objects by the names that it uses."""

from typing import Any

Context = dict[str, Any]
