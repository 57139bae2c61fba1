"""How PostgreSQL keeps receipts and report sets as they become many: docs/decisions/0109.

Nothing looks for a receipt by its random key, which is there for SQLite: the index goes. Logical
replication tells a row from all others by the submission.

Vacuum comes once one row of a hundred is dead, not one of five: a deleted survey is soon gone from
the files, and its space is used again.
"""

from django.db import migrations

from surveys.migrations._beside import OnPostgreSQL

EARLY = "autovacuum_vacuum_scale_factor"


class Migration(migrations.Migration):
    dependencies = [("surveys", "0004_receipts_by_launch")]

    operations = [
        OnPostgreSQL(
            [
                "ALTER TABLE surveys_receipt"
                " REPLICA IDENTITY USING INDEX surveys_receipt_submission_key",
                "ALTER TABLE surveys_receipt DROP CONSTRAINT surveys_receipt_pkey",
                f"ALTER TABLE surveys_receipt SET ({EARLY} = 0.01)",
                f"ALTER TABLE surveys_reportset SET ({EARLY} = 0.01)",
            ],
            [
                f"ALTER TABLE surveys_reportset RESET ({EARLY})",
                f"ALTER TABLE surveys_receipt RESET ({EARLY})",
                "ALTER TABLE surveys_receipt ADD PRIMARY KEY (id)",
                "ALTER TABLE surveys_receipt REPLICA IDENTITY DEFAULT",
            ],
        ),
    ]
