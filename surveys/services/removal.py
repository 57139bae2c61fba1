"""Removing what a deleted survey has stored: at once, or in slices by a worker where it is much.

A survey with many responses is deleted for everybody in the request: it keeps neither its address
nor its digests, and loses every row but those that come with responses. They follow in short
transactions, and the survey's own row is the last (docs/decisions/0112).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import CASCADE, Model, QuerySet

from surveys import jobs
from surveys.models import Launch, Submission, Survey
from surveys.responses.only_writer import let_others_write

# Responses up to which a survey goes within the request.
MOST_AT_ONCE = 10_000
# Rows of one transaction. On SQLite all who write wait for it.
ROWS_ON_POSTGRESQL, ROWS_ON_SQLITE = 20_000, 2_000
# Seconds after which a worker lets other jobs pass before it goes on.
TURN_SECONDS = 10


def is_removed_at_once(survey: Survey) -> bool:
    """Whether its rows go within the request that deletes it."""
    stored = survey.launches.values_list("aggregated", flat=True)
    waiting = Submission.objects.filter(launch__survey=survey)
    return sum(stored) + waiting.count() <= MOST_AT_ONCE


def remove(survey: Survey) -> bool:
    """Remove a survey that is marked as deleted; whether no row of it is left.

    In the caller's transaction, which first waits for a batch or a response that is being stored.
    """
    launches = survey.launches.select_for_update(of=("self",)).order_by("pk")
    keys = {Survey: [survey.pk], Launch: list(launches.values_list("pk", flat=True))}
    if is_removed_at_once(survey):
        survey.delete()
        return True
    # Both are unique, and might be wanted again; the triggers allow nothing but these.
    for launch in keys[Launch]:
        Launch.objects.filter(pk=launch).update(digest=f"sha256:~{launch}")
    Survey.everything.filter(pk=survey.pk).update(slug=f"~{survey.pk}")
    for rows in _small_rows(keys):
        rows.delete()
    jobs.request(REMOVAL, survey.pk)
    return False


def path_to_survey(model: type[Model]) -> str:
    """The names of the foreign keys from a row to the survey with which it goes; "" without one."""
    reached, nearest = {model}, [(model, "")]
    for place, path in nearest:
        if place is Survey:
            return path
        for field in place._meta.concrete_fields:
            key: Any = field
            further = key.related_model
            if further and further not in reached and key.remote_field.on_delete is CASCADE:
                reached.add(further)
                nearest.append((further, f"{path}__{field.name}" if path else field.name))
    return ""


def come_with_responses() -> list[type[Model]]:
    """The tables that grow with responses, in an order in which they can be emptied."""
    every = [model for model in apps.get_models() if getattr(model, "comes_with_responses", False)]
    return sorted(every, key=lambda model: any(_refer(other, model) for other in every))


def _refer(first: type[Model], second: type[Model]) -> bool:
    return any(field.related_model is second for field in first._meta.concrete_fields)


def _small_rows(keys: Mapping[type[Model], list[int]]) -> Iterator[QuerySet[Any]]:
    """All rows that refer to these, but for those that are removed in slices."""
    later = {Launch, *come_with_responses()}
    for owner, own in keys.items():
        for relation in owner._meta.get_fields(include_hidden=True):
            if relation.auto_created and not relation.concrete and not relation.many_to_many:
                key: Any = relation
                if key.related_model not in later:
                    rows = key.related_model._base_manager
                    yield rows.filter(**{f"{key.field.name}__in": own})


# --- by a worker ----------------------------------------------------------------------------------


def being_deleted() -> QuerySet[Survey]:
    return Survey.everything.filter(state=Survey.State.DELETED)


def _lagging() -> QuerySet[Survey, int]:
    return being_deleted().values_list("pk", flat=True)


def _is_lagging(survey_id: int) -> bool:
    return being_deleted().filter(pk=survey_id).exists()


def _remove(run: jobs.Run) -> jobs.Outcome:
    """Go on with whatever there is still, also after a worker that was killed."""
    survey = being_deleted().get(pk=run.subject)
    launches = list(Launch.objects.filter(survey=survey.pk).values_list("pk", flat=True))
    keys = {Survey: [survey.pk], Launch: launches}
    models = come_with_responses()
    for number, model in enumerate(models):
        if not _remove_rows(run, model, keys, number / len(models)):
            return jobs.Outcome(more=True)
    with run.holding():
        survey.delete()
    return jobs.Outcome()


def _remove_rows(
    run: jobs.Run, model: type[Model], keys: Mapping[type[Model], list[int]], fraction: float
) -> bool:
    """Remove the rows of one table in slices; False when the run should end before that is done."""
    owner: Any = next(
        f for f in model._meta.concrete_fields if f.related_model in keys and not f.null
    )
    most = ROWS_ON_POSTGRESQL if connection.vendor == "postgresql" else ROWS_ON_SQLITE
    last, gone = -1, most
    while gone == most:
        if not run.report(fraction):
            return False
        with run.holding():
            gone, last = _slice(model, owner.column, keys[owner.related_model], last, most)
        let_others_write()
    return True


def _slice(
    model: type[Model], column: str, keys: list[int], last: int, most: int
) -> tuple[int, int]:
    """Remove so many rows; returns how many there were, and where a table of SQLite goes on."""
    table, column = map(connection.ops.quote_name, (model._meta.db_table, column))
    owned = f"{column} IN ({', '.join(['%s'] * len(keys))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # By the index of launches: statistics of before the first slices would rather have the
            # table read, each time through all that is gone.
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
            cursor.execute(
                f"DELETE FROM {table} WHERE ctid ="
                f" ANY(ARRAY(SELECT ctid FROM {table} WHERE {owned} LIMIT {most}))",
                keys,
            )
            return cursor.rowcount, last
        cursor.execute(
            f"DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table}"
            f" WHERE {owned} AND rowid > %s ORDER BY rowid LIMIT {most}) RETURNING rowid",
            [*keys, last],
        )
        rows = [row for (row,) in cursor.fetchall()]
    return len(rows), max(rows, default=last)


REMOVAL = jobs.register(
    jobs.JobKind(
        name="removal",
        run=_remove,
        queue=settings.QUEUE,
        longest=TURN_SECONDS,
        lagging=_lagging,
        is_lagging=_is_lagging,
        about=Survey,
        without_broker="rows of deleted surveys will wait",
    )
)
