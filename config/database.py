"""How long a process of each kind waits for PostgreSQL: in one statement, for a lock, between two.

Given as a connection begins, so that no request costs a statement for it. A pooler that takes turns
by transaction gives each client connections that others began, so behind one the limits are its or
the role's own. docs/decisions/0102-limits.md.
"""

from typing import Any

from django.conf import settings

# What PostgreSQL calls them; all in milliseconds.
STATEMENT, LOCK, IDLE = "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"


def limits_of_web() -> dict[str, int]:
    return {
        STATEMENT: settings.WEB_STATEMENT_SECONDS,
        LOCK: settings.WEB_LOCK_SECONDS,
        IDLE: settings.IDLE_TRANSACTION_SECONDS,
    }


def limits_of_tasks() -> dict[str, int]:
    """Tasks wait for locks as long as they may take themselves."""
    return {
        STATEMENT: settings.TASK_STATEMENT_SECONDS,
        IDLE: settings.IDLE_TRANSACTION_SECONDS,
    }


def limit(seconds: dict[str, int]) -> None:
    """Limit all connections that this process opens from now on; 0 leaves a limit out."""
    database: Any = settings.DATABASES["default"]
    if database["ENGINE"] != "django.db.backends.postgresql" or settings.DATABASE_POOLED:
        return
    options = database["OPTIONS"]
    given = [f"-c {name}={1000 * value}" for name, value in seconds.items() if value]
    # What the address asks for comes last, so it has the last word.
    options["options"] = " ".join([*given, *filter(None, [options.get("options")])])
