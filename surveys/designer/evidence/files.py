"""Files of the archive: their bytes with descriptions."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class File:
    name: str
    media_type: str
    purpose: str
    content: bytes

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def size(self) -> int:
        return len(self.content)


def json_in_order(value: object) -> str:
    """Return a description as JSON, with its keys in their order."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
