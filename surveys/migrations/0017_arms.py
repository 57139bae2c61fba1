"""Arms: other ways of asking a question, and how many people chance puts into each."""

import django.core.validators
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
)
SHAPING = (*BEFORE, "split_share", "direct_share")


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0016_deleted_analyses'),
    ]

    operations = [
        Statements(thaw, freezer(BEFORE)),
        # Their triggers ask for the state of a survey, whose table SQLite rebuilds.
        Statements(row_thaw("tier"), row_freezer("tier")),
        Statements(row_thaw("member"), freeze_members),
        migrations.AddField(
            model_name='question',
            name='asked_directly',
            field=models.BooleanField(default=False, verbose_name='some people are asked directly'),
        ),
        migrations.AddField(
            model_name='question',
            name='split_epsilon',
            field=models.DecimalField(blank=True, decimal_places=4, max_digits=7, null=True, validators=[django.core.validators.MaxValueValidator(100)], verbose_name='epsilon in the split sample'),
        ),
        migrations.AddField(
            model_name='survey',
            name='direct_share',
            field=models.PositiveSmallIntegerField(default=30, validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(80)], verbose_name='share of the people asked directly, in %'),
        ),
        migrations.AddField(
            model_name='survey',
            name='split_share',
            field=models.PositiveSmallIntegerField(default=50, validators=[django.core.validators.MinValueValidator(5), django.core.validators.MaxValueValidator(80)], verbose_name='share of the split sample, in %'),
        ),
        Statements(freeze_members, row_thaw("member")),
        Statements(row_freezer("tier"), row_thaw("tier")),
        Statements(freezer(SHAPING), thaw),
    ]
