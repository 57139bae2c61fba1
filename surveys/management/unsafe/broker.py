"""The broker: whether it answers, asks for a password, and keeps what it is given."""

from collections.abc import Iterator

import redis

from config import broker
from config.environment.environment import Environment
from surveys.management.unsafe.finding import Finding, is_loopback, without_secrets

SUBJECT = "REDIS_URL"


def find(environment: Environment) -> Iterator[Finding]:
    found = broker.of(environment)
    if SUBJECT in environment.problems:
        return
    for host, _port in found.hosts:
        if not found.password and not is_loopback(host):
            yield Finding(
                SUBJECT,
                f"The broker at {host} asks for no password, so whoever reaches it can queue "
                "tasks and lift limits: set one there (requirepass) and in REDIS_URL.",
            )
    if reason := _silence(found, environment):
        yield Finding(
            SUBJECT,
            f"The broker does not answer ({reason}), so results lag, and limits count for each "
            "process alone: start it, or correct REDIS_URL.",
        )
    never = broker.refusal(found)
    for line in [*([never] if never else []), *broker.weaknesses(found)]:
        yield Finding(SUBJECT, line)


def _silence(found: broker.Broker, environment: Environment) -> str:
    """Why the broker does not answer; empty if it does."""
    with found.client(connect=3, answer=3) as client:
        try:
            client.ping()
        except (redis.RedisError, OSError) as error:
            return without_secrets(str(error), environment).rstrip(".")
    return ""
