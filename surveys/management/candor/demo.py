"""`manage.py candor demo`: the demo surveys, filled over HTTP, and where everything is."""

import json
import os
import secrets
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from surveys.authoring.planning.simulation import Response
from surveys.features import FEATURES
from surveys.management.respondents import RefusedError, Respondents
from surveys.models import Launch
from surveys.services.results import is_lagging
from surveys.services.roles import AUTHORS

RESPONDENTS = 1500
AGGREGATION_SECONDS = 60


class Command(BaseCommand):
    help = "Create the demo surveys and logins on an empty database, fill them, print the links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", required=True, help="address of the running server")
        parser.add_argument("--respondents", type=int, default=RESPONDENTS)

    def handle(self, *args: Any, **options: Any) -> None:
        filling = _Filling(options["url"], options["respondents"], self.stdout.write)
        if passwords := _create():
            filling.keep("logins", passwords)
        try:
            self._fill_all(filling)
        except RefusedError as error:
            raise CommandError(f"A simulated response was refused: {error}") from error
        self._print_links(filling)

    def _fill_all(self, filling: "_Filling") -> None:
        for feature in FEATURES.values():
            feature.demo.fill(filling)

    def _print_links(self, filling: "_Filling") -> None:
        url = filling.url
        lines = ["", f"Candor runs at  {url}/"]
        for feature in FEATURES.values():
            lines += feature.demo.lines(url, filling)
        lines += [f"  admin         {url}/admin/"]
        for name, password in filling.kept("logins", {}).items():
            lines += [f"  demo login    {name} / {password}"]
        self.stdout.write("\n".join([*lines, ""]))


@transaction.atomic
def _create() -> dict[str, str]:
    """Create missing logins and the surveys; returns the new passwords by login."""
    if User.objects.exists():
        return {}
    passwords = {name: secrets.token_urlsafe(12) for name in ("author", "admin")}
    User.objects.create_superuser("admin", password=passwords["admin"])
    author = User.objects.create_user("author", password=passwords["author"], is_staff=True)
    author.groups.add(Group.objects.get(name=AUTHORS))
    # The newest is the first in lists.
    for feature in reversed([*FEATURES.values()]):
        feature.demo.launch(author)
    return passwords


class _Filling:
    def __init__(self, url: str, respondents: int, say: Callable[[str], Any]) -> None:
        self.url = url
        self.respondents = respondents
        self.say = say

    def send(
        self, launch: Launch, responses: Sequence[Response], keys: Sequence[Mapping[str, str]]
    ) -> None:
        for _receipt in Respondents(self.url, launch.document).send_all(responses, keys):
            pass
        self.wait(launch)

    def wait(self, launch: Launch) -> None:
        """Until the results have all that they may show: of an open survey all but a batch."""
        deadline = time.monotonic() + AGGREGATION_SECONDS
        while is_lagging(launch.pk) and time.monotonic() < deadline:
            time.sleep(0.1)

    def keep(self, name: str, value: Any) -> None:
        path = _file(name)
        path.unlink(missing_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            json.dump(value, file)

    def kept(self, name: str, otherwise: Any) -> Any:
        path = _file(name)
        return json.loads(path.read_text()) if path.exists() else otherwise


def _file(name: str) -> Path:
    return Path(settings.DATA_DIR, f"demo-{name}.json")
