"""`candor token NAME`: a token of an account for programs, where nobody opens a browser."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from surveys.exceptions import WrongStateError
from surveys.models.api_token import LIFETIMES, Scope
from surveys.services.api_tokens import make_token

ALL = "all"


class Command(BaseCommand):
    help = "Make a token of an account for programs. Its secret is printed once and kept nowhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--name", help="what it is for; the moment, if it is left out")
        parser.add_argument("--days", type=int, choices=LIFETIMES, default=30)
        parser.add_argument(
            "--scope",
            action="append",
            choices=[ALL, *Scope.values],
            help="what it may do, once or more often; all by default",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"], is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active account {options['username']!r}.")
        asked = options["scope"] or [ALL]
        scopes = Scope.values if ALL in asked else asked
        # Tokens in use have different names.
        name = options["name"] or f"made by the operator, {timezone.now():%Y-%m-%d %H:%M:%S.%f}"
        try:
            _token, secret = make_token(user=user, name=name, scopes=scopes, days=options["days"])
        except WrongStateError as error:
            raise CommandError(error.message) from error
        self.stdout.write(secret)
