"""All tables. PostgreSQL has an index of report sets by launch, SQLite has none: docs/decisions/0001."""

import django.core.validators
import django.db.models.deletion
import surveys.models.fields
import surveys.models.survey
import uuid
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from surveys.migrations._freeze import Statements

INDEX = "surveys_reportset_launch_id"


def create(schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"CREATE INDEX {INDEX} ON surveys_reportset (launch_id)")


def drop(schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX {INDEX}")


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Survey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=160, verbose_name='title')),
                ('slug', models.SlugField(help_text="The last part of the respondents' link: /s/…/", max_length=64, unique=True, validators=[django.core.validators.RegexValidator('^[a-z0-9]+(-[a-z0-9]+)*\\Z', 'Use lower-case letters, digits and single hyphens, such as “health-2026”.')], verbose_name='address')),
                ('introduction', models.TextField(blank=True, max_length=4000, verbose_name='introduction')),
                ('consent', models.TextField(blank=True, help_text='What a respondent agrees to by taking part. Shown before the first question.', max_length=4000, verbose_name='consent')),
                ('contact', models.TextField(blank=True, help_text='Name, institution, and an address for questions.', max_length=1000, verbose_name='contact (shown to respondents)')),
                ('language', models.CharField(default='en', max_length=12, verbose_name='language')),
                ('layout', models.CharField(choices=[('one', 'One question at a time'), ('all', 'All questions on one page')], default='one', max_length=8, verbose_name='layout')),
                ('opens_at', models.DateTimeField(blank=True, null=True, verbose_name='opens')),
                ('closes_at', models.DateTimeField(blank=True, null=True, verbose_name='closes')),
                ('budget', models.DecimalField(decimal_places=4, default=Decimal('5'), help_text='What all sensitive questions together may reveal about one person, at most.', max_digits=7, validators=[django.core.validators.MinValueValidator(Decimal('0.01')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='privacy budget (total epsilon)')),
                ('budget_reason', models.TextField(blank=True, help_text='Needed where the questions add up to an epsilon above 10. Respondents and researchers read it.', max_length=500, verbose_name='why so much may be revealed')),
                ('precision_reason', models.TextField(blank=True, help_text='Needed where a margin is above 25 points at the planned number of respondents. Researchers read it.', max_length=500, verbose_name='why it is asked although little can be found')),
                ('planned_n', models.PositiveIntegerField(default=500, validators=[django.core.validators.MinValueValidator(1)], verbose_name='planned respondents')),
                ('release_threshold', models.PositiveIntegerField(default=20, help_text='Below this many responses nothing is shown to anybody; you alone see how many came in.', validators=[django.core.validators.MinValueValidator(1)], verbose_name='release threshold')),
                ('release_batch', models.PositiveIntegerField(default=5, help_text='Whatever is shown of the results, at any two moments, is the same or differs by at least this many responses, so that nobody can compare the two and single a person out. When you close, a rest of fewer stays out of the results. 1 switches it off: then each arrival shows.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)], verbose_name='release in batches of')),
                ('mode', models.CharField(choices=surveys.models.survey.mode_choices, default='open', help_text='A return code is needed if you want to ask the same people again at a higher epsilon. Only the respondent has it: a lost code cannot be recovered. Personal links are for networks: questions about who is tied to whom on a roster that you upload. It cannot be changed after launch.', max_length=12, verbose_name='how respondents are told apart')),
                ('linkage', models.CharField(choices=[('together', "Keep one person's answers together (for tables and analyses)"), ('apart', 'Store every answer apart, with no common key')], default='apart', max_length=8, verbose_name='answers of one person')),
                ('population', models.CharField(choices=[('sample', 'A larger population that the respondents are a sample of'), ('fixed', 'Exactly the people who answer, such as all employees of one firm')], default='sample', help_text='A sample carries the error of who happened to be asked as well; a whole group has only the error that chance adds.', max_length=8, verbose_name='whom the results are about')),
                ('features', models.JSONField(blank=True, default=dict, editable=False)),
                ('typed', models.JSONField(blank=True, default=None, editable=False, null=True)),
                ('results_public', models.BooleanField(default=False, help_text='Estimates, tables and models, never rows: the reports themselves are for you and the people whom you name. Respondents read this before they agree.', verbose_name='anyone with the link may see the results')),
                ('embed_origins', models.CharField(blank=True, help_text='Origins such as https://www.example.org, separated by spaces.', max_length=500, verbose_name='sites that may embed the form')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='surveys', to=settings.AUTH_USER_MODEL, verbose_name='author')),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('closed', 'Closed'), ('deleted', 'Being deleted')], default='draft', editable=False, max_length=8, verbose_name='state')),
                ('simulated_truth', models.JSONField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('archived_at', models.DateTimeField(editable=False, null=True)),
                ('researchers', models.ManyToManyField(blank=True, help_text='People who may see the results and download the reports.', related_name='readable_surveys', to=settings.AUTH_USER_MODEL, verbose_name='researchers')),
            ],
            options={
                'verbose_name': 'survey',
                'verbose_name_plural': 'surveys',
                'ordering': ['-created_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'closed', 'deleted'])), name='survey_state_known'), models.CheckConstraint(condition=models.Q(('budget__gt', 0)), name='survey_budget_positive'), models.CheckConstraint(condition=models.Q(('release_batch__gte', 1), ('release_threshold__gte', 1)), name='survey_batch_and_threshold_positive'), models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('closes_at__isnull', True), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='survey_closes_after_opening', violation_error_message='The survey must close after it opens.')],
            },
        ),
        migrations.CreateModel(
            name='Launch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='launches', to='surveys.survey')),
                ('version', models.PositiveIntegerField(default=1)),
                ('wave', models.PositiveIntegerField(default=1)),
                ('parameters', surveys.models.fields.ParametersField()),
                ('digest', models.CharField(max_length=71, unique=True)),
                ('translations', models.JSONField(blank=True, default=dict)),
                ('launched_at', models.DateTimeField(auto_now_add=True)),
                ('versions', models.PositiveSmallIntegerField(default=1, editable=False)),
                ('aggregated', models.PositiveBigIntegerField(default=0)),
                ('revision', models.PositiveBigIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'launch',
                'verbose_name_plural': 'launches',
                'constraints': [models.UniqueConstraint(fields=('survey', 'version', 'wave'), name='launch_once_per_version_and_wave'), models.CheckConstraint(condition=models.Q(('digest__startswith', 'sha256:')), name='launch_digest_is_sha256')],
            },
        ),
        migrations.CreateModel(
            name='WeightedShares',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('asked', models.PositiveBigIntegerField(default=0)),
                ('digest', models.CharField(blank=True, default='', max_length=71)),
                ('revision', models.PositiveBigIntegerField(default=0)),
                ('failed', models.PositiveBigIntegerField(default=0)),
                ('responses', models.PositiveBigIntegerField(default=0)),
                ('content', models.JSONField(default=dict)),
                ('refusal', models.TextField(blank=True, default='')),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='weighted_shares', to='surveys.launch')),
            ],
            options={
                'verbose_name': 'weighted shares',
                'verbose_name_plural': 'weighted shares',
                'constraints': [models.UniqueConstraint(fields=('launch', 'step'), name='weighted_shares_once_per_launch')],
            },
        ),
        migrations.CreateModel(
            name='AnalysisFit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('asked', models.PositiveBigIntegerField(default=0)),
                ('digest', models.CharField(blank=True, default='', max_length=71)),
                ('revision', models.PositiveBigIntegerField(default=0)),
                ('failed', models.PositiveBigIntegerField(default=0)),
                ('responses', models.PositiveBigIntegerField(default=0)),
                ('content', models.JSONField(default=dict)),
                ('refusal', models.TextField(blank=True, default='')),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='analysis_fits', to='surveys.launch')),
                ('number', models.PositiveIntegerField()),
                ('declared', models.PositiveSmallIntegerField(null=True)),
                ('specification', models.JSONField()),
                ('key', models.CharField(max_length=64)),
                ('deleted', models.BooleanField(default=False)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'fit of an analysis',
                'verbose_name_plural': 'fits of analyses',
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('launch', 'step', 'number'), name='analysis_number_once_per_launch'), models.UniqueConstraint(condition=models.Q(('declared__isnull', True)), fields=('launch', 'step', 'key'), name='exploratory_analysis_once_per_launch')],
            },
        ),
        migrations.CreateModel(
            name='Candidates',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='candidates', to='surveys.survey')),
                ('question', models.CharField(max_length=32)),
                ('number', models.PositiveIntegerField()),
                ('texts', models.JSONField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('changed_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'list of candidates',
                'verbose_name_plural': 'lists of candidates',
                'ordering': ['question', 'number'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'question', 'number'), name='candidates_numbered_by_question')],
            },
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=32)),
                ('subject', models.BigIntegerField()),
                ('state', models.CharField(choices=[('idle', 'nothing to do'), ('queued', 'waiting for a worker'), ('running', 'running'), ('done', 'done'), ('cancelled', 'cancelled'), ('failed', 'failed'), ('lost', 'lost with its worker')], default='queued', max_length=16)),
                ('progress', models.FloatField(default=0)),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('stop_requested', models.BooleanField(default=False)),
                ('message', models.TextField(blank=True, default='')),
                ('holder', models.BigIntegerField(null=True)),
                ('leased_until', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('progress__gte', 0), ('progress__lte', 1)), name='job_progress_is_a_share'), models.CheckConstraint(condition=models.Q(models.Q(('holder__isnull', False), ('leased_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('holder__isnull', True), ('leased_until__isnull', True)), _connector='OR'), name='job_has_a_lease_while_it_runs'), models.UniqueConstraint(condition=models.Q(('state__in', ['idle', 'queued', 'running'])), fields=('kind', 'subject'), name='one_unfinished_job_per_kind_and_subject')],
            },
        ),
        migrations.CreateModel(
            name='DependenceRun',
            fields=[
                ('job_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='surveys.job')),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dependence_runs', to='surveys.launch')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('digest', models.CharField(max_length=71)),
                ('revision', models.PositiveBigIntegerField(default=0)),
                ('responses', models.PositiveBigIntegerField(default=0)),
                ('content', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name': 'estimate of dependence',
                'verbose_name_plural': 'estimates of dependence',
                'ordering': ['-pk'],
            },
            bases=('surveys.job',),
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('survey', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='surveys.survey')),
                ('place', models.PositiveSmallIntegerField()),
                ('code', models.CharField(max_length=32)),
                ('name', models.CharField(blank=True, max_length=120)),
                ('group', models.CharField(blank=True, max_length=60)),
                ('link_hash', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('answered', models.BooleanField(default=False, editable=False)),
            ],
            options={
                'verbose_name': 'member of a roster',
                'verbose_name_plural': 'members of rosters',
                'ordering': ['survey', 'place'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'place'), name='member_place_unique'), models.UniqueConstraint(fields=('survey', 'code'), name='member_code_unique'), models.UniqueConstraint(condition=models.Q(('link_hash', ''), _negated=True), fields=('survey', 'link_hash'), name='member_link_unique')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='surveys.survey')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('name', models.CharField(help_text='How the question is called in downloads, such as “drug_use”.', max_length=32, validators=[django.core.validators.RegexValidator('^[a-z][a-z0-9_]{0,31}\\Z', 'Start with a lower-case letter, then letters, digits or underscores; at most 32.')], verbose_name='variable name')),
                ('kind', models.CharField(default='yes_no', max_length=32, verbose_name='kind')),
                ('text', models.TextField(max_length=1000, verbose_name='question')),
                ('help_text', models.TextField(blank=True, max_length=1000, verbose_name='help text')),
                ('options', models.JSONField(blank=True, default=list, verbose_name='options')),
                ('scale', models.JSONField(blank=True, default=None, null=True, verbose_name='range')),
                ('characters', models.PositiveSmallIntegerField(default=64, verbose_name='longest text')),
                ('candidates', models.JSONField(blank=True, default=list, verbose_name='candidates')),
                ('randomized', models.BooleanField(default=True, verbose_name='sensitive')),
                ('design', models.CharField(blank=True, default='k_rr', max_length=32, verbose_name='device')),
                ('design_parameters', models.JSONField(blank=True, default=dict)),
                ('physical_device', models.CharField(blank=True, default='', max_length=32, verbose_name="device of the respondent's own")),
                ('epsilon', models.DecimalField(blank=True, decimal_places=4, max_digits=7, null=True, validators=[django.core.validators.MaxValueValidator(100)], verbose_name='epsilon')),
                ('epsilon_reason', models.TextField(blank=True, help_text='Needed above an epsilon of 4. Respondents and researchers read it.', max_length=500, verbose_name='why it is scrambled so little')),
                ('required', models.BooleanField(default=True, verbose_name='required')),
                ('group', models.PositiveSmallIntegerField(blank=True, help_text='Questions of one group are scrambled by one draw and sent as one report.', null=True, verbose_name='sent together with')),
                ('directed', models.BooleanField(default=True, verbose_name='directed')),
                ('features', models.JSONField(blank=True, default=dict, editable=False)),
                ('typed', models.JSONField(blank=True, default=None, editable=False, null=True)),
                ('prefer_not', models.BooleanField(default=False, verbose_name='offer “prefer not to say”')),
            ],
            options={
                'verbose_name': 'question',
                'verbose_name_plural': 'questions',
                'ordering': ['position', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'name'), name='question_name_once_per_survey', violation_error_message='Two questions have the same variable name.'), models.CheckConstraint(condition=models.Q(models.Q(('epsilon__gt', 0), ('randomized', True)), models.Q(('epsilon__isnull', True), ('randomized', False)), _connector='OR'), name='question_epsilon_iff_randomized', violation_error_message='A sensitive question needs an epsilon above 0; a direct one has none.')],
            },
        ),
        migrations.CreateModel(
            name='CoAuthor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('edit', 'May edit'), ('comment', 'May read and comment'), ('read', 'May read')], max_length=8, verbose_name='role')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='co_authors', to='surveys.survey')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='co_authorships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'co-author',
                'verbose_name_plural': 'co-authors',
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'user'), name='co_author_once_per_survey'), models.CheckConstraint(condition=models.Q(('role__in', ['edit', 'comment', 'read'])), name='co_author_role_known')],
            },
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('question_name', models.CharField(blank=True, max_length=32)),
                ('text', models.TextField(max_length=2000)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('resolved_at', models.DateTimeField(null=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='comments', to='surveys.question')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'comment',
                'verbose_name_plural': 'comments',
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='comment_not_empty')],
            },
        ),
        migrations.CreateModel(
            name='Respondent',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('survey', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='respondents', to='surveys.survey')),
                ('code_hash', models.CharField(editable=False, max_length=64)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('survey', 'code_hash'), name='respondent_once_per_survey_and_code')],
            },
        ),
        migrations.CreateModel(
            name='Participation',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('respondent', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='participations', to='surveys.respondent')),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participations', to='surveys.launch')),
                ('epsilon', models.DecimalField(decimal_places=12, max_digits=20)),
                ('devices', models.JSONField(default=list)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('respondent', 'launch'), name='participation_once_per_wave')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='surveys.launch')),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('responses', models.PositiveBigIntegerField(default=0)),
                ('revision', models.PositiveBigIntegerField(default=0)),
                ('content', models.JSONField()),
                ('base', models.JSONField(default=dict)),
                ('widest_margin', models.FloatField(null=True)),
                ('digest', models.CharField(default='', max_length=64)),
                ('computed_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('launch', 'step'), name='result_once_per_step')],
            },
        ),
        migrations.CreateModel(
            name='ReviewLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('key_hash', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_links', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'link for review',
                'verbose_name_plural': 'links for review',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='RemovedQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('content', models.JSONField()),
                ('removed_at', models.DateTimeField(auto_now_add=True)),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='removed_questions', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'removed question',
                'verbose_name_plural': 'removed questions',
                'ordering': ['-removed_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begun_at', models.DateTimeField()),
                ('changed_at', models.DateTimeField()),
                ('content', models.JSONField()),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'version of a draft',
                'verbose_name_plural': 'versions of drafts',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='DrawnFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drawn_figures', to='surveys.launch')),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('language', models.CharField(max_length=12)),
                ('texts', models.CharField(blank=True, default='', max_length=12)),
                ('version', models.CharField(max_length=64)),
                ('revision', models.PositiveBigIntegerField()),
                ('claimed_at', models.DateTimeField()),
                ('text', models.TextField(default='')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('launch', 'step', 'language', 'texts'), name='figures_once_per_step_and_languages')],
            },
        ),
        migrations.CreateModel(
            name='ReleaseFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('maker', models.CharField(max_length=32)),
                ('name', models.CharField(max_length=100)),
                ('variant', models.CharField(blank=True, default='', max_length=60)),
                ('asked', models.CharField(default='', max_length=64)),
                ('version', models.CharField(default='', max_length=64)),
                ('stored', models.CharField(default='', max_length=200)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='surveys.launch')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('launch', 'step', 'maker', 'name', 'variant'), name='release_file_once_per_step_name_and_variant')],
            },
        ),
        migrations.CreateModel(
            name='RowDownload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='row_downloads', to='surveys.survey')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('name', models.CharField(max_length=150)),
                ('file', models.CharField(max_length=100)),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('responses', models.PositiveBigIntegerField()),
                ('downloaded_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'download of reports',
                'verbose_name_plural': 'downloads of reports',
                'ordering': ['-downloaded_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='DesignSearch',
            fields=[
                ('job_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='surveys.job')),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='searches', to='surveys.question')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('request', models.JSONField()),
                ('content', models.JSONField(default=dict)),
            ],
            options={
                'verbose_name': 'design search',
                'verbose_name_plural': 'design searches',
                'ordering': ['-pk'],
            },
            bases=('surveys.job',),
        ),
        migrations.CreateModel(
            name='Receipt',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('submission', models.UUIDField(editable=False, unique=True)),
                ('launch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='receipts', to='surveys.launch')),
            ],
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='inbox', to='surveys.launch')),
                ('content', models.JSONField()),
                ('quarantined', models.BooleanField(default=False)),
                ('respondent', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='waiting', to='surveys.respondent')),
                ('replaces', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='surveys.launch')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('respondent__isnull', False)), fields=['respondent'], name='submission_by_respondent')],
            },
        ),
        migrations.CreateModel(
            name='ReportSet',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('launch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='report_sets', to='surveys.launch')),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('content', models.JSONField()),
                ('pattern', models.TextField(editable=False, null=True)),
                ('respondent', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='report_sets', to='surveys.respondent')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('pattern__isnull', False)), fields=['launch', 'step', 'pattern'], name='report_set_by_pattern')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('respondent__isnull', False)), fields=('respondent',), name='report_set_once_per_respondent')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='surveys.launch')),
                ('step', models.PositiveSmallIntegerField(default=0)),
                ('table', models.CharField(max_length=200)),
                ('stratum', models.CharField(max_length=100)),
                ('counts', models.JSONField()),
            ],
            options={
                'verbose_name_plural': 'tallies',
                'constraints': [models.UniqueConstraint(fields=('launch', 'step', 'table', 'stratum'), name='tally_once_per_table_and_stratum')],
            },
        ),
        migrations.CreateModel(
            name='WrittenText',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('launch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='surveys.launch')),
                ('question', models.CharField(max_length=32)),
                ('text', models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name='SiteNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=12, unique=True, verbose_name='language')),
                ('host', models.TextField(blank=True, help_text='The institution, where its servers stand, and how to reach it.', max_length=2000, verbose_name='who runs this site')),
                ('law', models.TextField(blank=True, help_text='On what it rests that answers are processed, the data protection officer, and where to complain.', max_length=2000, verbose_name='the law that applies')),
                ('retention', models.TextField(blank=True, help_text='When surveys, responses and backups are deleted.', max_length=2000, verbose_name='how long answers are kept')),
                ('withdrawal', models.TextField(blank=True, help_text='What can be asked of you beyond what the page says by itself: it tells what cannot be withdrawn, and why.', max_length=2000, verbose_name='taking an answer back')),
            ],
            options={
                'verbose_name': 'text of the site',
                'verbose_name_plural': 'texts of the site: who asks',
                'ordering': ['language'],
            },
        ),
        migrations.CreateModel(
            name='Tier',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tiers', to='surveys.survey')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('name', models.CharField(help_text='Who reads this version, such as “the public”. Respondents read it too.', max_length=60, verbose_name='name')),
                ('share', models.DecimalField(decimal_places=4, help_text='How much of the epsilon of each question this tier gets, such as 0.25; 1 in the highest tier.', max_digits=5, validators=[django.core.validators.MinValueValidator(Decimal('0.01')), django.core.validators.MaxValueValidator(1)], verbose_name='share of every epsilon')),
                ('readers', models.ManyToManyField(blank=True, related_name='readable_tiers', to=settings.AUTH_USER_MODEL, verbose_name='readers')),
            ],
            options={
                'verbose_name': 'tier',
                'verbose_name_plural': 'tiers',
                'ordering': ['survey', 'position', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'name'), name='tier_name_unique'), models.CheckConstraint(condition=models.Q(('share__gt', 0), ('share__lte', 1)), name='tier_share_a_share')],
            },
        ),
        migrations.CreateModel(
            name='Transition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transitions', to='surveys.survey')),
                ('source', models.CharField(max_length=8)),
                ('target', models.CharField(max_length=8)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'ordering': ['at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('key_hash', models.CharField(max_length=64, unique=True)),
                ('tail', models.CharField(max_length=4)),
                ('scopes', models.JSONField(default=list)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('last_used_on', models.DateField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'token for programs',
                'verbose_name_plural': 'tokens for programs',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('events', models.JSONField(default=list)),
                ('nonce', models.CharField(max_length=43)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('disabled_at', models.DateTimeField(null=True)),
                ('survey', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='surveys.survey')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=128)),
                ('request_hash', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('headers', models.JSONField(default=dict)),
                ('body', models.TextField(blank=True, default='')),
                ('kept', models.BooleanField(default=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('token', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='surveys.apitoken')),
            ],
            options={
                'verbose_name': 'answer to a program',
                'verbose_name_plural': 'answers to programs',
                'constraints': [models.UniqueConstraint(fields=('token', 'key'), name='stored_answer_key_unique'), models.CheckConstraint(condition=models.Q(('kept', True), ('body', ''), _connector='OR'), name='stored_answer_with_a_secret_has_no_body')],
            },
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event_id', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('event', models.CharField(choices=[('survey.launched', 'A survey was launched'), ('survey.closed', 'A survey was closed'), ('results.released', 'New results were released'), ('fit.ready', 'An analysis is ready')], max_length=32)),
                ('body', models.TextField()),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('due_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('delivered_at', models.DateTimeField(null=True)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('failure', models.CharField(blank=True, default='', max_length=32)),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='surveys.webhook')),
            ],
            options={
                'verbose_name': 'message of a webhook',
                'verbose_name_plural': 'messages of webhooks',
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='webhook_delivery_due')],
                'constraints': [models.CheckConstraint(condition=models.Q(('due_at__isnull', True), ('delivered_at__isnull', True), _connector='OR'), name='webhook_delivery_is_due_or_over')],
            },
        ),
        Statements(create, drop),
    ]
