"""The typeface of the site's headings: Source Serif Pro, of which the site serves the letters of its own languages.

It is made once for a site, in a second, from the package that pip installs. Its licence keeps the name "Source" for the
whole: what is served has another one (OFL 1.1, 3). Respondents' pages use what their device has.
"""

import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import font_source_serif_pro
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from surveys.operation.faults import FAULTS

# Another one has another address: whoever has it keeps it for a year.
NAME = "serif-1.woff2"
LETTERS = "U+20-7E,U+A0-17F,U+391-3C9,U+2010-203A,U+20AC,U+2190-2193,U+2212,U+2248,U+2260-2265"
SECONDS = 10  # until it is given up
PAUSE = 600  # seconds until it is tried again: headings do without, and no visitor waits for what does not succeed
_MAKING = threading.Lock()
_failed_at = -float(PAUSE)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """The file, for a year; 404 for any other name, and for a while where it could not be made."""
    if name != NAME or (file := _file()) is None:
        raise Http404
    response = HttpResponse(file.read_bytes(), content_type="font/woff2")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def _file() -> Path | None:
    global _failed_at
    made: Path = settings.DATA_DIR / NAME
    with _MAKING:
        if not made.exists() and time.monotonic() - _failed_at >= PAUSE:
            try:
                _make(made)
            except (OSError, subprocess.SubprocessError) as error:
                _failed_at = time.monotonic()
                FAULTS.add("The typeface of headings could not be made", (type(error), error, error.__traceback__))
    return made if made.exists() else None


def _make(made: Path) -> None:
    """In a process of its own, whose 40 MB of memory end with it. Two processes may make the same file at once, also
    on two machines with one disk, where numbers of processes and threads repeat: whole files only take its name."""
    features = "kern,liga,mark,mkmk,locl,ccmp"
    content = [f"--unicodes={LETTERS}", f"--layout-features={features}", "--no-hinting"]
    form = ["--flavor=woff2", "--desubroutinize", "--obfuscate-names", "--name-IDs=0,1,2,3,4,5,6,13,14"]
    # Not the TrueType file, whose quotation marks take half their width.
    font = font_source_serif_pro.font_files_otf["SourceSerifProSemibold"]
    with TemporaryDirectory(dir=made.parent, prefix=f"{made.stem}-") as folder:
        own = Path(folder, made.name)
        command = [sys.executable, "-m", "fontTools.subset", font, *content, *form, f"--output-file={own}"]
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
        own.replace(made)
