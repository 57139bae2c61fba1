"""The triggers that make a launched survey read-only; see `_freeze`."""

from django.db import migrations

from surveys.migrations._freeze import (
    Statements,
    freeze_members,
    freezer,
    row_freezer,
    row_thaw,
    thaw,
)

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
    "release_threshold",
    "release_batch",
    "mode",
    "features",
    "precision_reason",
)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0001_initial")]

    operations = [
        Statements(freezer(SHAPING), thaw),
        Statements(row_freezer("tier"), row_thaw("tier")),
        Statements(freeze_members, row_thaw("member")),
    ]
