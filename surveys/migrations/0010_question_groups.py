from django.db import migrations, models

from surveys.migrations._freeze import Statements, freezer, row_freezer, row_thaw, thaw

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
SHAPING_NOW = (*SHAPING, "pilot")


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0009_short_text'),
    ]

    operations = [
        # A trigger of the tiers asks the table of surveys, which SQLite rebuilds.
        Statements(row_thaw("tier"), row_freezer("tier")),
        Statements(thaw, freezer(SHAPING)),
        migrations.AddField(
            model_name='question',
            name='group',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Questions of one group are scrambled by one draw and sent as one report.', null=True, verbose_name='sent together with'),
        ),
        migrations.AddField(
            model_name='survey',
            name='pilot',
            field=models.BooleanField(default=False, help_text='Ask each person two of the sensitive questions, which chance picks, to learn which of them belong together.', verbose_name='pilot'),
        ),
        Statements(freezer(SHAPING_NOW), thaw),
        Statements(row_freezer("tier"), row_thaw("tier")),
    ]
