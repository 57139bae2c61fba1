"""`manage.py candor COMMAND`: everything that an operator does with a site, in one list."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from surveys.management.candor import (
    backup,
    check,
    demo,
    metrics,
    recount,
    restore,
    rotate_secret,
    scripts,
    sign_in_link,
    token,
    verify,
)

OPERATIONS: dict[str, type[BaseCommand]] = {
    module.__name__.rpartition(".")[2].replace("_", "-"): module.Command
    for module in (
        backup,
        check,
        demo,
        metrics,
        recount,
        restore,
        rotate_secret,
        scripts,
        sign_in_link,
        token,
        verify,
    )
}


class Command(BaseCommand):
    help = "Run a site: its settings, backups, tallies and accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        self.operations = {name: operation() for name, operation in OPERATIONS.items()}
        chosen = parser.add_subparsers(dest="operation", metavar="COMMAND", required=True)
        for name, operation in self.operations.items():
            text = operation.help
            operation.add_arguments(chosen.add_parser(name, help=text, description=text))

    def handle(self, *args: Any, **options: Any) -> None:
        operation = self.operations[options.pop("operation")]
        operation.stdout, operation.stderr, operation.style = self.stdout, self.stderr, self.style
        operation.handle(*args, **options)
