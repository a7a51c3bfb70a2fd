"""Read a spreadsheet in a separate process with little memory, little time and none of the site's secrets."""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

READER = Path(__file__).with_name("reader.py")
SECONDS = 20  # wall-clock seconds; the reader limits its processor time itself
OLD = b"\xd0\xcf\x11\xe0"  # the first bytes of .xls files
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # in an .xlsx with a password, whose first bytes are those of .xls
ANSWER_MAX = 8 << 20  # bytes
WAITING = 10  # seconds to wait for a place
# Each process may use the memory of its limit; further ones wait.
PLACES = threading.BoundedSemaphore(2)

REASONS: dict[str, Promise] = {
    "no workbook": _("This is not an .xlsx spreadsheet. In a spreadsheet program, save the form as .xlsx."),
    "opendocument": _("This is an OpenDocument file (.ods). In a spreadsheet program, save the form as .xlsx."),
    "numbers": _("This is a file of Numbers. Export the form as .xlsx."),
    "binary": _("This is a binary spreadsheet (.xlsb). In a spreadsheet program, save the form as .xlsx."),
    "password": _("This spreadsheet has a password. Save it as .xlsx without one."),
    "macros": _("This spreadsheet holds macros, which are not read. Save it as .xlsx, without macros."),
    "large": _(
        "This spreadsheet is too large once unpacked. Remove sheets, pictures and lists that the form does not need."
    ),
    "rows": _("A sheet of this spreadsheet has more than 5,000 rows."),
    "broken": _("This spreadsheet could not be read. Open it in a spreadsheet program and save it as .xlsx again."),
    "form": _("This spreadsheet is not a valid XLSForm."),
    "deep": _("The groups of this form are nested more than 50 deep."),
    "slow": _("This spreadsheet takes too long to read."),
    "old": _("This is a spreadsheet in the old format .xls. In a spreadsheet program, save the form as .xlsx."),
    "busy": _("Other spreadsheets are being read. Try again in a minute."),
}


class Unreadable(ValueError):
    """The spreadsheet was refused. `reason` is one of REASONS, `detail` the library's message, possibly empty."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail

    def __str__(self) -> str:
        return " ".join(filter(None, (str(REASONS[self.reason]), self.detail)))


def read(data: bytes) -> dict[str, Any]:
    """Return the result of reader.read. Raise Unreadable if it refused the file or did not finish."""
    if data.startswith(OLD):
        raise Unreadable("password" if ENCRYPTED in data else "old")
    if not PLACES.acquire(timeout=WAITING):
        raise Unreadable("busy")
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(READER)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            cwd="/",
            # Otherwise the libraries reserve memory for each processor.
            env={"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired:
        raise Unreadable("slow") from None
    finally:
        PLACES.release()
    return _answer(done)


def _answer(done: "subprocess.CompletedProcess[bytes]") -> dict[str, Any]:
    if done.returncode < 0:  # the system ended it at its time limit
        raise Unreadable("slow")
    if done.returncode or len(done.stdout) > ANSWER_MAX:  # no memory was left to report the reason
        raise Unreadable("large")
    answer: dict[str, Any] = json.loads(done.stdout)
    if "refused" in answer:
        raise Unreadable(answer["refused"], answer["detail"][:500])
    return answer
