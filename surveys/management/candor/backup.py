"""`manage.py candor backup FILE`: everything that the site has stored, as of one moment."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.exceptions import SurveyError
from surveys.services.backups import make_backup


class Command(BaseCommand):
    help = "Write a backup of the site while it runs; `restore` reads it on either database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, such as candor-2026-05-01.backup")

    def handle(self, *args: Any, **options: Any) -> None:
        verbose = options["verbosity"] > 1
        try:
            end = make_backup(
                path=options["file"], say=self.stdout.write if verbose else lambda _: None
            )
        except SurveyError as error:
            raise CommandError(error.message) from error
        receipts = sum(numbers["receipts"] for numbers in end["launches"].values())
        waiting = sum(numbers["inbox"] for numbers in end["launches"].values())
        self.stdout.write(
            f"{options['file']}: {sum(end['rows'].values())} rows, {receipts} acknowledged"
            f" responses, {waiting} of them waiting under new ids. The secret is not in it:"
            " keep it elsewhere."
        )
        if end["unaccounted"] or end["differing"]:
            raise CommandError(
                "Before this backup acknowledged responses were missing, or tallies differed from"
                " the stored reports; `manage.py candor recount` says where."
            )
