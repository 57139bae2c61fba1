"""All that is found, in the order in which it is said."""

from collections.abc import Iterator

from django.conf import settings
from django.core.checks import run_checks
from django.db import connection

from config.checks import UNKNOWN
from config.environment.environment import Environment
from surveys.management.unsafe import broker, database, folders, reach, secrets, static_files
from surveys.management.unsafe.finding import Finding

# Checks of Django's that are said above in other words, or follow from what is said there.
_SAID = {"security.W004", "security.W008", "security.W009", "security.W012", "security.W016"}
_SAID |= {"security.W018", "security.W025", UNKNOWN}


def find(environment: Environment) -> Iterator[Finding]:
    environment.read_all()
    for name, line in environment.problems.items():
        yield Finding(name, line)
    for line in environment.unknown():
        yield Finding(line.split()[0], line)
    yield from reach.find(environment)
    yield from secrets.find(environment)
    yield from folders.find(environment)
    yield from database.find(environment, connection)
    yield from broker.find(environment)
    yield from static_files.find(environment, settings.STATIC_ROOT)
    for message in run_checks(include_deployment_checks=True):
        if message.id not in _SAID and not message.is_silenced():
            sentence = " ".join(f"{message.msg} {message.hint or ''}".split())
            yield Finding(message.id or "django", sentence)
