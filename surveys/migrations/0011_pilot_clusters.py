import django.db.models.deletion
from django.conf import settings
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
    "pilot",
)


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0010_question_groups'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # A trigger of the tiers asks the table of surveys, which SQLite rebuilds.
        Statements(row_thaw("tier"), row_freezer("tier")),
        Statements(thaw, freezer(SHAPING)),
        migrations.AddField(
            model_name='survey',
            name='from_pilot',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='main_surveys', to='surveys.survey'),
        ),
        migrations.CreateModel(
            name='DependenceRun',
            fields=[
                ('job_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='surveys.job')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('digest', models.CharField(max_length=71)),
                ('revision', models.PositiveBigIntegerField(default=0)),
                ('responses', models.PositiveBigIntegerField(default=0)),
                ('content', models.JSONField(default=dict)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dependence_runs', to='surveys.launch')),
            ],
            options={
                'verbose_name': 'estimate of dependence',
                'verbose_name_plural': 'estimates of dependence',
                'ordering': ['-pk'],
            },
            bases=('surveys.job',),
        ),
        Statements(freezer(SHAPING), thaw),
        Statements(row_freezer("tier"), row_thaw("tier")),
    ]
