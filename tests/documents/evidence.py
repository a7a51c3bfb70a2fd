"""Rewrites docs/evidence: the evidence of the demo's survey, from the totals of one run
(tests/designer/evidence/demo.json). `.venv/bin/python -m tests.documents.evidence` runs it."""

import os
import shutil
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "evidence"


def main() -> None:
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"DATA_DIR": data, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
        import django

        django.setup()
        _write(Path(data) / "evidence")


def _write(made: Path) -> None:
    from django.core.management import call_command

    from tests.support import evidence  # Django must be set up first

    call_command("migrate", verbosity=0)
    evidence.demonstration()
    call_command("survey", "evidence", evidence.RUN["slug"], str(made))
    (made / "archive.zip").unlink()
    shutil.copy(FOLDER / "README.md", made)
    shutil.rmtree(FOLDER)
    shutil.copytree(made, FOLDER)


if __name__ == "__main__":
    main()
