"""Names of the site. The rules of names are Django's, which would take half a second to load."""

import re
from typing import TYPE_CHECKING

from config.environment.kinds import items
from config.environment.variable import RuleError

if TYPE_CHECKING:
    from config.environment.environment import Environment

# Of unreserved characters alone, so that nothing writes it in two ways; no segment is "." or "..".
_PATH = re.compile(r"(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]+)+")
_HOST = re.compile(r"([a-z0-9.-]+|\[[a-f0-9]*:[a-f0-9.:]+\])(?::[0-9]+)?")


def allowed_hosts(written: str) -> list[str]:
    hosts = items(written)
    for host in hosts:
        refuse_a_path(host if "/" in host else "")
    return hosts


def refuse_a_path(written: str) -> str:
    """Stop the start where a path is given of which part of the site would not know.

    gunicorn reads one from SCRIPT_NAME and Django from FORCE_SCRIPT_NAME; a name with a path is no
    name.
    """
    if written.strip("/"):
        raise RuleError(
            f"is {written!r}: the path below which Candor runs is set by CANDOR_PATH alone, such "
            "as CANDOR_PATH=/survey."
        )
    return ""


def site_path(written: str) -> str:
    """The path that all addresses of the site begin with, such as /survey; empty at the root."""
    if written and not _PATH.fullmatch(written):
        raise ValueError(written)
    return written


def canonical_host(environment: "Environment", host: str) -> str:
    """The allowed name that all others redirect to: the first one, unless the variable names
    another. Empty if the first is a pattern, and then nothing is redirected.
    """
    allowed = environment.CANDOR_ALLOWED_HOSTS
    if not host:
        first = allowed[0].lower() if allowed else ""
        return "" if first.startswith((".", "*")) else first
    if not is_allowed(host, allowed):
        raise RuleError(
            f"is {host!r}; it must be one of CANDOR_ALLOWED_HOSTS, a port may follow it."
        )
    return host


def is_allowed(host: str, allowed: list[str]) -> bool:
    match = _HOST.fullmatch(host)
    domain = match[1].removesuffix(".") if match else ""
    return bool(domain) and any(_matches(domain, pattern.lower()) for pattern in allowed)


def _matches(domain: str, pattern: str) -> bool:
    if pattern.startswith("."):
        return domain.endswith(pattern) or domain == pattern[1:]
    return pattern in ("*", domain)
