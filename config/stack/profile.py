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

from django.core.exceptions import ImproperlyConfigured

from config.environment.environment import VARIABLES, Environment
from config.stack.errors import StackError

# What supervisord.conf and the start of the stack read from the environment itself.
READ_HERE = {"HOST", "PORT", "CANDOR_WEB_WORKERS", "CANDOR_TASK_WORKERS", "CANDOR_LOG_DIR"}
READ_HERE |= {"CANDOR_DEMO"}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
TRUE = ("1", "true", "yes", "on")
ROOT = Path(__file__).resolve().parents[2]


def local_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """`environment` with its defaults; creates the data directory, its lock file and the secret."""
    host = environment.get("HOST") or VARIABLES["HOST"].default_text(Environment({}))
    data = Path(environment.get("CANDOR_DATA_DIR") or ROOT / "var").resolve()
    _private_directory(data)
    settings = {name: value for name, value in environment.items() if value}
    settings["CANDOR_DATA_DIR"] = str(data)
    declared = Environment(settings)
    defaults = {
        name: variable.under_make_run or variable.default_text(declared)
        for name, variable in VARIABLES.items()
        if variable.under_make_run or name in READ_HERE
    }
    defaults["CANDOR_ALLOWED_HOSTS"] = ",".join(dict.fromkeys([_link_host(host), *LOOPBACK]))
    defaults["CANDOR_METRICS"] = _truth(declared.CANDOR_METRICS_PORT > 0)
    defaults["DJANGO_SETTINGS_MODULE"] = "config.settings"
    if not settings.get("CANDOR_SECRET_KEY") and not settings.get("CANDOR_SECRET_KEY_FILE"):
        defaults["CANDOR_SECRET_KEY"] = _kept_secret(data / "secret-key")
    whole = {**defaults, **settings}
    try:
        Environment(whole).read_all()
    except ImproperlyConfigured as error:
        raise StackError(str(error)) from error
    return whole


def _truth(value: bool) -> str:
    """As the supervisor's configuration has it."""
    return "true" if value else "false"


def address(environment: Mapping[str, str]) -> tuple[str, int]:
    read = Environment(environment)
    return read.HOST, read.PORT


def origin(environment: Mapping[str, str]) -> str:
    """Where a browser on this machine finds the server."""
    host, port = address(environment)
    return f"http://{_link_host(host)}:{port}"


def site(environment: Mapping[str, str]) -> str:
    """The address of the site on this machine, without a slash at its end.

    Where a proxy takes the path away, the server takes none.
    """
    stripped = environment.get("CANDOR_PATH_STRIPPED", "").strip().lower() in TRUE
    return origin(environment) + ("" if stripped else environment.get("CANDOR_PATH", "").strip())


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
