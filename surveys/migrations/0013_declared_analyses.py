"""Declared analyses, and the margins to weight to; they freeze with their survey."""

from django.db import migrations, models

from surveys.migrations._freeze import Statements, freeze_members, freezer, row_freezer, row_thaw, thaw

BEFORE = (
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
    "mode",
    "pilot",
)
SHAPING = (*BEFORE, "analyses", "weighting")


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0012_rosters'),
    ]

    operations = [
        Statements(thaw, freezer(BEFORE)),
        # Their triggers ask for the state of a survey, whose table SQLite rebuilds.
        Statements(row_thaw("tier"), row_freezer("tier")),
        Statements(row_thaw("member"), freeze_members),
        migrations.AddField(
            model_name='survey',
            name='analyses',
            field=models.JSONField(blank=True, default=list, editable=False, verbose_name='analyses'),
        ),
        migrations.AddField(
            model_name='survey',
            name='weighting',
            field=models.JSONField(blank=True, editable=False, null=True, verbose_name='margins'),
        ),
        Statements(freeze_members, row_thaw("member")),
        Statements(row_freezer("tier"), row_thaw("tier")),
        Statements(freezer(SHAPING), thaw),
    ]
