"""Errors without their messages, for the log. A database's message quotes the row that it could not store."""

import traceback
from types import TracebackType

Error = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def trail(error: Error | None) -> str:
    """Return the error's kind and its stack, one place a line; "" without an error."""
    if not error or error[0] is None:
        return ""
    places = [f"\n  {f.filename}:{f.lineno} in {f.name}" for f in traceback.extract_tb(error[2])]
    return f": {error[0].__qualname__}{''.join(places)}"
