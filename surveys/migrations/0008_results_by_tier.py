"""Results by tier: tallies, report sets, results and figures of each rung, and who reads it."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0007_tiers'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='drawnfigures',
            name='figures_once_per_launch_and_language',
        ),
        migrations.RemoveConstraint(
            model_name='tally',
            name='tally_once_per_table_and_stratum',
        ),
        migrations.AddField(
            model_name='drawnfigures',
            name='rung',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='reportset',
            name='rung',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='result',
            name='rung',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tally',
            name='rung',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='tier',
            name='readers',
            field=models.ManyToManyField(blank=True, related_name='readable_tiers', to=settings.AUTH_USER_MODEL, verbose_name='readers'),
        ),
        migrations.AlterField(
            model_name='result',
            name='launch',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='surveys.launch'),
        ),
        migrations.AddConstraint(
            model_name='drawnfigures',
            constraint=models.UniqueConstraint(fields=('launch', 'rung', 'language'), name='figures_once_per_rung_and_language'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(fields=('launch', 'rung'), name='result_once_per_rung'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(fields=('launch', 'rung', 'table', 'stratum'), name='tally_once_per_table_and_stratum'),
        ),
    ]
