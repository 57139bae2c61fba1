"""`manage.py recount [SLUG ...]`: audit the tallies of launches against their stored reports."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from surveys.models import Launch
from surveys.responses import tallies


class Command(BaseCommand):
    help = "Count the stored reports of all surveys, or of some, anew and compare the tallies."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="*", help="survey, by the last part of its address")

    def handle(self, *args: Any, **options: Any) -> None:
        differing = [launch for launch in _launches(options["slug"]) if not self._agrees(launch)]
        if differing:
            raise CommandError(f"Tallies of {len(differing)} launches differ from their reports.")

    def _agrees(self, launch: Launch) -> bool:
        name = f"{launch.survey.slug}, version {launch.version}"
        words: list[str] = []
        responses = 0
        for rung in launch.rungs:
            try:
                audited, keys = tallies.audit(launch.pk, rung)
            except tallies.MovingTalliesError as error:
                raise CommandError(f"{name}: {error}") from error
            responses = audited.aggregated
            tier = f" for {launch.parameters.tiers[rung].name}" if launch.parameters.tiers else ""
            words += [f"{table}/{stratum} differs{tier}" for table, stratum in keys]
        outcome = ", ".join(words) or "all tallies agree"
        self.stdout.write(f"{name}: {responses} responses, {outcome}")
        return not words


def _launches(slugs: list[str]) -> list[Launch]:
    launches = Launch.objects.select_related("survey").order_by("survey__slug", "version")
    chosen = launches.filter(survey__slug__in=slugs) if slugs else launches
    unknown = set(slugs) - {launch.survey.slug for launch in chosen}
    if unknown:
        raise CommandError(f"No survey was launched as {', '.join(sorted(unknown))}.")
    return list(chosen)
