"""Return codes: who can come back, what they answered, and which report replaces which."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F

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
)


def count_revisions(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Until now nothing was ever taken out of a tally."""
    apps.get_model("surveys", "Launch").objects.update(revision=F("aggregated"))
    apps.get_model("surveys", "Result").objects.update(revision=F("responses"))


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0004_figures_on_demand'),
    ]

    operations = [
        Statements(thaw, freezer(SHAPING)),
        migrations.AddField(
            model_name='launch',
            name='revision',
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='submission',
            name='replaces',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='surveys.launch'),
        ),
        migrations.AddField(
            model_name='survey',
            name='mode',
            field=models.CharField(choices=[('open', 'Open link: anyone who has it can answer, once in each browser'), ('pseudonymous', 'Return code: respondents keep a code with which they can answer later waves')], default='open', help_text='A return code is needed if you want to ask the same people again at a higher epsilon. Only the respondent has it: a lost code cannot be recovered. It cannot be changed after launch.', max_length=12, verbose_name='how respondents are told apart'),
        ),
        migrations.CreateModel(
            name='Respondent',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('code_hash', models.CharField(editable=False, max_length=64)),
                ('survey', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='respondents', to='surveys.survey')),
            ],
        ),
        migrations.CreateModel(
            name='Participation',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('epsilon', models.DecimalField(decimal_places=12, max_digits=20)),
                ('devices', models.JSONField(default=list)),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participations', to='surveys.launch')),
                ('respondent', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='participations', to='surveys.respondent')),
            ],
        ),
        migrations.AddField(
            model_name='reportset',
            name='respondent',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='report_sets', to='surveys.respondent'),
        ),
        migrations.AddField(
            model_name='submission',
            name='respondent',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='waiting', to='surveys.respondent'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(condition=models.Q(('respondent__isnull', False)), fields=['respondent'], name='submission_by_respondent'),
        ),
        migrations.AddConstraint(
            model_name='reportset',
            constraint=models.UniqueConstraint(condition=models.Q(('respondent__isnull', False)), fields=('respondent',), name='report_set_once_per_respondent'),
        ),
        migrations.AddConstraint(
            model_name='respondent',
            constraint=models.UniqueConstraint(fields=('survey', 'code_hash'), name='respondent_once_per_survey_and_code'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.UniqueConstraint(fields=('respondent', 'launch'), name='participation_once_per_wave'),
        ),
        migrations.AddField(
            model_name="result",
            name="revision",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.RenameField(
            model_name="drawnfigures", old_name="responses", new_name="revision"
        ),
        migrations.RunPython(count_revisions, migrations.RunPython.noop, elidable=True),
        Statements(freezer((*SHAPING, "mode")), thaw),
    ]
