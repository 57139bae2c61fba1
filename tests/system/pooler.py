"""PgBouncer in front of a PostgreSQL of the tests, in transaction mode."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import psutil
import psycopg

from tests import leftovers
from tests.system.stack import free_port, wait_for

# Debian has it where only root looks.
PATH = f"{os.environ['PATH']}{os.pathsep}/usr/sbin"
CONFIG = """\
[databases]
postgres = host={host} port={port} dbname=postgres user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {size}
query_wait_timeout = {wait}
"""


@contextmanager
def pooler(folder: Path, url: str, *, size: int, wait: int) -> Iterator[str]:
    """Run it for this address; yields its own. `wait`: seconds for one of `size` connections."""
    program = shutil.which("pgbouncer", path=PATH)
    assert program, "scripts/pgbouncer.sh finds or installs PgBouncer"
    behind, listen = urlsplit(url), free_port()
    host = unquote(behind.hostname or "") or parse_qs(behind.query).get("host", [""])[0]
    given = {"host": host, "port": behind.port or 5432, "listen": listen}
    conf = folder / "pgbouncer.ini"
    conf.write_text(CONFIG.format(**given, size=size, wait=wait))
    conf.chmod(0o644)
    # It does not run as root, so as whoever runs PostgreSQL, who may go to its socket, and may not
    # read the folder of a test.
    with conf.open() as words, (folder / "pgbouncer.log").open("w") as log:
        process = psutil.Popen(
            [program, "/dev/stdin"],
            stdin=words,
            stderr=log,
            **({"user": Path(host).stat().st_uid} if os.geteuid() == 0 else {}),
        )
    own = f"postgres://postgres@127.0.0.1:{listen}/postgres"
    try:
        wait_for(lambda: _answers(own, process), every=0.05)
        yield own
    finally:
        leftovers.kill({process})
        process.wait(timeout=300)


def _answers(url: str, process: psutil.Popen) -> bool:
    assert process.poll() is None, "PgBouncer did not start"
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True
