"""`candor recount [SLUG ...]`: audit the tallies of launches against their stored reports."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from surveys.models import Launch
from surveys.parameters.steps import versions_of
from surveys.responses import tallies
from surveys.responses.acknowledged import unaccounted


class Command(BaseCommand):
    help = (
        "Count the stored reports of all surveys, or of some, anew and compare the tallies; and the"
        " receipts with what is stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="*", help="survey, by the last part of its address")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            launches = _launches(options["slug"])
            missing = unaccounted()
            differing = [each for each in launches if not self._agrees(each, missing)]
        except DatabaseError as error:
            raise CommandError(
                f"A table cannot be read, which `manage.py migrate` makes: {error}".strip()
            ) from error
        if differing:
            raise CommandError(f"{len(differing)} launches do not agree with what is stored.")

    def _agrees(self, launch: Launch, missing: Mapping[int, int]) -> bool:
        name = f"{launch.survey.slug}, version {launch.version}"
        words: list[str] = []
        responses = 0
        for step in launch.steps:
            try:
                audited, keys = tallies.audit(launch.pk, step)
            except tallies.MovingTalliesError as error:
                raise CommandError(f"{name}: {error}") from error
            responses = audited.aggregated
            versions = versions_of(launch.parameters)
            readers = f" for {versions[step]}" if versions else ""
            words += [f"{table}/{stratum} differs{readers}" for table, stratum in keys]
        words += _missing_words(missing.get(launch.pk, 0))
        outcome = ", ".join(words) or "all tallies agree"
        self.stdout.write(f"{name}: {responses} responses, {outcome}")
        return not words


def _missing_words(beyond: int) -> list[str]:
    if beyond > 0:
        return [f"{beyond} responses have a receipt, and their reports are not stored"]
    return [f"{-beyond} stored responses have no receipt"] if beyond else []


def _launches(slugs: list[str]) -> list[Launch]:
    launches = Launch.objects.kept().select_related("survey").order_by("survey__slug", "version")
    chosen = launches.filter(survey__slug__in=slugs) if slugs else launches
    unknown = set(slugs) - {launch.survey.slug for launch in chosen}
    if unknown:
        raise CommandError(f"No survey was launched as {', '.join(sorted(unknown))}.")
    return list(chosen)
