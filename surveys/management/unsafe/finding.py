"""What `manage.py candor check` finds: a sentence with its remedy, about one thing."""

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from config.environment.environment import VARIABLES, Environment
from config.environment.kinds import MASK


@dataclass(frozen=True)
class Finding:
    # The variable that it is about, or what else.
    subject: str
    sentence: str


def is_loopback(host: str) -> bool:
    """Whether a name or an address, perhaps with a port or in brackets, is of this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        name = urlsplit(f"//{host}").hostname or ""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def without_secrets(text: str, environment: Environment) -> str:
    """The first line of what a driver says, with every secret in it masked."""
    text = (text.strip().splitlines() or ["no reason given"])[0]
    for secret in sorted(_secrets(environment), key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def _secrets(environment: Environment) -> Iterator[str]:
    """Each that is not empty; of a URL the password, as it is written and as it was sent."""
    for variable in VARIABLES.values():
        if variable.secret:
            value = environment.reading(variable).value
            if variable.mask:
                password = urlsplit(value).password or ""
                value = [password, unquote(password)]
            yield from filter(None, value if isinstance(value, list) else [value])
