"""The environment of a local run: unset variables get values for a single machine.

Values set by the caller take precedence, so the same command runs a server behind a TLS proxy.
"""

import errno
import fcntl
import os
import secrets
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from config.stack.errors import StackError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
ROOT = Path(__file__).resolve().parents[2]


def local_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` with its defaults; creates the data directory, its lock file and the secret."""
    host = environment.get("HOST") or "127.0.0.1"
    data = Path(environment.get("CANDOR_DATA_DIR") or ROOT / "var").resolve()
    _private_directory(data)
    defaults = {
        "HOST": host,
        "PORT": "8000",
        "CANDOR_DATA_DIR": str(data),
        "CANDOR_LOG_DIR": str(data / "log"),
        "CANDOR_PLAIN_HTTP": "1",
        "CANDOR_ALLOWED_HOSTS": ",".join(dict.fromkeys([_link_host(host), *LOOPBACK])),
        "CANDOR_THROTTLE_EXEMPT": "127.0.0.1",
        "CANDOR_DEMO": "1",
        "CANDOR_METRICS": _truth(environment.get("CANDOR_METRICS_PORT", "") not in ("", "0")),
        "CANDOR_WEB_WORKERS": "2",
        "CANDOR_TASK_WORKERS": "2",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    if not environment.get("CANDOR_SECRET_KEY"):
        defaults["CANDOR_SECRET_KEY"] = _kept_secret(data / "secret-key")
    settings = {name: value for name, value in environment.items() if value}
    return {**defaults, **settings, "CANDOR_DATA_DIR": str(data)}


def _truth(value: bool) -> str:
    """As the supervisor's configuration has it."""
    return "true" if value else "false"


def address(environment: Mapping[str, str]) -> tuple[str, int]:
    port = environment["PORT"]
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise StackError(f"PORT is {port!r}; it must be a whole number from 1 to 65535.")
    return environment["HOST"], int(port)


def base_url(environment: Mapping[str, str]) -> str:
    """Return where a browser on this machine finds the server."""
    host, port = address(environment)
    return f"http://{_link_host(host)}:{port}"


def canonical_host(environment: Mapping[str, str]) -> str:
    """The host name of the server's links, whichever address it listens on."""
    host = environment.get("CANDOR_CANONICAL_HOST")
    return host or environment["CANDOR_ALLOWED_HOSTS"].split(",")[0].strip()


def _link_host(host: str) -> str:
    """The host of a link to a listening address: loopback if it listens on all addresses."""
    if host in ("0.0.0.0", "::"):
        return LOOPBACK[0]
    return f"[{host}]" if ":" in host else host


def check_port_is_free(environment: Mapping[str, str]) -> None:
    host, port = address(environment)
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise StackError(
                f"Port {port} on {host} is taken. Choose another one: make run PORT={port + 1}"
            ) from error
        raise StackError(f"Cannot listen on {host}:{port}: {error.strerror or error}.") from error


def lock(environment: Mapping[str, str]) -> IO[str]:
    """Lock the data directory for one stack; the lock is released with its process."""
    path = Path(environment["CANDOR_DATA_DIR"], "run.lock")
    handle = path.open("w")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise StackError(f"Candor already runs with the data in {path.parent}.") from error
    return handle


def _private_directory(data: Path) -> None:
    """Create the directory of secrets, database and logs, readable by this user only."""
    os.umask(0o077)
    try:
        for directory in (data, data / "log"):
            directory.mkdir(parents=True, exist_ok=True)
            directory.chmod(0o700)
        (data / "run.lock").touch()
    except OSError as error:
        raise StackError(f"Cannot write to {data}: {error.strerror}.") from error


def _kept_secret(path: Path) -> str:
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(64))
    return path.read_text().strip()
