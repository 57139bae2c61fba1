"""Making a backup: everything that the site has stored, and no submission id beside reports.

docs/decisions/0050-backup-and-restore.md says why it is as it is.
"""

import functools
import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder
from django.utils.crypto import salted_hmac

from surveys.exports.snapshot import one_moment
from surveys.models import (
    ApiToken,
    Launch,
    Receipt,
    ReportSet,
    StoredAnswer,
    Submission,
    Survey,
)
from surveys.parameters import Parameters, to_json
from surveys.responses import tallies
from surveys.responses.acknowledged import unaccounted
from surveys.services.backup_files import new_backup
from surveys.services.removal import being_deleted, path_to_survey

Progress = Callable[[str], None]
# What lets somebody in: a restored site is to admit nobody who was shut out since, and no program
# of the site that it is a copy of. With a token goes what programs were answered under it.
LEFT_OUT = (Session, ApiToken, StoredAnswer)


def make_backup(*, path: Path, say: Progress) -> dict[str, Any]:
    """Write all tables as of one moment; returns what the end of the file says.

    Responses that may enter the results do so first, so that the inbox is small. Whoever waits in
    it is in the backup too, under a new id: the receipt keeps the old one, and nothing joins them.
    """
    aggregate_due()
    with new_backup(path) as backup, one_moment():
        backup.begin(migrations=migrations(), secret=secret_proof())
        rows = {}
        for model in models_of_a_backup():
            name = model._meta.db_table
            rows[name] = backup.table(name, columns_of(model), _rows(model))
            say(f"{name}: {rows[name]} rows")
        end = {"rows": rows, **account()}
        backup.end(**end)
    return end


def aggregate_due() -> None:
    """Aggregate what the rule of releases lets into the results."""
    for launch_id in Launch.objects.kept().values_list("pk", flat=True):
        while tallies.aggregate_waiting(launch_id):
            pass


def models_of_a_backup() -> list[type[models.Model]]:
    """All of the site, those of later versions too, but sessions and tokens; surveys come last.

    A survey that is open or closed freezes the rows that belong to it, so they are restored first.
    """
    every = apps.get_models(include_auto_created=True)
    stored = [model for model in every if model._meta.managed and not model._meta.proxy]
    return sorted(
        (model for model in stored if model not in LEFT_OUT), key=lambda model: model is Survey
    )


def fields_of(model: type[models.Model]) -> list["models.Field[Any, Any]"]:
    return list(model._meta.local_concrete_fields)


def columns_of(model: type[models.Model]) -> list[str]:
    return [str(field.column) for field in fields_of(model)]


def account() -> dict[str, dict[str, Any]]:
    """Return the account of each launch.

    It says what is stored of its responses, what is missing of those acknowledged, and which
    tallies differ from the stored reports.
    """
    launches = Launch.objects.kept().order_by("pk")
    counts = dict.fromkeys(launches.values_list("pk", flat=True), 0)
    by_model = {
        name: {**counts, **dict(_by_launch(model))}
        for name, model in (("receipts", Receipt), ("inbox", Submission), ("reports", ReportSet))
    }
    aggregated = dict(launches.values_list("pk", "aggregated"))
    ledger = {
        str(launch): {
            "aggregated": aggregated[launch],
            **{name: numbers[launch] for name, numbers in by_model.items()},
        }
        for launch in counts
    }
    lost = {str(launch): difference for launch, difference in unaccounted().items()}
    differing = {str(launch.pk): _differing_tallies(launch) for launch in launches}
    return {
        "launches": ledger,
        "unaccounted": lost,
        "differing": {launch: names for launch, names in differing.items() if names},
    }


def _differing_tallies(launch: Launch) -> list[str]:
    return [
        f"{table}/{stratum} on step {step}"
        for step in launch.steps
        for table, stratum in tallies.differing(launch, step)
    ]


def _by_launch(model: Any) -> Iterator[tuple[int, int]]:
    counted = model.objects.values("launch").annotate(number=models.Count("*")).order_by()
    yield from counted.values_list("launch", "number")


def migrations() -> list[tuple[str, str]]:
    """The migrations that have run: the shape of the tables."""
    return sorted(MigrationRecorder(connection).applied_migrations())


# --- the secret -----------------------------------------------------------------------------------


def secret_proof() -> dict[str, str]:
    """Tells whether another secret is the same, and nothing else of it."""
    nonce = secrets.token_hex(16)
    return {"nonce": nonce, "proof": _proof(nonce, settings.SECRET_KEY)}


def is_same_secret(proof: Mapping[str, str]) -> bool:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(_proof(proof["nonce"], key) == proof["proof"] for key in keys)


def _proof(nonce: str, key: str) -> str:
    return salted_hmac("candor.backup", nonce, secret=key, algorithm="sha256").hexdigest()


# --- the rows -------------------------------------------------------------------------------------


def _rows(model: type[models.Model]) -> Iterator[list[Any]]:
    """Yield rows in the order of their keys: that of the disk may be the order of arrival."""
    if model is Submission:
        return _renamed_inbox()
    return _stored_rows(model)


def _stored_rows(model: type[models.Model]) -> Iterator[list[Any]]:
    """The rows of a table, without those of surveys that are being deleted."""
    names = [field.attname for field in fields_of(model)]
    kept = model._base_manager.all()
    if gone := list(being_deleted().values_list("pk", flat=True)):
        if model is Survey:
            kept = kept.exclude(pk__in=gone)
        elif path := path_to_survey(model):
            kept = kept.exclude(**{f"{path}__in": gone})
    rows = kept.order_by("pk").values_list(*names)
    return ([_plain(value) for value in row] for row in rows.iterator(chunk_size=2000))


def _renamed_inbox() -> Iterator[list[Any]]:
    """The rows of the inbox under new ids, in another order than that of their own."""
    rows = list(_stored_rows(Submission))
    key = columns_of(Submission).index(str(Submission._meta.pk.column))
    for row in rows:
        row[key] = str(uuid.uuid4())
    # Ids that were drawn put them in an order that was drawn.
    return iter(sorted(rows, key=lambda row: row[key]))


@functools.singledispatch
def _plain(value: Any) -> Any:
    """A value of a column as JSON has it; a field's `to_python` is the way back."""
    return value


@_plain.register(Decimal)
@_plain.register(uuid.UUID)
def _text(value: Any) -> str:
    return str(value)


@_plain.register(datetime)
@_plain.register(date)
def _moment(value: Any) -> str:
    return value.isoformat()


@_plain.register(Parameters)
def _document(value: Parameters) -> Any:
    return to_json(value)
