"""App configuration of the yardstick."""

from django.apps import AppConfig


class BareConfig(AppConfig):
    name = "benchmarks.bare"
    label = "bare"
