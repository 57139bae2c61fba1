"""`manage.py candor scripts [--at URL]`: make the respondent's scripts anew from this source."""

import hashlib
import re
import urllib.request
from argparse import ArgumentParser
from html import unescape
from typing import Any
from urllib.parse import urljoin

from django.core.management.base import BaseCommand, CommandError

from config.releases import hashes_of, listing
from surveys.views.releases import made_files

_ROW = re.compile(r'<a href="([^"]+)">(js/[^<]+)</a></th><td class="mono">([0-9a-f]{64})<')
_SECONDS = 30


class Command(BaseCommand):
    help = (
        "Make the scripts of a survey's page anew from this copy of the source and print their"
        " SHA-256; with --at compare them with what that site serves. With --list print the list"
        " that a release publishes, to be signed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--at", metavar="URL", help="the address of a site that runs Candor")
        parser.add_argument("--list", action="store_true", help="print the list of a release")

    def handle(self, *args: Any, **options: Any) -> None:
        made = hashes_of(made_files())
        if options["list"]:
            self.stdout.write(listing(made).decode(), ending="")
            return
        if not options["at"]:
            for name, digest in sorted(made.items()):
                self.stdout.write(f"{digest}  {name}")
            return
        # The site's page names scripts alone.
        made = {name: each for name, each in made.items() if name.startswith("js/")}
        served = _served(options["at"])
        for name in sorted(made.keys() | served.keys()):
            self.stdout.write(f"{_verdict(made.get(name), served.get(name)):10} {name}")
        if made != served:
            raise CommandError("What the site serves is not what this source makes.")


def _verdict(made: str | None, served: str | None) -> str:
    if made is None:
        return "not ours"
    if served is None:
        return "missing"
    return "the same" if made == served else "DIFFERS"


def _served(site: str) -> dict[str, str]:
    """The hashes of what comes from the addresses that the site's page for checking names.

    Raises CommandError where that page names another hash than its file has, or none at all.
    """
    page = f"{site.rstrip('/')}/check/"
    served = {}
    for address, name, named in _ROW.findall(_loaded(page).decode()):
        served[name] = hashlib.sha256(_loaded(urljoin(page, unescape(address)))).hexdigest()
        if served[name] != named:
            raise CommandError(f"{page} names another hash of {name} than its file has.")
    if not served:
        raise CommandError(f"{page} names no scripts.")
    return served


def _loaded(address: str) -> bytes:
    if not address.startswith(("https://", "http://")):
        raise CommandError(f"{address} is no address of a site.")
    with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
        return bytes(answer.read())
