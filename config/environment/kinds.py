"""The kinds of variables: each makes a `Variable` with its parser and its rule in words."""

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from config.environment.variable import RuleError, Variable

_BOOLEANS = {"1": True, "true": True, "yes": True, "on": True}
_BOOLEANS |= {"0": False, "false": False, "no": False, "off": False}
# What `limits.parse` reads too; to load that takes a sixth of a second.
_RATE = re.compile(
    r"[0-9]+\s*(/|\s*per\s*)\s*([0-9]+\s*)?(second|minute|hour|day|month|year)s?", re.IGNORECASE
)
MASK = "****"
_SECRET_OPTION = re.compile("pass|secret|token|key", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s/]+\S*")
_ORIGIN = re.compile(r"https?://[^/\s]+")


def text(text: str, default: Any, rule: str = "a text", **more: Any) -> Variable[str]:
    return Variable(text, str, rule, default, **more)


def path(text: str, default: Any, **more: Any) -> Variable[Path]:
    return Variable(text, Path, "a path", default, **more)


def boolean(text: str, *, default: bool, **more: Any) -> Variable[bool]:
    return Variable(text, _boolean, "0 or 1", str(int(default)), **more)


def whole_number(
    text: str,
    default: int,
    *,
    minimum: int = 0,
    maximum: int | None = None,
    unit: str = "",
    **more: Any,
) -> Variable[int]:
    """`unit` is what the number counts, such as "seconds"."""

    def parse(written: str) -> int:
        value = int(written)
        if value < minimum and maximum is None:
            raise RuleError(f"is {value}; it must be at least {minimum}.")
        if maximum is not None and not minimum <= value <= maximum:
            raise ValueError(written)
        return value

    end = f" from {minimum}" + (f" to {maximum}" if maximum is not None else "")
    rule = " ".join(filter(None, ["a whole number", f"of {unit}" if unit else ""])) + end
    return Variable(text, parse, rule, str(default), **more)


def decimal(text: str, default: str, *, maximum: str, **more: Any) -> Variable[str]:
    """A decimal number above 0 and at most `maximum`; its value is how it was written."""

    def parse(written: str) -> str:
        try:
            value = Decimal(written)
        except InvalidOperation as error:
            raise ValueError(written) from error
        if not value.is_finite():
            raise ValueError(written)
        if not 0 < value <= Decimal(maximum):
            raise RuleError(f"is {value}; it must be above 0 and at most {maximum}.")
        return str(value)

    rule = f"a number such as 4 or 2.5, above 0 and at most {maximum}"
    return Variable(text, parse, rule, default, **more)


def rate(text: str, default: str, **more: Any) -> Variable[str]:
    """A rate such as "300/minute"; its value is how it was written."""

    def parse(written: str) -> str:
        if not _RATE.fullmatch(written):
            raise ValueError(written)
        return written

    return Variable(text, parse, "a rate such as 300/minute", default, **more)


def secrets(text: str, *, rule: str, **more: Any) -> Variable[list[str]]:
    """Several secrets; in a file each stands on a line of its own."""

    def lines(written: str) -> list[str]:
        return [line.strip() for line in written.splitlines() if line.strip()]

    return Variable(text, items, rule, "", secret=True, parse_file=lines, **more)


def networks(text: str, **more: Any) -> Variable[list[str]]:
    """Addresses and networks; the value is how they were written."""

    def parse(written: str) -> list[str]:
        for item in items(written):
            ip_network(item, strict=False)
        return items(written)

    rule = "addresses or networks such as 192.0.2.7 or 2001:db8::/32, separated by commas"
    return Variable(text, parse, rule, "", **more)


def origins(text: str, **more: Any) -> Variable[list[str]]:
    def parse(written: str) -> list[str]:
        if not all(map(_ORIGIN.fullmatch, items(written))):
            raise ValueError(written)
        return items(written)

    rule = "origins such as https://survey.example.org, separated by commas"
    return Variable(text, parse, rule, "", **more)


def choice(text: str, default: str, *, among: tuple[str, ...], **more: Any) -> Variable[str]:
    def parse(written: str) -> str:
        if written not in among:
            raise ValueError(written)
        return written

    return Variable(text, parse, " or ".join(among), default, **more)


def web_address(text: str, **more: Any) -> Variable[str]:
    """An address such as http://collector:4318; empty if there is none."""

    def parse(written: str) -> str:
        if written and not _ADDRESS.fullmatch(written):
            raise ValueError(written)
        return written

    return Variable(text, parse, "an address such as http://collector:4318", "", **more)


def time_zone(text: str, default: str, **more: Any) -> Variable[str]:
    def parse(written: str) -> str:
        try:
            ZoneInfo(written)
        except (ZoneInfoNotFoundError, OSError) as error:
            raise ValueError(written) from error
        return written

    return Variable(text, parse, "a time zone such as Europe/Berlin", default, **more)


def url(
    text: str, parse: Callable[[str], str], rule: str, default: Any, **more: Any
) -> Variable[str]:
    """The address of a service; it may hold a password, so it is a secret but for the rest."""
    return Variable(text, parse, rule, default, secret=True, mask=without_password, **more)


def without_password(written: str) -> str:
    """A URL of which passwords are masked: that of the user, and options such as `sslkey`."""
    parts = urlsplit(written)
    if "@" in parts.path + parts.query + parts.fragment:
        # A password with a sign that ends the address: no part of it is sure to be none.
        return f"{parts.scheme}://{MASK}"
    user, at, address = parts.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    options = [pair.partition("=") for pair in parts.query.split("&")]
    shown = (
        f"{key}{equals}{MASK if _SECRET_OPTION.search(key) else value}"
        for key, equals, value in options
    )
    netloc = f"{name}{colon and ':' + MASK}{at}{address}"
    query = parts.query and "?" + "&".join(shown)
    return f"{parts.scheme}://{netloc}{parts.path}{query}"


def items(written: str) -> list[str]:
    return [item.strip() for item in written.split(",") if item.strip()]


def _boolean(written: str) -> bool:
    if written.lower() not in _BOOLEANS:
        raise ValueError(written)
    return _BOOLEANS[written.lower()]
