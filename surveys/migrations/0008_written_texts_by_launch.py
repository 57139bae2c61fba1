"""PostgreSQL finds the texts of a survey without reading those of all: docs/decisions/0112."""

from django.db import migrations

from surveys.migrations._beside import AddIndexOnPostgreSQL


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("surveys", "0007_freed_addresses")]

    operations = [
        AddIndexOnPostgreSQL(
            "surveys_writtentext", "launch_id", "surveys_writtentext_launch_id"
        ),
    ]
