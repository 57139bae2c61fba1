#!/usr/bin/env python
"""Django's command line for Candor."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from config.environment import collect_problems

    if sys.argv[1:3] == ["candor", "check"]:
        # It names every setting that is invalid, so none may stop it.
        collect_problems()
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
