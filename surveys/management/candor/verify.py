"""`manage.py candor verify FILE`: whether a backup can be restored and gives the same results."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.exceptions import SurveyError
from surveys.services.verified_backups import since_then, verify_backup


class Command(BaseCommand):
    help = (
        "Restore a backup into a temporary database, which is deleted, compare everything in it,"
        " and compute the results anew. The site is not touched."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a backup, or - for the standard input")
        parser.add_argument(
            "--against-site",
            action="store_true",
            help="say also which responses this site has and the backup has not",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["verbosity"] < 2
        try:
            verdict = verify_backup(
                options["file"],
                say=self.stdout.write,
                progress=(lambda _: None) if quiet else self.stdout.write,
            )
        except SurveyError as error:
            raise CommandError(error.message) from error
        if options["against_site"]:
            for line in since_then(verdict.responses) or ["This site has the same responses."]:
                self.stdout.write(line)
        if not verdict.restored.same_secret:
            self.stdout.write(
                "The secret of the backup is not that of this site: keep it, or no key of a"
                " respondent leads anywhere after a restore."
            )
        if verdict.problems:
            raise CommandError(
                f"This backup can be restored, as a site with {len(verdict.problems)} faults:"
                f" {verdict.problems[0]}."
            )
        rows = sum(verdict.restored.end["rows"].values())
        self.stdout.write(f"This backup is whole and can be restored: {rows} rows.")
