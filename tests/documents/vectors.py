"""docs/vectors.json: the vectors of the protocol, for people who write a client. `python -m tests.documents.vectors`
writes it.

A vector is a definition, the place of a form where it has forms, answers, the words that are drawn, and the bytes of
the report that follow.
"""

import json
import os
from pathlib import Path

PATH = Path(__file__).parents[2] / "docs" / "vectors.json"
LEFT_OUT = ("every kind",)  # the same questions as those of the parts, all in one definition


def text() -> str:
    """Definitions once, by their digests; each vector a line."""
    from tests.support import vectors  # once Django is set up

    chosen = [each for part, several in vectors.parts().items() if part not in LEFT_OUT for each in several]
    definitions = {each["digest"]: each["definition"] for each in chosen}
    lines = [json.dumps({name: value for name, value in each.items() if name != "definition"}) for each in chosen]
    made = {"format": 1, "definitions": definitions}
    return json.dumps(made, indent=1)[:-2] + ',\n "vectors": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    import django

    django.setup()
    PATH.write_text(text(), encoding="utf-8")
