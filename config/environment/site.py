"""The site itself: its secret, its names, and how it is reached."""

from typing import TYPE_CHECKING

from config.environment.hosts import allowed_hosts, canonical_host, refuse_a_path, site_path
from config.environment.kinds import boolean, origins, secrets, text, time_zone, whole_number
from config.environment.variable import RuleError, Variable

if TYPE_CHECKING:
    from config.environment.environment import Environment

# Stands in where nothing is protected: in debug, and where invalid settings are only looked at.
DEBUGGING_SECRET = "only-for-debugging-on-one-machine"


def _secret(_: "Environment", value: str) -> str:
    if not value:
        raise RuleError(
            "is not set. Outside debug Candor does not start without it: "
            "set it to at least 50 random characters, or set CANDOR_DEBUG=1 on a laptop."
        )
    return value


class Site:
    """The site"""

    CANDOR_SECRET_KEY = text(
        "signs sessions and receipts; nothing starts without it outside debug. With another key a "
        "repeated submission gets another receipt.",
        lambda environment: DEBUGGING_SECRET if environment.CANDOR_DEBUG else "",
        "at least 50 random characters",
        default_words="none; `make run` keeps one in `var/secret-key`",
        secret=True,
        beside=_secret,
        kept_in="secret-key",
        stand_in=DEBUGGING_SECRET,
    )
    # Signatures and keyed hashes made with them still hold.
    CANDOR_SECRET_KEY_FALLBACKS = secrets(
        "former secrets, the newest first; what was made with them still holds. For how long to "
        "keep one: [a new secret](#a-new-secret).",
        rule="secrets, separated by commas; in a file one a line",
        default_words="empty, or the lines of `secret-key-fallbacks` in `CANDOR_DATA_DIR`",
        kept_in="secret-key-fallbacks",
    )
    CANDOR_DEBUG = boolean("Django's debug pages. Never where respondents are.", default=False)
    CANDOR_PLAIN_HTTP = boolean(
        "no TLS: no redirect to https, no HSTS, cookies without `Secure`",
        default=False,
        under_make_run="1",
    )
    CANDOR_HSTS_SUBDOMAINS = boolean(
        "`1` tells browsers for a year that every name below this one has TLS too, and lets them "
        "be listed as such (`includeSubDomains; preload`). It binds sites that are not Candor's, "
        "and takes months to undo.",
        default=False,
    )
    CANDOR_ALLOWED_HOSTS = Variable(
        "names that the site answers to",
        allowed_hosts,
        "names without a path, separated by commas",
        "127.0.0.1,localhost,[::1]",
    )
    CANDOR_CANONICAL_HOST = Variable(
        "the one name, with a port if need be, under which the site is used (see below)",
        str.lower,
        "one of CANDOR_ALLOWED_HOSTS, a port may follow it",
        "",
        default_words="the first of `CANDOR_ALLOWED_HOSTS`, unless that is a pattern",
        beside=canonical_host,
    )
    CANDOR_CSRF_TRUSTED_ORIGINS = origins(
        "further origins whose posts are accepted, such as `https://survey.example.org` where a "
        "proxy changes the host",
    )
    CANDOR_TRUSTED_PROXIES = whole_number(
        "how many proxies stand in front; their `X-Forwarded-For` and `X-Forwarded-Proto` are "
        "believed, nobody else's",
        0,
    )
    CANDOR_PATH = Variable(
        "the path [below which](#below-a-path) the site is, as in `CANDOR_PATH=/survey`; empty "
        "where it has its name to itself",
        site_path,
        "a path such as /survey, which begins with a slash, ends without one, and has letters, "
        "digits and . _ ~ - between them",
        "",
    )
    CANDOR_PATH_STRIPPED = boolean(
        "`1` where the proxy takes that path away before it passes a request on", default=False
    )
    SCRIPT_NAME = Variable("stays empty: `CANDOR_PATH` is the path", refuse_a_path, "empty", "")
    FORCE_SCRIPT_NAME = Variable("likewise", refuse_a_path, "empty", "")
    CANDOR_TIME_ZONE = time_zone("in which authors read and write times", "UTC")
