"""Short texts: how long they may be, and the lists of candidates that results look for."""

import django.db.models.deletion
from django.conf import settings
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
        ('surveys', '0008_results_by_tier'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        Statements(thaw, freezer(SHAPING)),
        migrations.AddField(
            model_name='question',
            name='candidates',
            field=models.JSONField(blank=True, default=list, verbose_name='candidates'),
        ),
        migrations.AddField(
            model_name='question',
            name='characters',
            field=models.PositiveSmallIntegerField(default=64, verbose_name='longest text'),
        ),
        migrations.CreateModel(
            name='Candidates',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('question', models.CharField(max_length=32)),
                ('number', models.PositiveIntegerField()),
                ('texts', models.JSONField()),
                ('changed_at', models.DateTimeField(auto_now_add=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='candidates', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'list of candidates',
                'verbose_name_plural': 'lists of candidates',
                'ordering': ['question', 'number'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'question', 'number'), name='candidates_numbered_by_question')],
            },
        ),
        Statements(freezer(SHAPING), thaw),
    ]
