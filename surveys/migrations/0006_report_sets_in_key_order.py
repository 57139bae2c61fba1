"""SQLite keeps no index of report sets by launch: docs/decisions/0001."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TABLE, COLUMN = "surveys_reportset", "launch_id"
INDEX = "surveys_reportset_launch_id"


def drop_on_sqlite(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        found = schema_editor.connection.introspection.get_constraints(cursor, TABLE)
    for name, what in found.items():
        if what["index"] and what["columns"] == [COLUMN]:
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def create_on_sqlite(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(f"CREATE INDEX {INDEX} ON {TABLE} ({COLUMN})")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0005_release_rule_texts")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="reportset",
                    name="launch",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="report_sets",
                        to="surveys.launch",
                    ),
                )
            ],
            database_operations=[migrations.RunPython(drop_on_sqlite, create_on_sqlite)],
        )
    ]
