"""The Celery application: settings live in Django's, under the prefix CELERY_."""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("candor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    """Use Django's logging in workers and clock, instead of Celery's own set-up."""
    logging.config.dictConfig(settings.LOGGING)
