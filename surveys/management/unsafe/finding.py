"""What `manage.py candor check` finds: a sentence with its remedy, about one thing."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import unquote, urlsplit

from config.environment.environment import Environment
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
    secrets = {environment.CANDOR_SECRET_KEY, *environment.CANDOR_SECRET_KEY_FALLBACKS}
    for url in (environment.DATABASE_URL, environment.REDIS_URL):
        # A driver may quote the whole address, or the password as it was sent.
        password = urlsplit(url).password or ""
        secrets |= {password, unquote(password)}
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text
