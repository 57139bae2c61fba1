"""`candor metrics`: answer Prometheus at CANDOR_METRICS_HOST and CANDOR_METRICS_PORT."""

import contextlib
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from prometheus_client import start_http_server

# So that every kind of job is known.
from surveys import tasks  # noqa: F401
from surveys.observation.exporter import Exporter, registry_of


class Command(BaseCommand):
    help = "Answer Prometheus, at CANDOR_METRICS_HOST and CANDOR_METRICS_PORT, until it is ended."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """It takes everything from the settings."""

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = settings.METRICS_HOST, settings.METRICS_PORT
        if not port:
            raise CommandError("CANDOR_METRICS_PORT is not set; it must be a port from 1 to 65535.")
        exporter = Exporter()
        try:
            start_http_server(port, host, registry_of(exporter))
        except (OSError, OverflowError) as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error}") from error
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                exporter.look(time.time())
                time.sleep(1)
