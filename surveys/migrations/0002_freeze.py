"""What is frozen at launch; see `_freeze`."""

from django.db import migrations

from surveys.migrations._freeze import Statements, freezer, thaw

SHAPING = (
    "slug",
    "title",
    "introduction",
    "consent",
    "contact",
    "language",
    "layout",
    "budget",
    "budget_reason",
    "linkage",
    "population",
    "cross_tables",
    "release_threshold",
    "release_batch",
)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_initial")]

    operations = [Statements(freezer(SHAPING), thaw)]
