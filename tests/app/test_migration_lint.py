"""What `make migrations-check` refuses: a sample of each kind, and every real migration passes."""

from collections.abc import Iterator

import pytest
from django.db import connection, migrations, models
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from scripts import migration_lint as lint
from surveys.migrations._beside import AddConstraint, AddIndex, CheckRows, RemoveIndex

POSITIVE = models.CheckConstraint(condition=models.Q(pages__gt=0), name="positive_pages")
BY_TITLE = models.Index(fields=["title"], name="by_title")


def sample(*operations: Operation, name: str = "0002_sample", **values: object) -> Migration:
    kind = type("Migration", (Migration,), {"operations": list(operations), **values})
    return kind(name, "samples")


def field(kind: type[models.Field] = models.IntegerField, **options: object) -> Operation:
    return migrations.AddField("book", "x", kind(**options))


FIRST = sample(
    migrations.CreateModel(
        "Shelf",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("name", models.CharField(max_length=50)),
        ],
    ),
    migrations.CreateModel(
        "Book",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("title", models.CharField(max_length=50)),
            ("pages", models.IntegerField(null=True)),
            ("old", models.IntegerField(null=True)),
        ],
        options={"indexes": [models.Index(fields=["pages"], name="by_pages")]},
    ),
    name="0001_first",
)


@pytest.fixture
def state(db: None) -> Iterator[ProjectState]:
    """Two tables in the database, as the release before has them."""
    first = ProjectState()
    with connection.schema_editor() as editor:
        yield FIRST.apply(first, editor)


def broken_rules(migration: Migration, state: ProjectState) -> set[str]:
    text = lint.statements(migration, state, connection)
    found = [
        *lint.of_operations(migration),
        *lint.of_statements(text),
        *lint.of_locks(text, atomic=migration.atomic),
    ]
    return {line.split(": ")[1] for line in lint.unexcused(migration, found)}


def moves(apps: object, schema_editor: object) -> None:
    """A step that moves rows."""


REFUSED = {
    "not null with a default of Python's": (field(default=1), "ban-drop-default"),
    "not null in SQL": (
        migrations.RunSQL("ALTER TABLE samples_book ADD COLUMN x integer NOT NULL"),
        "adding-required-field",
    ),
    "becomes not null": (
        migrations.AlterField("book", "pages", models.IntegerField(default=0)),
        "adding-not-nullable-field",
    ),
    "drops a column": (migrations.RemoveField("book", "old"), "ban-drop-column"),
    "drops a table": (migrations.DeleteModel("Shelf"), "ban-drop-table"),
    "renames a column": (migrations.RenameField("book", "old", "new"), "renaming-column"),
    "renames a table": (migrations.RenameModel("Book", "Tome"), "renaming-table"),
    "another type": (
        migrations.AlterField("book", "title", models.IntegerField()),
        "changing-column-type",
    ),
    "an index": (
        migrations.AddIndex("book", BY_TITLE),
        "require-concurrent-index-creation",
    ),
    "a field with an index": (
        field(null=True, db_index=True),
        "require-concurrent-index-creation",
    ),
    "drops an index": (
        migrations.RemoveIndex("book", "by_pages"),
        "require-concurrent-index-deletion",
    ),
    "a check of all rows": (
        migrations.AddConstraint("book", POSITIVE),
        "constraint-missing-not-valid",
    ),
    "a unique constraint": (
        migrations.AddConstraint(
            "book", models.UniqueConstraint(fields=["title"], name="one_title")
        ),
        "disallowed-unique-constraint",
    ),
    "a foreign key": (
        field(models.ForeignKey, to="samples.shelf", null=True, on_delete=models.CASCADE),
        "adding-foreign-key-constraint",
    ),
    "a default that is computed": (
        migrations.RunSQL("ALTER TABLE samples_book ADD COLUMN x uuid DEFAULT gen_random_uuid()"),
        "adding-field-with-default",
    ),
    "no statement at all": (migrations.RunSQL("ALTER TABEL samples_book"), "syntax-error"),
}


@pytest.mark.production_database
@pytest.mark.slow
@pytest.mark.parametrize(("operation", "rule"), REFUSED.values(), ids=REFUSED.keys())
def test_what_stops_the_release_before_is_refused(state, operation, rule):
    assert rule in broken_rules(sample(operation), state)


@pytest.mark.production_database
@pytest.mark.slow
def test_what_does_not_go_together_in_one_transaction_is_refused(state):
    inside = sample(AddIndex("book", BY_TITLE))
    assert broken_rules(inside, state) == {"ban-concurrent-index-creation-in-transaction"}
    mixed = sample(field(null=True), migrations.RunPython(moves, moves))
    assert broken_rules(mixed, state) == {"mixed"}
    updates = migrations.RunSQL("UPDATE samples_book SET pages = 1")
    assert broken_rules(sample(updates, field(null=True)), state) == {"mixed"}
    two = sample(field(null=True), AddIndex("book", BY_TITLE), atomic=False)
    assert broken_rules(two, state) == {"half-done"}
    both = sample(
        field(null=True), migrations.AddField("shelf", "x", models.IntegerField(null=True))
    )
    assert broken_rules(both, state) == {"two-tables"}


ACCEPTED = {
    "null": sample(field(null=True)),
    "a default of the database": sample(field(db_default=1)),
    "an index beside others": sample(AddIndex("book", BY_TITLE), atomic=False),
    "an index dropped beside others": sample(RemoveIndex("book", "by_pages"), atomic=False),
    "a check of new rows": sample(AddConstraint("book", POSITIVE)),
    "a check of the others": sample(CheckRows("samples_book", "positive_pages")),
    "options of two tables": sample(
        field(null=True),
        migrations.RunSQL("ALTER TABLE samples_shelf SET (fillfactor = 90)"),
    ),
    "rows alone": sample(migrations.RunPython(moves, moves)),
    "a new table with all that": sample(
        migrations.CreateModel(
            "Loan",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("days", models.IntegerField(default=1, db_index=True)),
                ("book", models.ForeignKey("samples.book", on_delete=models.CASCADE)),
            ],
        )
    ),
    "a drop of what the release before left alone": sample(
        migrations.RemoveField("book", "old"), exceptions={"ban-drop-column": "unused since 0.1.0"}
    ),
    "a type for a reason": sample(
        migrations.AlterField("book", "title", models.CharField(max_length=90)),
        exceptions={"changing-column-type": "longer only: no row is written"},
    ),
}


@pytest.mark.production_database
@pytest.mark.slow
@pytest.mark.parametrize("migration", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_what_both_releases_can_live_with_passes(state, migration):
    assert broken_rules(migration, state) == set()


@pytest.mark.production_database
@pytest.mark.slow
@pytest.mark.parametrize("reason", ["nobody needs it", "unused since 0.2.0", "unused since 1.0.0"])
def test_what_the_release_before_still_uses_is_not_dropped_for_any_reason(state, reason):
    excused = sample(migrations.RemoveField("book", "old"), exceptions={"ban-drop-column": reason})
    assert broken_rules(excused, state) == {"ban-drop-column"}


@pytest.mark.each_database
@pytest.mark.django_db(transaction=True)
def test_these_operations_do_what_they_say_on_either_database():
    with connection.schema_editor() as editor:
        state = FIRST.apply(ProjectState(), editor)
    steps = [
        sample(AddIndex("book", BY_TITLE), atomic=False),
        sample(AddConstraint("book", POSITIVE)),
        sample(CheckRows("samples_book", "positive_pages")),
        sample(RemoveIndex("book", "by_pages"), atomic=False),
    ]
    try:
        for step in steps:
            with connection.schema_editor(atomic=step.atomic) as editor:
                state = step.apply(state, editor)
        with connection.cursor() as cursor:
            known = connection.introspection.get_constraints(cursor, "samples_book")
        assert {"by_title", "positive_pages"} <= known.keys()
        assert "by_pages" not in known
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT convalidated FROM pg_constraint WHERE conname = 'positive_pages'"
                )
                assert cursor.fetchone() == (True,)
    finally:
        with connection.schema_editor() as editor:
            for name in ("Book", "Shelf"):
                editor.delete_model(state.apps.get_model("samples", name))


@pytest.mark.each_database
@pytest.mark.django_db(transaction=True)
def test_a_migration_that_thaws_what_was_launched_is_refused():
    before = lint.triggers(connection)
    assert "surveys_launch_frozen" in before
    (line,) = lint.unexcused(sample(), lint.of_triggers(before, before - {"surveys_launch_frozen"}))
    assert line.startswith("0002_sample: thawed: the trigger surveys_launch_frozen is gone")


@pytest.mark.any_database
@pytest.mark.django_db
def test_the_baseline_is_a_migration_and_all_newer_ones_are_looked_at():
    executor = MigrationExecutor(connection)
    after = lint.newer(executor, "surveys", lint.previous().migration)
    names = {name for app, name in executor.loader.disk_migrations if app == "surveys"}
    assert len(names) == len(after) + 2
    assert lint.newer(executor, "surveys", "0001_initial")[0].name == "0002_freeze"
