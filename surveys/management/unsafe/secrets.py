"""Secrets: how hard they are to guess, and who can read them."""

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from config.environment.environment import VARIABLES, Environment
from config.environment.site import DEBUGGING_SECRET
from config.environment.variable import FILE, FROM_FILE
from surveys.management.unsafe.finding import Finding
from surveys.management.unsafe.folders import read_by_others

SHORTEST = 50
# Of what was drawn by chance, 50 letters have some 200 bits; of a sentence about 180.
LEAST_BITS = 128
_REMEDY = 'make one with python -c "import secrets; print(secrets.token_urlsafe(64))".'


def find(environment: Environment) -> Iterator[Finding]:
    if "CANDOR_SECRET_KEY" not in environment.problems:
        yield from _guessable(environment)
    for path in _files(environment):
        if read_by_others(path):
            yield Finding(
                str(path),
                f"{path} holds a secret and every account of this machine can read it: "
                f"chmod o= {path}",
            )


def _guessable(environment: Environment) -> Iterator[Finding]:
    name = "CANDOR_SECRET_KEY"
    if environment.CANDOR_SECRET_KEY == DEBUGGING_SECRET:
        yield Finding(
            name,
            f"{name} is the one for debugging, which everybody can read in the source: {_REMEDY}",
        )
    elif weakness := _weakness(environment.CANDOR_SECRET_KEY):
        yield Finding(name, f"{name} {weakness}, so receipts and links can be forged: {_REMEDY}")
    name = "CANDOR_SECRET_KEY_FALLBACKS"
    for place, secret in enumerate(environment.CANDOR_SECRET_KEY_FALLBACKS, start=1):
        if weakness := _weakness(secret):
            yield Finding(
                name,
                f"Secret {place} of {name} {weakness}, and what it signed still holds: leave it "
                "out as soon as no survey needs it.",
            )


def _weakness(secret: str) -> str:
    if len(secret) < SHORTEST:
        return f"has fewer than {SHORTEST} characters"
    shares = [count / len(secret) for count in Counter(secret).values()]
    bits = -len(secret) * sum(share * math.log2(share) for share in shares)
    return "repeats few characters" if bits < LEAST_BITS else ""


def _files(environment: Environment) -> Iterator[Path]:
    """The files with secrets that there are, also what `make run` keeps and is not used."""
    for name, variable in VARIABLES.items():
        if variable.secret and environment.reading(variable).origin == FROM_FILE:
            yield Path(environment.given[name + FILE].strip())
        if kept := variable.kept_file(environment):
            yield kept
