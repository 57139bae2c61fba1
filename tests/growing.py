"""PostgreSQL's tables and indexes through a long life: their sizes, and vacuum in its turn."""

from typing import Any

from django.db import connection

from benchmarks.inbox import fill_inbox
from surveys import jobs
from surveys.models import Launch
from surveys.responses.tallies import aggregate_waiting
from surveys.services.removal import REMOVAL
from surveys.services.transitions import close_survey, delete_survey

# What every response is a row of.
TABLES = ("surveys_receipt", "surveys_submission", "surveys_reportset")
# When autovacuum takes a table (PostgreSQL's manual, "The Autovacuum Daemon"): by the settings of
# the table, or of the server.
_SETTING = """COALESCE((SELECT option_value FROM pg_options_to_table(reloptions)
    WHERE option_name = '{0}'), current_setting('{0}'))::float"""
_DUE = f"""
    SELECT pg_class.relname FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
    WHERE n_dead_tup > {_SETTING.format("autovacuum_vacuum_threshold")}
        + {_SETTING.format("autovacuum_vacuum_scale_factor")} * GREATEST(reltuples, 0)
    ORDER BY 1"""
_SIZES = """
    SELECT COALESCE(owner.relname || ' (long values)', kept.relname), pg_relation_size(kept.oid)
    FROM pg_class AS kept LEFT JOIN pg_class AS owner ON owner.reltoastrelid = kept.oid
    WHERE kept.relkind IN ('r', 't') AND COALESCE(owner.relname, kept.relname) = ANY(%(tables)s)
    UNION ALL SELECT relname, pg_relation_size(indexrelid) FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid::regclass::text = ANY(%(tables)s)"""


def asked(statement: str, values: Any = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def sizes(*tables: str) -> dict[str, int]:
    """The bytes of these tables, of their values that are too long for them, and their indexes."""
    return dict(asked(_SIZES, {"tables": list(tables)}))


def vacuum_where_due() -> list[str]:
    """What autovacuum would do now: it looks once a minute. Returns the tables it took."""
    asked("SELECT pg_stat_force_next_flush()")
    due = [name for (name,) in asked(_DUE)]
    for name in due:
        asked(f"VACUUM (ANALYZE) {connection.ops.quote_name(name)}")
    return due


def packed(*tables: str) -> dict[str, int]:
    """The sizes of the same rows once they have been written anew."""
    for name in tables:
        asked(f"VACUUM FULL {connection.ops.quote_name(name)}")
    return sizes(*tables)


def receive(launch: Launch, batches: int, size: int, *, vacuumed_every: int = 1) -> None:
    """Responses come in and are aggregated, batch after batch, and vacuum comes by."""
    for batch in range(batches):
        fill_inbox(launch, size)
        assert aggregate_waiting(launch.pk) == size
        if (batch + 1) % vacuumed_every == 0:
            vacuum_where_due()


def remove(launch: Launch) -> None:
    """The survey of a launch is closed and deleted, with all its rows, and vacuum comes by."""
    launch.survey.refresh_from_db()
    close_survey(survey=launch.survey, actor=None)
    launch.survey.refresh_from_db()
    if not delete_survey(survey=launch.survey, actor=launch.survey.owner):
        while REMOVAL.is_lagging(launch.survey_id):
            jobs.run(REMOVAL, launch.survey_id)
    vacuum_where_due()
