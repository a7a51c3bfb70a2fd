"""`manage.py` without its start-up time. A process sets Django up once and forks for each command. The fork runs the
checkout's manage.py or, with `-m`, another of its programs. A command then takes some milliseconds instead of a second
or two.

A command sees what a new process would see, except that some modules are already loaded. No connection is open before
the fork. Requests and answers are lines of JSON. The process ends when its input ends, so it ends with its parent.
"""

import contextlib
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SECONDS = 600  # seconds after which a command is ended


class Done(NamedTuple):
    status: int
    output: str
    errors: str


class Manager:
    """A runner of commands of the checkout `code` in the environment `env`. It loads further modules once for all
    commands."""

    def __init__(self, code: Path, env: Mapping[str, str], *modules: str) -> None:
        self.code, self.env = code, dict(env)
        pipes, command = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}, [sys.executable, __file__, *modules]
        self._process = subprocess.Popen(command, cwd=code, env=self.env, text=True, **pipes)

    def run(self, arguments: tuple[str, ...], stdin: str) -> Done:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([arguments, stdin]) + "\n")
        self._process.stdin.flush()
        return Done(*json.loads(self._process.stdout.readline()))

    def stop(self) -> None:
        self._process.communicate()


def _serve() -> None:
    sys.path[0] = os.getcwd()
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    with open(os.devnull, "r+b") as nothing:
        for standard in (0, 1):
            os.dup2(nothing.fileno(), standard)
    with contextlib.suppress(Exception):  # each command reports wrong settings itself
        _warm()
    for line in requests:
        print(json.dumps(_answer(*json.loads(line))), file=answers, flush=True)
    os._exit(0)  # exit at once, without freeing the loaded modules


def _warm() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "surveys.settings")
    import django

    django.setup()
    import django.test

    import surveys.urls  # noqa: F401

    for module in sys.argv[1:]:
        importlib.import_module(module)


def _answer(arguments: list[str], stdin: str) -> tuple[int, str, str]:
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(stdin.encode())
        files[0].seek(0)
        child = os.fork()
        if not child:
            os._exit(_command(arguments, [file.fileno() for file in files]))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for file in files:
            file.seek(0)
        return status, files[1].read().decode(), files[2].read().decode()


def _command(arguments: list[str], files: list[int]) -> int:
    for standard, file in enumerate(files):
        os.dup2(file, standard)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(k, mode, closefd=False) for k, mode in enumerate("rww"))
    signal.alarm(SECONDS)
    try:
        _run(arguments)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _run(arguments: list[str]) -> None:
    if arguments[:1] == ["-m"]:
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["manage.py", *arguments]
        runpy.run_path("manage.py", run_name="__main__")


if __name__ == "__main__":
    _serve()
