"""The JSON file of any document that was counted."""

import json
from collections.abc import Mapping


def json_text(document: Mapping[str, object]) -> str:
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
