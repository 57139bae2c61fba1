"""Programs of the documentation and of the downloads, each in a process of its own.

Most of them import the engine, and with it NumPy and SciPy, which takes most of a second of a
processor. So there is one process that has imported the engine and nothing else of Candor, and
each of these programs runs in a fork of it.
"""

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINE = "rr_engine"

# Takes a line of JSON for each program, and answers with its exit status.
FORKING = """
import json
import os
import sys
import traceback

# Its parts are loaded on demand: by this, once for all programs.
from rr_engine import *


def run(code, arguments, environment, folder, output):
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in enumerate(output, start=1):
        os.dup2(os.open(name, os.O_WRONLY), number)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["-c", *arguments]
    try:
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        status = run(*json.loads(line))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def run_python(code: str, *arguments: object) -> str:
    """Return what the program prints; raises CalledProcessError where it fails."""
    words = [*map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if ENGINE in code or any(ENGINE in _text_of(word) for word in words if word.endswith(".py")):
        done = run_with_engine(code, *words, folder=os.getcwd(), environment=environment)
        done.check_returncode()
        return done.stdout
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


def _text_of(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


def run_with_engine(
    code: str, *arguments: object, folder: str | Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder, in a fork of the process that has imported the engine."""
    words = [*map(str, arguments)]
    with tempfile.TemporaryDirectory() as files:
        output = [Path(files, name) for name in ("output", "errors")]
        for file in output:
            file.touch()
        request = [code, words, environment, str(folder), [*map(str, output)]]
        process = _forking()
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        status = int(process.stdout.readline())
        printed, errors = (file.read_text() for file in output)
    return subprocess.CompletedProcess(code, status, printed, errors)


@functools.cache
def _forking() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", FORKING],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def end() -> None:
    """End the process, if there is one."""
    if _forking.cache_info().currsize:
        process = _forking()
        process.communicate()
        _forking.cache_clear()
