"""`candor check [--format json]`: every setting as it is in effect, and what is unsafe about it."""

import json
import textwrap
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.environment import environment as environment_of_this_process
from config.environment.environment import GROUPS, Environment
from config.environment.kinds import MASK
from config.environment.variable import Variable, variables_of
from surveys.management.unsafe.everything import find
from surveys.management.unsafe.finding import Finding

_COLUMNS, _NAMES = 80, 30


class Command(BaseCommand):
    help = (
        "Print every setting with its value, secrets masked, and where it comes from; then what is"
        " unsafe or will not work. Nothing is changed; the exit status is 0 where nothing is found."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=("text", "json"), default="text")
        # It makes them itself, and those for production too.
        parser.set_defaults(skip_checks=True)

    def handle(self, *args: Any, **options: Any) -> None:
        environment = environment_of_this_process()
        findings = list(find(environment))
        if options["format"] == "json":
            self.stdout.write(json.dumps(document(environment, findings), indent=2))
        else:
            self.stdout.write("\n".join(lines(environment, findings)))
        if findings:
            count = f"{len(findings)} things are" if len(findings) > 1 else "One thing is"
            raise CommandError(f"{count} unsafe or will not work.")


def document(environment: Environment, findings: list[Finding]) -> dict[str, Any]:
    settings = [
        {
            "name": variable.name,
            "group": group.__doc__,
            "value": shown(environment, variable),
            "origin": environment.reading(variable).origin,
        }
        for group in GROUPS
        for variable in variables_of(group).values()
    ]
    return {"settings": settings, "unsafe": [asdict(finding) for finding in findings]}


def lines(environment: Environment, findings: list[Finding]) -> Iterator[str]:
    for group in GROUPS:
        yield f"{group.__doc__}"
        for variable in variables_of(group).values():
            value = shown(environment, variable) or "empty"
            origin = environment.reading(variable).origin
            yield _wrapped(f"{value}  ({origin})", f"  {variable.name:{_NAMES - 3}} ", " " * _NAMES)
        yield ""
    if not findings:
        yield "Nothing unsafe was found."
        return
    yield "Unsafe, or will not work"
    for finding in findings:
        yield _wrapped(finding.sentence, "- ", "  ")


def shown(environment: Environment, variable: Variable[Any]) -> str:
    """A value as an operator would write it, with everything masked that is secret."""
    reading = environment.reading(variable)
    if variable.name in environment.problems:
        return "not readable, see below"
    if variable.mask:
        return variable.mask(reading.value)
    values = reading.value if isinstance(reading.value, list) else [reading.value]
    if variable.secret:
        return ",".join(MASK for value in values if value)
    return ",".join(str(int(value)) if isinstance(value, bool) else str(value) for value in values)


def _wrapped(text: str, first: str, others: str) -> str:
    return textwrap.fill(
        text,
        _COLUMNS,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
    )
