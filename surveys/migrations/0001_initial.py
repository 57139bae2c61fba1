import django.core.validators
import django.db.models.deletion
import surveys.models.fields
from decimal import Decimal
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Launch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=1)),
                ('wave', models.PositiveIntegerField(default=1)),
                ('parameters', surveys.models.fields.ParametersField()),
                ('digest', models.CharField(max_length=71, unique=True)),
                ('translations', models.JSONField(blank=True, default=dict)),
                ('launched_at', models.DateTimeField(auto_now_add=True)),
                ('aggregated', models.PositiveBigIntegerField(default=0)),
            ],
            options={
                'verbose_name': 'launch',
                'verbose_name_plural': 'launches',
            },
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
            name='ReportSet',
            fields=[
                ('id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('content', models.JSONField()),
                ('launch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='report_sets', to='surveys.launch')),
            ],
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('responses', models.PositiveBigIntegerField(default=0)),
                ('content', models.JSONField()),
                ('figures', models.JSONField(default=dict)),
                ('computed_at', models.DateTimeField(auto_now=True)),
                ('launch', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='result', to='surveys.launch')),
            ],
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('content', models.JSONField()),
                ('quarantined', models.BooleanField(default=False)),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='inbox', to='surveys.launch')),
            ],
        ),
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
                ('budget', models.DecimalField(decimal_places=4, default=Decimal('3'), help_text='What all sensitive questions together may reveal about one person, at most.', max_digits=7, validators=[django.core.validators.MinValueValidator(Decimal('0.01')), django.core.validators.MaxValueValidator(Decimal('100'))], verbose_name='privacy budget (total epsilon)')),
                ('budget_reason', models.TextField(blank=True, help_text='Needed where the questions add up to an epsilon above 10. Respondents and researchers read it.', max_length=500, verbose_name='why so much may be revealed')),
                ('planned_n', models.PositiveIntegerField(default=500, validators=[django.core.validators.MinValueValidator(1)], verbose_name='planned respondents')),
                ('release_threshold', models.PositiveIntegerField(default=20, help_text='Below this many responses nothing is shown to anybody; you alone see how many came in.', validators=[django.core.validators.MinValueValidator(1)], verbose_name='release threshold')),
                ('release_batch', models.PositiveIntegerField(default=5, help_text='Whatever is shown of the results, at any two moments, is the same or differs by at least this many responses, so that nobody can compare the two and single a person out. When you close, a rest of fewer stays out of the results. 1 switches it off: then each arrival shows.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)], verbose_name='release in batches of')),
                ('linkage', models.CharField(choices=[('together', "Keep one person's answers together (needed for cross-tables)"), ('apart', 'Store every answer apart, with no common key')], default='apart', max_length=8, verbose_name='answers of one person')),
                ('population', models.CharField(choices=[('sample', 'A larger population that the respondents are a sample of'), ('fixed', 'Exactly the people who answer, such as all employees of one firm')], default='sample', help_text='A sample carries the error of who happened to be asked as well; a whole group has only the error that chance adds.', max_length=8, verbose_name='whom the results are about')),
                ('cross_tables', models.JSONField(blank=True, default=list, verbose_name='cross-tables')),
                ('results_public', models.BooleanField(default=False, verbose_name='anyone with the link may see the results')),
                ('embed_origins', models.CharField(blank=True, help_text='Origins such as https://www.example.org, separated by spaces.', max_length=500, verbose_name='sites that may embed the form')),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('closed', 'Closed'), ('deleted', 'Being deleted')], default='draft', editable=False, max_length=8, verbose_name='state')),
                ('simulated_truth', models.JSONField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='surveys', to=settings.AUTH_USER_MODEL, verbose_name='author')),
                ('researchers', models.ManyToManyField(blank=True, help_text='People who may see the results and download the reports.', related_name='readable_surveys', to=settings.AUTH_USER_MODEL, verbose_name='researchers')),
            ],
            options={
                'verbose_name': 'survey',
                'verbose_name_plural': 'surveys',
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('name', models.CharField(help_text='How the question is called in downloads, such as “drug_use”.', max_length=32, validators=[django.core.validators.RegexValidator('^[a-z][a-z0-9_]{0,31}\\Z', 'Start with a lower-case letter, then letters, digits or underscores; at most 32.')], verbose_name='variable name')),
                ('kind', models.CharField(default='yes_no', max_length=32, verbose_name='kind')),
                ('text', models.TextField(max_length=1000, verbose_name='question')),
                ('help_text', models.TextField(blank=True, max_length=1000, verbose_name='help text')),
                ('options', models.JSONField(blank=True, default=list, verbose_name='options')),
                ('randomized', models.BooleanField(default=True, verbose_name='sensitive')),
                ('design', models.CharField(blank=True, default='k_rr', max_length=32, verbose_name='device')),
                ('design_parameters', models.JSONField(blank=True, default=dict)),
                ('physical_device', models.CharField(blank=True, default='', max_length=32, verbose_name="device of the respondent's own")),
                ('epsilon', models.DecimalField(blank=True, decimal_places=4, max_digits=7, null=True, validators=[django.core.validators.MaxValueValidator(100)], verbose_name='epsilon')),
                ('epsilon_reason', models.TextField(blank=True, help_text='Needed above an epsilon of 4. Respondents and researchers read it.', max_length=500, verbose_name='why it is scrambled so little')),
                ('required', models.BooleanField(default=True, verbose_name='required')),
                ('prefer_not', models.BooleanField(default=False, verbose_name='offer “prefer not to say”')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'question',
                'verbose_name_plural': 'questions',
                'ordering': ['position', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='launch',
            name='survey',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='launches', to='surveys.survey'),
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.CharField(max_length=200)),
                ('stratum', models.CharField(max_length=100)),
                ('counts', models.JSONField()),
                ('launch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='surveys.launch')),
            ],
            options={
                'verbose_name_plural': 'tallies',
            },
        ),
        migrations.CreateModel(
            name='Transition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(max_length=8)),
                ('target', models.CharField(max_length=8)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transitions', to='surveys.survey')),
            ],
            options={
                'ordering': ['at', 'pk'],
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
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('progress__gte', 0), ('progress__lte', 1)), name='job_progress_is_a_share'),
                    models.CheckConstraint(condition=models.Q(models.Q(('holder__isnull', False), ('leased_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('holder__isnull', True), ('leased_until__isnull', True)), _connector='OR'), name='job_has_a_lease_while_it_runs'),
                    models.UniqueConstraint(condition=models.Q(('state__in', ['idle', 'queued', 'running'])), fields=('kind', 'subject'), name='one_unfinished_job_per_kind_and_subject'),
                ],
            },
        ),
        migrations.CreateModel(
            name='DesignSearch',
            fields=[
                ('job_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='surveys.job')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('request', models.JSONField()),
                ('content', models.JSONField(default=dict)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='searches', to='surveys.question')),
            ],
            options={
                'verbose_name': 'design search',
                'verbose_name_plural': 'design searches',
                'ordering': ['-pk'],
            },
            bases=('surveys.job',),
        ),
        migrations.AddConstraint(
            model_name='survey',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'closed', 'deleted'])), name='survey_state_known'),
        ),
        migrations.AddConstraint(
            model_name='survey',
            constraint=models.CheckConstraint(condition=models.Q(('budget__gt', 0)), name='survey_budget_positive'),
        ),
        migrations.AddConstraint(
            model_name='survey',
            constraint=models.CheckConstraint(condition=models.Q(('release_batch__gte', 1), ('release_threshold__gte', 1)), name='survey_batch_and_threshold_positive'),
        ),
        migrations.AddConstraint(
            model_name='survey',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('closes_at__isnull', True), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='survey_closes_after_opening', violation_error_message='The survey must close after it opens.'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.UniqueConstraint(fields=('survey', 'name'), name='question_name_once_per_survey', violation_error_message='Two questions have the same variable name.'),
        ),
        migrations.AddConstraint(
            model_name='question',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('epsilon__gt', 0), ('randomized', True)), models.Q(('epsilon__isnull', True), ('randomized', False)), _connector='OR'), name='question_epsilon_iff_randomized', violation_error_message='A sensitive question needs an epsilon above 0; a direct one has none.'),
        ),
        migrations.AddConstraint(
            model_name='launch',
            constraint=models.UniqueConstraint(fields=('survey', 'version', 'wave'), name='launch_once_per_version_and_wave'),
        ),
        migrations.AddConstraint(
            model_name='launch',
            constraint=models.CheckConstraint(condition=models.Q(('digest__startswith', 'sha256:')), name='launch_digest_is_sha256'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(fields=('launch', 'table', 'stratum'), name='tally_once_per_table_and_stratum'),
        ),
    ]
