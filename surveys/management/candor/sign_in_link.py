"""`candor sign-in-link NAME`: let the owner of an account in while strangers guess at it."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.http import urlencode

from surveys.known_browsers import LINK_SECONDS, link_token


class Command(BaseCommand):
    help = "Print a link that makes a browser known to an account; it still asks for the password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--url", default="", help="address of the site")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']!r}.")
        query = urlencode({"browser": link_token(user)})
        # The address of the site is the same with its path and without.
        site = options["url"].rstrip("/").removesuffix(settings.SITE_PATH)
        self.stdout.write(f"{site}{reverse('login')}?{query}")
        self.stdout.write(f"Good for {LINK_SECONDS // 60} minutes.")
