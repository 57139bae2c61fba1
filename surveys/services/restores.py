"""Restoring a backup into an empty site, all of it or nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction

from surveys.features import modes_of_features
from surveys.models import Launch
from surveys.parameters import digest_of
from surveys.services.backup_files import BackupError, Reader, Table, existing_backup
from surveys.services.backups import (
    LEFT_OUT,
    Progress,
    account,
    columns_of,
    fields_of,
    is_same_secret,
    migrations,
    models_of_a_backup,
)
from surveys.services.webhooks import switch_off_webhooks

ROWS = 1_000
# What reading values may raise that are not of the columns that they stand in.
MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, ValidationError)
# The tables that migrations fill in an empty site; the backup's own rows take their place.
MADE_BY_MIGRATIONS = (Group.permissions.through, Group, Permission, ContentType)


def keys_of_people() -> str:
    """Return by what respondents are told apart, of which only keyed hashes are stored."""
    return " and ".join(f"{mode.key.words}s" for mode in modes_of_features())


@dataclass(frozen=True, slots=True)
class Restored:
    """`end`: what the end of the file says; `webhooks`: how many were switched off."""

    end: dict[str, Any]
    webhooks: int
    same_secret: bool


def restore_backup(*, path: Path, other_secret: bool, live: bool, say: Progress) -> Restored:
    """Fill an empty site. Unless it is `live`, in the place of the one that was lost, its webhooks
    are switched off: a copy must not tell programs what happens to a survey of another site.

    Raises BackupError, and then nothing was changed, where the site is not empty or not of the
    backup's version, the secret is another one, or what was restored does not agree with itself.
    """
    with existing_backup(path) as backup:
        _check_version(backup)
        same_secret = is_same_secret(backup.about["secret"])
        if not other_secret and not same_secret:
            raise BackupError(
                f"This backup was made under another secret, without which {keys_of_people()} lead"
                " nowhere: set CANDOR_SECRET_KEY to it, or name it in CANDOR_SECRET_KEY_FALLBACKS."
                " --other-secret restores without it."
            )
        try:
            with transaction.atomic(durable=True):
                end = _fill(backup, say)
                webhooks = 0 if live else switch_off_webhooks()
                return Restored(end, webhooks, same_secret)
        except DatabaseError as error:
            raise BackupError(f"The database refuses this backup: {error}") from error
        except MALFORMED as error:
            raise BackupError(f"This backup is damaged: {type(error).__name__}, {error}") from error


def _check_version(backup: Reader) -> None:
    ours, theirs = set(migrations()), set(map(tuple, backup.about["migrations"]))
    if ours != theirs:
        differing = ", ".join(f"{app} {name}" for app, name in sorted(ours ^ theirs)[:3])
        raise BackupError(
            "The tables of this site are not those of the backup: run `manage.py migrate` of the"
            f" version that made it first, restore, and upgrade then. They differ by {differing}."
        )


def _fill(backup: Reader, say: Progress) -> dict[str, Any]:
    by_table = {model._meta.db_table: model for model in models_of_a_backup()}
    left_out = {model._meta.db_table for model in LEFT_OUT}
    _check_empty(by_table.values())
    for model in MADE_BY_MIGRATIONS:
        model._base_manager.all()._raw_delete(connection.alias)
    rows: dict[str, int] = {}
    for table in backup.tables():
        if table.name in left_out:
            # Backups of 0.1.0 have tokens.
            rows[table.name] = sum(1 for _ in table.rows)
            continue
        if table.name not in by_table:
            raise BackupError(f"This backup has a table {table.name!r}, which this site has not.")
        rows[table.name] = _insert(by_table[table.name], table)
        say(f"{table.name}: {rows[table.name]} rows")
    missing = by_table.keys() - rows.keys()
    if backup.end is None or backup.end["rows"] != rows or missing:
        raise BackupError("This backup is damaged: its tables are not those that its end lists.")
    _set_sequences(list(by_table.values()))
    connection.check_constraints()
    _check_restored(backup.end)
    return backup.end


def _check_empty(every: Any) -> None:
    for model in every:
        if model not in MADE_BY_MIGRATIONS and model._base_manager.exists():
            raise BackupError(
                f"This site is not empty: the table {model._meta.db_table} has rows. A backup is"
                " restored into a new database after `manage.py migrate`."
            )


def _insert(model: type[models.Model], table: Table) -> int:
    fields, names = fields_of(model), columns_of(model)
    if table.columns != names:
        raise BackupError(f"The table {table.name} has other columns here than in this backup.")
    quote = connection.ops.quote_name
    columns = ", ".join(map(quote, names))
    places = ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(table.name)} ({columns}) VALUES ({places})"
    number = 0
    with connection.cursor() as cursor:
        while chunk := list(islice(table.rows, ROWS)):
            cursor.executemany(statement, [list(_values(fields, row)) for row in chunk])
            number += len(chunk)
    return number


def _values(fields: Any, row: list[Any]) -> Iterator[Any]:
    for field, value in zip(fields, row, strict=True):
        yield field.get_db_prep_save(field.to_python(value), connection)


def _set_sequences(every: list[type[models.Model]]) -> None:
    """The next key that PostgreSQL counts out is above those that were restored."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), every):
            cursor.execute(statement)


def _check_restored(end: dict[str, Any]) -> None:
    """Receipts, inbox, reports, tallies and frozen parameters agree as they did in the backup."""
    restored = account()
    for launch, numbers in end["launches"].items():
        if restored["launches"].get(launch) != numbers:
            raise BackupError(f"Of launch {launch} not as much was restored as was backed up.")
    if restored["unaccounted"] != end["unaccounted"]:
        raise BackupError("Receipts and stored responses do not agree as they did in the backup.")
    if restored["differing"] != end["differing"]:
        raise BackupError("Tallies and stored reports do not agree as they did in the backup.")
    for launch_ in Launch.objects.all():
        if digest_of(launch_.parameters) != launch_.digest:
            raise BackupError(f"The parameters of launch {launch_.pk} are not those of its digest.")
