"""The broker: whether it answers, and whether it asks for a password."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import redis

from config.environment.environment import Environment
from surveys.management.unsafe.finding import Finding, is_loopback, without_secrets

SUBJECT = "REDIS_URL"


def find(environment: Environment) -> Iterator[Finding]:
    if SUBJECT in environment.problems:
        return
    parts = urlsplit(environment.REDIS_URL)
    if not parts.password and not is_loopback(parts.hostname or ""):
        yield Finding(
            SUBJECT,
            f"The broker at {parts.hostname} asks for no password, so whoever reaches it can queue "
            "tasks and lift limits: set one there (requirepass) and in REDIS_URL.",
        )
    if reason := _silence(environment):
        yield Finding(
            SUBJECT,
            f"The broker does not answer ({reason}), so results lag, and limits count for each "
            "process alone: start it, or correct REDIS_URL.",
        )


def _silence(environment: Environment) -> str:
    """Why the broker does not answer; empty if it does."""
    url = environment.REDIS_URL
    with redis.Redis.from_url(url, socket_connect_timeout=3, socket_timeout=3) as client:
        try:
            client.ping()
        except (redis.RedisError, OSError) as error:
            return without_secrets(str(error), environment).rstrip(".")
    return ""
