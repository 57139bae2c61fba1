from django.db import migrations, models

from surveys.migrations._freeze import Statements, freeze_members, freezer, row_freezer, row_thaw, thaw
from importlib import import_module
BEFORE = import_module("surveys.migrations.0020_precision_reason").SHAPING
SHAPING = (*(name for name in BEFORE if name not in ("split_share", "direct_share")), "features")


class Migration(migrations.Migration):
    dependencies = [('surveys', '0020_precision_reason')]
    operations = [
        Statements(thaw, freezer(BEFORE)),
        Statements(row_thaw("tier"), row_freezer("tier")),
        Statements(row_thaw("member"), freeze_members),
        migrations.AddField('survey', 'features', models.JSONField(default=dict, blank=True, editable=False)),
        migrations.AddField('question', 'features', models.JSONField(default=dict, blank=True, editable=False)),
        migrations.RemoveField('survey', 'split_share'),
        migrations.RemoveField('survey', 'direct_share'),
        migrations.RemoveField('question', 'split_epsilon'),
        migrations.RemoveField('question', 'asked_directly'),
        Statements(freeze_members, row_thaw("member")),
        Statements(row_freezer("tier"), row_thaw("tier")),
        Statements(freezer(SHAPING), thaw),
    ]
