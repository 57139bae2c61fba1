"""`manage.py demo`: the demo surveys, filled over HTTP, and where everything is."""

import json
import os
import secrets
import time
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from surveys.authoring.planning.simulation import Response, simulated_responses, simulated_returns
from surveys.features import FEATURES, Feature
from surveys.management.respondents import RefusedError, Respondents, new_return_code
from surveys.models import Launch, Survey
from surveys.services import demo
from surveys.services.results import is_lagging

RESPONDENTS = 1500
AGGREGATION_SECONDS = 60
# Return codes to try: of simulated respondents who have not come back.
CODES_TO_TRY = 2


class Command(BaseCommand):
    help = "Create the demo surveys and logins on an empty database, fill them, print the links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", required=True, help="address of the running server")
        parser.add_argument("--respondents", type=int, default=RESPONDENTS)

    def handle(self, *args: Any, **options: Any) -> None:
        if passwords := demo.create_demo():
            _keep(_file("logins"), passwords)
        try:
            self._fill_all(options["url"], options["respondents"])
        except RefusedError as error:
            raise CommandError(f"A simulated response was refused: {error}") from error
        self._print_links(options["url"])

    def _fill_all(self, url: str, number: int) -> None:
        launch = demo.demo_launch()
        if launch is not None and launch.wave == 1:
            self._fill(launch, url, number)
        for feature in FEATURES.values():
            self._fill_feature(feature, url)

    def _fill(self, first: Launch, url: str, number: int) -> None:
        """Two waves: the first topped up to `number` responses, and some of them come back.

        Only this run knows the return codes of those whom it sends. A fill that was interrupted
        goes on with others, of whom some come back.
        """
        count = max(number - first.receipts.count(), 0)
        returning = round(count * demo.RETURNING_SHARE)
        people = demo.respondents_of(first, count, seed=secrets.randbits(32))
        keys = [{"code": new_return_code()} for _ in range(count)]
        self.stdout.write(
            f"Sending {count + returning} simulated responses to the demo survey, in two waves ..."
        )
        responses = simulated_responses(first.parameters, people)
        _send(first, url, responses, keys)
        second = demo.launch_second_wave(first)
        before = responses[:returning]
        returns = simulated_returns(second.parameters, people, before, first.wave)
        # Whoever comes back takes a report out of the batch that waits, and the rest is too small.
        _wait_for_results(first)
        _send(second, url, returns, keys[:returning])
        demo.fit_all(second)
        if unused := keys[returning : returning + CODES_TO_TRY]:
            _keep(_file("codes"), [key["code"] for key in unused])

    def _fill_feature(self, feature: Feature, url: str) -> None:
        unsent = feature.demo.unsent()
        if unsent is None:
            return
        _keep(_file(feature.demo.kept_as), unsent.left)
        count = len(unsent.responses)
        self.stdout.write(f"Sending {count} simulated responses to another demo survey ...")
        _send(unsent.launch, url, unsent.responses, unsent.keys)

    def _print_links(self, url: str) -> None:
        lines = ["", f"Candor runs at  {url}/"]
        if Survey.objects.filter(slug=demo.SLUG).exclude(state=Survey.State.DRAFT).exists():
            lines += [f"  respondents   {url}/s/{demo.SLUG}/"]
            lines += [f"  results       {url}/s/{demo.SLUG}/results/"]
        for demo_part in (feature.demo for feature in FEATURES.values()):
            left = _kept(_file(demo_part.kept_as), {}) if demo_part.kept_as else {}
            lines += demo_part.lines(url, left)
        lines += [f"  admin         {url}/admin/"]
        for name, password in _kept(_file("logins"), {}).items():
            lines += [f"  demo login    {name} / {password}"]
        for code in _kept(_file("codes"), []):
            lines += [f"  return code   {code}  (of a simulated respondent, to come back with)"]
        self.stdout.write("\n".join([*lines, ""]))


def _file(name: str) -> Path:
    return Path(settings.DATA_DIR, f"demo-{name}.json")


def _keep(path: Path, value: Any) -> None:
    """Store what is printed at each start, readable by its owner only."""
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(value, file)


def _kept(path: Path, otherwise: Any) -> Any:
    return json.loads(path.read_text()) if path.exists() else otherwise


def _send(
    launch: Launch, url: str, responses: Sequence[Response], keys: Sequence[Mapping[str, str]]
) -> None:
    for _receipt in Respondents(url, launch.document).send_all(responses, keys):
        pass
    _wait_for_results(launch)


def _wait_for_results(launch: Launch) -> None:
    """Until the results have all that they may show: of an open survey all but a batch."""
    deadline = time.monotonic() + AGGREGATION_SECONDS
    while is_lagging(launch.pk) and time.monotonic() < deadline:
        time.sleep(0.1)
