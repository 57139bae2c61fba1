"""`manage.py demo`: the demo survey, filled once over HTTP, and where everything is."""

import json
import os
import secrets
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from surveys.management.respondents import RefusedError, Respondents
from surveys.models import Launch, Survey
from surveys.services import demo

RESPONDENTS = 2000
AGGREGATION_SECONDS = 60


class Command(BaseCommand):
    help = "Create the demo survey and logins on an empty database, fill it, print the links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", required=True, help="address of the running server")
        parser.add_argument("--respondents", type=int, default=RESPONDENTS)

    def handle(self, *args: Any, **options: Any) -> None:
        logins = Path(settings.DATA_DIR, "demo-logins.json")
        if passwords := demo.create_demo():
            _keep(logins, passwords)
        launch = demo.demo_launch()
        if launch is not None:
            self._fill(launch, options["url"], options["respondents"])
        self._print_links(options["url"], logins)

    def _fill(self, launch: Launch, url: str, number: int) -> None:
        """Top up to `number` responses: all of them at first, none on a later run."""
        missing_count = number - launch.receipts.count()
        if missing_count <= 0:
            return
        self.stdout.write(f"Sending {missing_count} simulated responses to the demo survey ...")
        responses = demo.simulate(launch, missing_count, seed=secrets.randbits(32))
        try:
            for _ in Respondents(url, launch.document).send_all(responses):
                pass
        except RefusedError as error:
            raise CommandError(f"A simulated response was refused: {error}") from error
        _wait_until_aggregated(launch)

    def _print_links(self, url: str, logins: Path) -> None:
        lines = ["", f"Candor runs at  {url}/"]
        if Survey.objects.filter(slug=demo.SLUG).exclude(state=Survey.State.DRAFT).exists():
            lines += [f"  respondents   {url}/s/{demo.SLUG}/"]
            lines += [f"  results       {url}/s/{demo.SLUG}/results/"]
        lines += [f"  admin         {url}/admin/"]
        if logins.exists():
            for name, password in json.loads(logins.read_text()).items():
                lines += [f"  demo login    {name} / {password}"]
        self.stdout.write("\n".join([*lines, ""]))


def _keep(path: Path, passwords: dict[str, str]) -> None:
    """Store the first passwords, readable by their owner only, to print them at each start."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(passwords, file)


def _wait_until_aggregated(launch: Launch) -> None:
    deadline = time.monotonic() + AGGREGATION_SECONDS
    while launch.waiting() and time.monotonic() < deadline:
        time.sleep(0.2)
