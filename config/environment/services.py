"""Where the database and the broker are, and the folders."""

from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url

from config.environment.kinds import boolean, path, url

ROOT = Path(__file__).resolve().parents[2]
# Those whose triggers keep launches frozen (docs/decisions/0009-database-triggers-freeze.md).
_ENGINES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
_BROKERS = ("redis", "rediss")


def _database_url(written: str) -> str:
    parsed = dj_database_url.parse(written)
    if parsed["ENGINE"] not in _ENGINES:
        raise ValueError
    return written


def _broker_url(written: str) -> str:
    parts = urlsplit(written)
    # `port` raises where it is no number.
    if parts.scheme not in _BROKERS or not parts.hostname or parts.port == 0:
        raise ValueError
    return written


class Services:
    """Database, broker and folders"""

    DATABASE_URL = url(
        "PostgreSQL, or SQLite for one machine.",
        _database_url,
        "sqlite:///path or postgres://user:password@host/name",
        lambda environment: f"sqlite:///{environment.CANDOR_DATA_DIR / 'candor.sqlite3'}",
        default_words="`candor.sqlite3` in `CANDOR_DATA_DIR`",
    )
    CANDOR_PREPARED_STATEMENTS = boolean(
        "`0` behind a pooler of PostgreSQL that takes turns by transaction and knows no prepared "
        "statements (PgBouncer before 1.21, or with `max_prepared_statements = 0`)",
        default=True,
    )
    REDIS_URL = url(
        "Redis or Valkey, by which tasks reach workers and limits are counted.",
        _broker_url,
        "redis:// or rediss:// with a host, such as rediss://:password@host:6379/0",
        "redis://127.0.0.1:6379/0",
        make_run_words="starts a broker of its own",
    )
    CANDOR_DATA_DIR = path(
        "database, secret, logs, collected static files",
        str(ROOT / "var"),
        default_words="`var`",
    )
    CANDOR_FILES_DIR = path(
        "files that workers make and web processes send "
        "([why](decisions/0091-files-that-workers-make.md)); several machines share it, and it "
        "needs no backup",
        lambda environment: str(environment.CANDOR_DATA_DIR / "files"),
        default_words="`files` in `CANDOR_DATA_DIR`",
    )
