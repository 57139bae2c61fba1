"""PostgreSQL finds the receipts of a launch without reading all others: docs/decisions/0109."""

from django.db import migrations

from surveys.migrations._beside import AddIndexOnPostgreSQL


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("surveys", "0003_dropped_receipts")]

    operations = [
        AddIndexOnPostgreSQL("surveys_receipt", "launch_id", "surveys_receipt_launch_id"),
    ]
