"""Why a survey is launched that can find little; frozen like all that its results are read by."""

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
    "analyses",
    "weighting",
    "split_share",
    "direct_share",
)
SHAPING = (*BEFORE, "precision_reason")


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0019_one_release'),
    ]

    operations = [
        Statements(thaw, freezer(BEFORE)),
        # Their triggers ask for the state of a survey, whose table SQLite rebuilds.
        Statements(row_thaw("tier"), row_freezer("tier")),
        Statements(row_thaw("member"), freeze_members),
        migrations.AddField(
            model_name='survey',
            name='precision_reason',
            field=models.TextField(blank=True, default='', help_text='Needed where a margin is above 25 points at the planned number of respondents. Researchers read it.', max_length=500, verbose_name='why it is asked although little can be found'),
            preserve_default=False,
        ),
        Statements(freeze_members, row_thaw("member")),
        Statements(row_freezer("tier"), row_thaw("tier")),
        Statements(freezer(SHAPING), thaw),
    ]
