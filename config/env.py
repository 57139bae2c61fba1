"""Settings from environment variables; an invalid value stops the start with a one-line error."""

import os
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from ipaddress import ip_network
from pathlib import Path
from typing import TypeVar

import limits
from django.core.exceptions import ImproperlyConfigured
from django.http.request import split_domain_port, validate_host

T = TypeVar("T")


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def boolean(name: str, *, default: bool) -> bool:
    return _parse(name, default, _boolean, "0 or 1")


def whole_number(name: str, *, default: int, minimum: int = 0) -> int:
    value = _parse(name, default, int, "a whole number")
    if value < minimum:
        raise ImproperlyConfigured(f"{name} is {value}; it must be at least {minimum}.")
    return value


def decimal_text(name: str, *, default: str, maximum: str) -> str:
    """A decimal number above 0 and not above `most`, as it was written."""
    value = _parse(name, Decimal(default), _decimal, "a number such as 4 or 2.5")
    if not 0 < value <= Decimal(maximum):
        raise ImproperlyConfigured(f"{name} is {value}; it must be above 0 and at most {maximum}.")
    return str(value)


def rate(name: str, *, default: str) -> str:
    """A rate such as "300/minute"."""
    _parse(name, limits.parse(default), limits.parse, "a rate such as 300/minute")
    return text(name, default)


def text_list(name: str, default: str = "") -> list[str]:
    return [item.strip() for item in text(name, default).split(",") if item.strip()]


def networks(name: str) -> list[str]:
    """Addresses and networks such as 192.0.2.7 or 2001:db8::/32."""
    rule = "addresses or networks such as 192.0.2.7 or 2001:db8::/32, separated by commas"
    _parse(name, None, lambda _: _networks(text_list(name)), rule)
    return text_list(name)


def _networks(items: list[str]) -> None:
    """The networks; raises ValueError for the first invalid one."""
    for item in items:
        ip_network(item, strict=False)


def canonical_host(name: str, allowed_hosts: list[str]) -> str:
    """The allowed name that all others redirect to: the first one, unless the variable names
    another. Empty if the first is a pattern, and then nothing is redirected.
    """
    host = text(name).lower()
    if not host:
        first = allowed_hosts[0].lower() if allowed_hosts else ""
        return "" if first.startswith((".", "*")) else first
    domain, _port = split_domain_port(host)
    if not domain or not validate_host(domain, allowed_hosts):
        raise ImproperlyConfigured(
            f"{name} is {host!r}; it must be one of CANDOR_ALLOWED_HOSTS, a port may follow it."
        )
    return host


def refuse_a_path(allowed_hosts: list[str]) -> None:
    """Stop the start where the site is to live below a path, which its addresses do not know of.

    gunicorn reads the path from SCRIPT_NAME and Django from FORCE_SCRIPT_NAME; a name with a path
    is no name.
    """
    given = {name: text(name) for name in ("SCRIPT_NAME", "FORCE_SCRIPT_NAME")}
    given |= {"CANDOR_ALLOWED_HOSTS": next((host for host in allowed_hosts if "/" in host), "")}
    for name, value in given.items():
        if value.strip("/"):
            raise ImproperlyConfigured(
                f"{name} is {value!r}: Candor runs at the root of a name of its own only, "
                "such as survey.example.org, and not below a path."
            )


def secret(name: str, *, required: bool, fallback: str, kept_in: Path | None = None) -> str:
    """A secret of the environment, else the one that `make run` keeps in a file."""
    value = text(name) or _kept_secret(kept_in)
    if value:
        return value
    if required:
        raise ImproperlyConfigured(
            f"{name} is not set. Outside debug Candor does not start without it: "
            "set it to at least 50 random characters, or set CANDOR_DEBUG=1 on a laptop."
        )
    return fallback


def secret_list(name: str, *, kept_in: Path) -> list[str]:
    """Secrets of the environment with commas between them, else the lines of a file."""
    lines = _kept_secret(kept_in).splitlines()
    return text_list(name) or [line.strip() for line in lines if line.strip()]


def _kept_secret(path: Path | None) -> str:
    try:
        return path.read_text().strip() if path else ""
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ImproperlyConfigured(f"Cannot read {path}: {error.strerror}.") from error


def _parse(name: str, default: T, parse: Callable[[str], T], rule: str) -> T:
    raw = text(name)
    if not raw:
        return default
    try:
        return parse(raw)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is {raw!r}; it must be {rule}.") from error


def _decimal(raw: str) -> Decimal:
    try:
        value = Decimal(raw)
    except InvalidOperation as error:
        raise ValueError(raw) from error
    if not value.is_finite():
        raise ValueError(raw)
    return value


def _boolean(raw: str) -> bool:
    booleans = {"1": True, "true": True, "yes": True, "on": True}
    booleans |= {"0": False, "false": False, "no": False, "off": False}
    if raw.lower() not in booleans:
        raise ValueError(raw)
    return booleans[raw.lower()]
