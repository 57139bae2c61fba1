"""Rosters: who may answer a survey by personal link; they freeze with their survey."""

import django.db.models.deletion
from django.db import migrations, models

from surveys.migrations._freeze import Statements, freeze_members, freezer, row_thaw, thaw

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
    "pilot",
)


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0011_pilot_clusters'),
    ]

    operations = [
        Statements(thaw, freezer(SHAPING)),
        migrations.AddField(
            model_name='question',
            name='directed',
            field=models.BooleanField(default=True, verbose_name='directed'),
        ),
        migrations.AlterField(
            model_name='survey',
            name='mode',
            field=models.CharField(choices=[('open', 'Open link: anyone who has it can answer, once in each browser'), ('pseudonymous', 'Return code: respondents keep a code with which they can answer later waves'), ('personal', 'Personal link: everybody on the roster gets a link of their own; who answered is known')], default='open', help_text='A return code is needed if you want to ask the same people again at a higher epsilon. Only the respondent has it: a lost code cannot be recovered. Personal links are for networks: questions about who is tied to whom on a roster that you upload. It cannot be changed after launch.', max_length=12, verbose_name='how respondents are told apart'),
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('code', models.CharField(max_length=32)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('group', models.CharField(blank=True, max_length=60)),
                ('link_hash', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('answered', models.BooleanField(default=False, editable=False)),
                ('survey', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'member of a roster',
                'verbose_name_plural': 'members of rosters',
                'ordering': ['survey', 'place'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'place'), name='member_place_unique'), models.UniqueConstraint(fields=('survey', 'code'), name='member_code_unique'), models.UniqueConstraint(condition=models.Q(('link_hash', ''), _negated=True), fields=('survey', 'link_hash'), name='member_link_unique')],
            },
        ),
        Statements(freezer(SHAPING), thaw),
        Statements(freeze_members, row_thaw("member")),
    ]
