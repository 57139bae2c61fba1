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
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--other-secret",
            action="store_true",
            help=f"restore though the secret is another one: {keys_of_people()} are lost",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        verbose = options["verbosity"] > 1
        try:
            end = restore_backup(
                path=options["file"],
                other_secret=options["other_secret"],
                say=self.stdout.write if verbose else lambda _: None,
            )
        except SurveyError as error:
            raise CommandError(error.message) from error
        receipts = sum(numbers["receipts"] for numbers in end["launches"].values())
        self.stdout.write(
            f"{sum(end['rows'].values())} rows; the receipts of {receipts} responses, the stored"
            " reports and the tallies agree as they did before."
        )
        if end["unaccounted"] or end["differing"]:
            raise CommandError(
                "Restored as it was, with responses missing or tallies that differ from the"
                " reports; `manage.py candor recount` says where."
            )
