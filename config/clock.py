"""The Celery application of the clock, which queues tasks by name at the times in the settings.

It loads nothing of Django or of the engine, so it starts at once and needs little memory.
"""

import logging.config
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from config import settings

app = Celery("candor", fixups=[])
app.config_from_object(settings, namespace="CELERY")


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    logging.config.dictConfig(settings.LOGGING)
