"""The scale of a number: its range, its step, its unit and its bins."""

from django.db import migrations, models

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
    "mode",
)


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0005_return_codes'),
    ]

    operations = [
        Statements(thaw, freezer(SHAPING)),
        migrations.AddField(
            model_name='question',
            name='scale',
            field=models.JSONField(blank=True, default=None, null=True, verbose_name='range'),
        ),
        Statements(freezer(SHAPING), thaw),
    ]
