"""The packages that a site runs with and the licences they state: `python -m tests.documents.licences`."""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]
LISTS = ("requirements.txt", "requirements-formats.txt")


def main() -> None:
    for name in (
        name for file in LISTS for name in re.findall(r"^([\w.-]+)==", (ROOT / file).read_text(), re.MULTILINE)
    ):
        print(f"{name:32} {licence(name)}")


def licence(name: str) -> str:
    """Return the licence's name, or the reason why there is none."""
    try:
        stated = metadata(name)
    except PackageNotFoundError:
        return "not installed on this system"
    classified = [c.rpartition(" :: ")[2] for c in stated.get_all("Classifier", []) if c.startswith("License ::")]
    first = next(iter((stated.get("License") or "").splitlines()), "")
    return stated.get("License-Expression") or "; ".join(classified) or first or "states none"


if __name__ == "__main__":
    main()
