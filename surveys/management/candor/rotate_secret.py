"""`manage.py candor rotate-secret`: a new secret in three steps, and what the last cuts off."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from surveys.exceptions import SurveyError
from surveys.services.cut_off import CutOff, cut_off
from surveys.services.secret_rotation import (
    Secrets,
    after_step,
    secrets_in_force,
    write,
    written_since,
)

LAST = (
    "No rotation is under way.",
    "Step 1 was taken: every machine can read the new secret once it has been restarted.",
    "Step 2 was taken: every machine writes the new secret once it has been restarted.",
)
UNDATED = "The secret in force is taken to be the newest: none was made by this command."


class Command(BaseCommand):
    help = (
        "Say what would be cut off without the former secrets, and with --step exchange the secret"
        " in three steps, before each of which every machine has taken the one before."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--step", type=int, choices=(1, 2, 3))
        parser.add_argument(
            "--since",
            type=_moment,
            help="when the last machine began to write the secret in force (2026-05-01T12:00Z)",
        )
        parser.add_argument(
            "--anyway", action="store_true", help="take step 3 whatever is cut off by it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now, step = secrets_in_force(), options["step"]
        try:
            after = None if step is None else after_step(step, now)
            if step in (None, 3):
                self._tell_cut_off(now, options)
            if after is not None:
                self._take(step, after)
        except SurveyError as error:
            raise CommandError(error.message) from error

    def _tell_cut_off(self, now: Secrets, options: dict[str, Any]) -> None:
        """Raises CommandError where a former secret is needed by somebody."""
        former = now.step == 2
        since = (options["since"] or written_since()) if former else None
        found = cut_off(since or timezone.now())
        self.stdout.write(LAST[now.step] if now.is_dated or not former else UNDATED)
        which = "the former secrets" if former else "the secret in force"
        if former and since is not None:
            which += f", by what was made before {since:%Y-%m-%d %H:%M} UTC"
        elif former:
            which += ", by all there is (--since narrows it)"
        self._tell(which, found)
        if former and found.lost and not options["anyway"]:
            raise CommandError(
                f"{len(found.lost)} things would be cut off: keep the former secrets until these"
                " have ended, or take step 3 with --anyway."
            )

    def _tell(self, which: str, found: CutOff) -> None:
        lines = [*found.lost, *found.again]
        self.stdout.write(f"Without {which}, {'would be cut off' if lines else 'nothing is lost'}:")
        for line in lines or ["nobody has anything that was made under it"]:
            self.stdout.write(f"  {line}")
        self.stdout.write(
            "A backup needs the secret of its day: keep former ones for as long as their backups."
        )

    def _take(self, step: int, after: Secrets) -> None:
        if settings.SECRET_KEY_FILES is None:
            if any("," in secret for secret in after.others):
                raise CommandError(
                    "The secret has a comma, so it cannot stand in CANDOR_SECRET_KEY_FALLBACKS:"
                    " keep both in files of CANDOR_DATA_DIR, secret-key and secret-key-fallbacks,"
                    " a line each."
                )
            self.stdout.write(f"CANDOR_SECRET_KEY={after.key}")
            self.stdout.write(f"CANDOR_SECRET_KEY_FALLBACKS={','.join(after.others)}")
            where = "Set these on every machine"
        else:
            write(after, settings.SECRET_KEY_FILES)
            where = f"{' and '.join(map(str, settings.SECRET_KEY_FILES))} are written"
        following = "" if step == 3 else f" Then comes step {step + 1}."
        self.stdout.write(f"{where}; restart web servers, workers and the clock.{following}")


def _moment(text: str) -> datetime:
    try:
        day, moment = parse_date(text), parse_datetime(text)
    except ValueError:
        day = moment = None
    if moment is None and day is not None:
        moment = datetime(day.year, day.month, day.day)
    if moment is None:
        raise ArgumentTypeError(f"{text!r} is no moment such as 2026-05-01T12:00Z.")
    return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
