"""Signing in: which site, and which token is shown to it."""

import getpass
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction

from candor.errors import CandorError
from candor.settings import Access, forget, keep
from candor.site import Candor
from candor.verbs.common import say, show, site_of


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    login = verbs.add_parser("login", help="keep a site and a token for the commands that follow")
    login.add_argument("site", metavar="URL")
    login.set_defaults(run=sign_in)
    verbs.add_parser("logout", help="forget the token").set_defaults(run=sign_out)
    verbs.add_parser("whoami", help="say what the token is for").set_defaults(run=whoami)


def sign_in(given: Namespace) -> None:
    """Read a token, which its site shows once, and keep it if the site takes it."""
    if sys.stdin.isatty():
        token = getpass.getpass("Token (it is not shown): ").strip()
    else:
        token = sys.stdin.readline().strip()
    if not token:
        raise CandorError("token: none was given; make one on the site's page Tokens")
    with Candor(given.site, token) as site:
        facts = site.token()
        path = keep(Access(site.url, token))
    say(f"Signed in to {site.url} as {facts.account}; kept in {path}.")


def sign_out(_given: Namespace) -> None:
    forget()
    say("The token is forgotten here. It is good until it is revoked on the site.")


def whoami(given: Namespace) -> None:
    with site_of(given) as site:
        facts = site.token()
    words = f"{facts.account} at {site.url}, token {facts.name!r} until {facts.expires_at:%Y-%m-%d}"
    show(given, facts, f"{words}\n{', '.join(facts.scopes)}")
