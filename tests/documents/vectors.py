"""Writes docs/vectors.json, the vectors of the protocol for authors of a client. `python -m tests.documents.vectors`
runs it.

A vector has a definition, the form's place if there are forms, answers, the drawn words, and the bytes of the resulting
report.
"""

import json
import os
from pathlib import Path

PATH = Path(__file__).parents[2] / "docs" / "vectors.json"
LEFT_OUT = ("every kind",)  # the questions of the other parts, in one definition


def text() -> str:
    """Return the definitions by digest, then each vector on a line."""
    from tests.support import vectors  # Django must be set up first

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
