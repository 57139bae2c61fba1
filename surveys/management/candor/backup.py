"""`manage.py candor backup FILE`: everything that the site has stored, as of one moment."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.exceptions import SurveyError
from surveys.services.backup_files import STREAM
from surveys.services.backup_folders import Kept, keep_backup
from surveys.services.backups import make_backup


class Command(BaseCommand):
    help = (
        "Write a backup of the site while it runs; `restore` reads it on either database. With"
        " --directory it is dated, verified, and the oldest are deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            help="a new file, such as candor-2026-05-01.backup, or - for the standard output",
        )
        parser.add_argument("--directory", type=Path, help="a folder of dated backups")
        parser.add_argument(
            "--keep", type=int, default=14, help="how many stay in that folder (14 by default)"
        )
        parser.add_argument(
            "--through",
            default="",
            metavar="COMMAND",
            help="what each backup in that folder passes through, such as 'age -r age1...'",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file, folder = options["file"], options["directory"]
        if (file is None) == (folder is None):
            raise CommandError("Name either a file or a --directory.")
        if options["keep"] < 1:
            raise CommandError(f"--keep is {options['keep']}; it must be at least 1.")
        if options["through"] and folder is None:
            raise CommandError("--through goes with --directory; else pipe `backup -`.")
        # The standard output may be the backup.
        out = self.stderr if file == STREAM else self.stdout
        say = out.write if options["verbosity"] > 1 else lambda _: None
        try:
            if folder is None:
                _tell_end(file, make_backup(path=file, say=say), out)
            else:
                through, keep = options["through"], options["keep"]
                kept = keep_backup(folder=folder, keep=keep, through=through, say=say)
                _tell_kept(kept, out)
        except SurveyError as error:
            raise CommandError(error.message) from error


def _tell_end(path: Path, end: Mapping[str, Any], out: Any) -> None:
    receipts = sum(numbers["receipts"] for numbers in end["launches"].values())
    waiting = sum(numbers["inbox"] for numbers in end["launches"].values())
    out.write(
        f"{path}: {sum(end['rows'].values())} rows, {receipts} acknowledged responses,"
        f" {waiting} of them waiting under new ids. The secret is not in it: keep it elsewhere."
    )
    if end["unaccounted"] or end["differing"]:
        raise CommandError(
            "Before this backup acknowledged responses were missing, or tallies differed from"
            " the stored reports; `manage.py candor recount` says where."
        )


def _tell_kept(kept: Kept, out: Any) -> None:
    if kept.problems:
        out.write(
            f"{kept.path} has all that there is. No older one was deleted: {kept.problems[0]}."
        )
    _tell_end(kept.path, kept.end, out)
    if kept.problems:
        raise CommandError("The results of this backup are not those that follow from its reports.")
    deleted = f" {len(kept.deleted)} older ones were deleted." if kept.deleted else ""
    out.write(f"It was restored and verified.{deleted}")
