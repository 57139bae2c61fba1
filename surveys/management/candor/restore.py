"""`manage.py candor restore FILE`: fill an empty site from a backup, all of it or nothing."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.exceptions import SurveyError
from surveys.services.restores import keys_of_people, restore_backup


class Command(BaseCommand):
    help = "Restore a backup into an empty site: a new database after `migrate`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a backup, or - for the standard input")
        parser.add_argument(
            "--other-secret",
            action="store_true",
            help=f"restore though the secret is another one: {keys_of_people()} are lost",
        )

        parser.add_argument(
            "--live",
            action="store_true",
            help="this site takes the place of the one that was lost: its webhooks stay on",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        verbose = options["verbosity"] > 1
        try:
            restored = restore_backup(
                path=options["file"],
                other_secret=options["other_secret"],
                live=options["live"],
                say=self.stdout.write if verbose else lambda _: None,
            )
        except SurveyError as error:
            raise CommandError(error.message) from error
        end = restored.end
        receipts = sum(numbers["receipts"] for numbers in end["launches"].values())
        self.stdout.write(
            f"{sum(end['rows'].values())} rows; the receipts of {receipts} responses, the stored"
            " reports and the tallies agree as they did before."
        )
        if restored.webhooks:
            self.stdout.write(
                f"{restored.webhooks} webhooks are off, so that a copy tells no program anything;"
                " their owners switch them on. Where this site takes the place of one that was"
                " lost, restore it with --live."
            )
        self.stdout.write("Programs need new tokens, and everybody signs in again.")
        if end["unaccounted"] or end["differing"]:
            raise CommandError(
                "Restored as it was, with responses missing or tallies that differ from the"
                " reports; `manage.py candor recount` says where."
            )
