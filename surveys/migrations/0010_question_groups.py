from django.db import migrations, models

from surveys.migrations._freeze import freezer, thaw

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
        ('surveys', '0009_short_text'),
    ]

    operations = [
        migrations.RunPython(thaw, freezer(SHAPING), elidable=False),
        migrations.AddField(
            model_name='question',
            name='group',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Questions of one group are scrambled by one draw and sent as one report.', null=True, verbose_name='sent together with'),
        ),
        migrations.RunPython(freezer(SHAPING), thaw, elidable=False),
    ]
