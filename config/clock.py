"""The Celery application of the clock, which queues tasks by name at the times in the settings.

It loads nothing of Django or of the engine, so it starts at once and needs little memory. Several
clocks may run: config/clocks.py.
"""

import logging.config
from typing import Any

from celery import Celery
from celery.signals import beat_init, setup_logging

from config import broker, settings

app = Celery("candor", fixups=[])
app.config_from_object(settings, namespace="CELERY")


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    logging.config.dictConfig(settings.LOGGING)


@beat_init.connect
def look_at_the_broker(**_: Any) -> None:
    broker.look(settings.BROKER)
