"""Where the database and the broker are, and the folders."""

from pathlib import Path
from typing import TYPE_CHECKING

import dj_database_url

from config.environment.kinds import boolean, path, text, url, whole_number

if TYPE_CHECKING:
    from config.environment.environment import Environment

ROOT = Path(__file__).resolve().parents[2]
# Those whose triggers keep launches frozen (docs/decisions/0009-database-triggers-freeze.md).
_ENGINES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")


def _database_url(written: str) -> str:
    parsed = dj_database_url.parse(written)
    if parsed["ENGINE"] not in _ENGINES:
        raise ValueError
    return written


def _broker(environment: "Environment", url: str) -> str:
    """Raises what `config.broker` has to say of the address and of what stands beside it."""
    # Here, because few programs that read settings need the client of the broker.
    from config.broker import beside, read

    read(url, **beside(environment))
    return url


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
    CANDOR_DATABASE_POOLED = boolean(
        "`1` behind a pooler of PostgreSQL that takes turns by transaction (see *Connections to "
        "PostgreSQL*)",
        default=False,
    )
    CANDOR_WEB_STATEMENT_SECONDS = whole_number(
        "that PostgreSQL gives a web process for one statement; `0`: any number",
        30,
        unit="seconds",
    )
    CANDOR_WEB_LOCK_SECONDS = whole_number(
        "that it gives one to wait for a lock; `0`: any number", 15, unit="seconds"
    )
    CANDOR_TASK_STATEMENT_SECONDS = whole_number(
        "for one statement of a task, whose whole time is limited as well; `0`: any number",
        3_600,
        unit="seconds",
    )
    CANDOR_IDLE_TRANSACTION_SECONDS = whole_number(
        "after which PostgreSQL ends a transaction in which a web process or a task has asked "
        "nothing; `0`: never",
        600,
        unit="seconds",
    )
    REDIS_URL = url(
        "Redis or Valkey, by which tasks reach workers and limits are counted. With TLS "
        "`rediss://`; `sentinel://one:26379,two:26379/0`, with TLS `sentinels://` (see *A broker "
        "that does not end with its machine*).",
        str,
        "redis://, rediss://, sentinel:// or sentinels:// with a host, such as "
        "rediss://:password@host:6379/0",
        "redis://127.0.0.1:6379/0",
        beside=_broker,
        make_run_words="starts a broker of its own",
    )
    CANDOR_REDIS_MASTER = text("by which name the Sentinels know the master", "")
    CANDOR_REDIS_SENTINEL_PASSWORD = text(
        "of the Sentinels; that in `REDIS_URL` is the master's", "", secret=True
    )
    CANDOR_REDIS_CA = text(
        "a file with the authorities whose certificates of brokers are trusted",
        "",
        default_words="those of the system",
    )
    CANDOR_REDIS_CERTIFICATE = text(
        "a file that a broker gets to see where it wants certificates", ""
    )
    CANDOR_REDIS_KEY = text("the file with the key of that certificate", "")
    CANDOR_DATA_DIR = path(
        "database, secret, logs, collected static files",
        str(ROOT / "var"),
        default_words="`var`",
    )
    CANDOR_STATIC_DIR = path(
        "where static files are collected and served from; in the image they are part of it",
        lambda environment: str(environment.CANDOR_DATA_DIR / "static"),
        default_words="`static` in `CANDOR_DATA_DIR`",
    )
    CANDOR_FILES_DIR = path(
        "files that workers make and web processes send "
        "([why](decisions/0091-files-that-workers-make.md)); several machines share it, and it "
        "needs no backup",
        lambda environment: str(environment.CANDOR_DATA_DIR / "files"),
        default_words="`files` in `CANDOR_DATA_DIR`",
    )
