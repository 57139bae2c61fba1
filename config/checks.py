"""Django's system check of the environment: what looks like a setting and is none."""

import os
from typing import Any

from django.core.checks import CheckMessage, Warning, register

from config.environment.environment import Environment

UNKNOWN = "candor.W001"


@register()
def unknown_variables(**_: Any) -> list[CheckMessage]:
    return [Warning(line, id=UNKNOWN) for line in Environment(os.environ).unknown()]
