"""Operations for migrations that run beside the release before, on both databases.

On PostgreSQL they hold no lock that a respondent would wait for; SQLite has one writer anyway. A
migration with `AddIndex` has `atomic = False` and nothing else in it. docs/extending.md
has the rule, and `make migrations-check` refuses what does not follow it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState

_INVALID = """SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relname = %s AND NOT indisvalid"""


def _is_postgresql(editor: BaseDatabaseSchemaEditor) -> bool:
    return editor.connection.vendor == "postgresql"


@contextmanager
def _patient(editor: BaseDatabaseSchemaEditor) -> Iterator[None]:
    """Without a limit for locks: these wait for transactions of before, and nobody for them."""
    if editor.collect_sql:
        yield
        return
    with editor.connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        (before,) = cursor.fetchone()
        cursor.execute("SET lock_timeout = 0")
        try:
            yield
        finally:
            cursor.execute(f"SET lock_timeout = '{before}'")


def _drop_what_was_cut_off(editor: BaseDatabaseSchemaEditor, index: str) -> None:
    if editor.collect_sql:
        return
    with editor.connection.cursor() as cursor:
        cursor.execute(_INVALID, [index])
        if cursor.fetchone():
            cursor.execute(f"DROP INDEX CONCURRENTLY {editor.quote_name(index)}")


class AddIndex(migrations.AddIndex):
    """An index that is built while others write; once more after an attempt that was cut off."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if not _is_postgresql(schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        editor: Any = schema_editor
        with _patient(editor):
            _drop_what_was_cut_off(editor, self.index.name)
            editor.add_index(model, self.index, concurrently=True)


class RemoveIndex(migrations.RemoveIndex):
    """The same for an index that is not needed any more; alone as well, without a transaction."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if not _is_postgresql(schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        index = from_state.models[app_label, self.model_name_lower].get_index_by_name(self.name)
        editor: Any = schema_editor
        with _patient(editor):
            editor.remove_index(model, index, concurrently=True)


class AddConstraint(migrations.AddConstraint):
    """A constraint on new and changed rows; `CheckRows` in a later migration checks the others."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if not _is_postgresql(schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        schema_editor.execute(
            f"{self.constraint.create_sql(model, schema_editor)} NOT VALID", params=None
        )


class OnPostgreSQL(migrations.RunSQL):
    """Statements that only PostgreSQL gets; the state of the models does not know of them."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if _is_postgresql(schema_editor):
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if _is_postgresql(schema_editor):
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class AddIndexOnPostgreSQL(OnPostgreSQL):
    """An index that SQLite would order by the random key of its rows, and does without.

    Alone and without a transaction, like `AddIndex`.
    """

    def __init__(self, table: str, column: str, name: str) -> None:
        self.table, self.column, self.name = table, column, name
        super().__init__(
            f'CREATE INDEX CONCURRENTLY "{name}" ON "{table}" ("{column}")',
            f'DROP INDEX CONCURRENTLY "{name}"',
        )

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, [self.table, self.column, self.name], {}

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if not _is_postgresql(schema_editor):
            return
        with _patient(schema_editor):
            _drop_what_was_cut_off(schema_editor, self.name)
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class CheckRows(OnPostgreSQL):
    """Check the rows that were there before a constraint, without keeping anybody from writing.

    SQLite has checked every row when the constraint was made.
    """

    def __init__(self, table: str, name: str) -> None:
        self.table, self.name = table, name
        super().__init__(
            f'ALTER TABLE "{table}" VALIDATE CONSTRAINT "{name}"', migrations.RunSQL.noop
        )

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__name__, [self.table, self.name], {}
