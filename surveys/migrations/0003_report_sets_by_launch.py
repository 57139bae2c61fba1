"""PostgreSQL has an index of report sets by launch, SQLite has none: docs/decisions/0001."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from surveys.migrations._freeze import Statements

INDEX = "surveys_reportset_launch_id"


def create(schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"CREATE INDEX IF NOT EXISTS {INDEX} ON surveys_reportset (launch_id)")


def drop(schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX {INDEX}")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0002_freeze")]

    operations = [Statements(create, drop)]
