"""Project configuration; the Celery app is exported so that `-A config` finds it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
