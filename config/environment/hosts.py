"""Names of the site. The rules of names are Django's, which would take half a second to load."""

import re
from typing import TYPE_CHECKING

from config.environment.kinds import items
from config.environment.variable import RuleError

if TYPE_CHECKING:
    from config.environment.environment import Environment

_HOST = re.compile(r"([a-z0-9.-]+|\[[a-f0-9]*:[a-f0-9.:]+\])(?::[0-9]+)?")


def allowed_hosts(written: str) -> list[str]:
    hosts = items(written)
    for host in hosts:
        refuse_a_path(host if "/" in host else "")
    return hosts


def refuse_a_path(written: str) -> str:
    """Stop the start where the site is to live below a path, which its addresses do not know of.

    gunicorn reads the path from SCRIPT_NAME and Django from FORCE_SCRIPT_NAME; a name with a path
    is no name.
    """
    if written.strip("/"):
        raise RuleError(
            f"is {written!r}: Candor runs at the root of a name of its own only, "
            "such as survey.example.org, and not below a path."
        )
    return ""


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
