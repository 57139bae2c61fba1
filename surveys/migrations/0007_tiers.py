"""Tiers: who reads which report of a chain; they freeze with their survey."""

from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

from surveys.migrations._freeze import Statements, row_freezer, row_thaw


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0006_scale'),
    ]

    operations = [
        migrations.CreateModel(
            name='Tier',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('name', models.CharField(help_text='Who reads this version, such as “the public”. Respondents read it too.', max_length=60, verbose_name='name')),
                ('share', models.DecimalField(decimal_places=4, help_text='How much of the epsilon of each question this tier gets, such as 0.25; 1 in the highest tier.', max_digits=5, validators=[django.core.validators.MinValueValidator(Decimal('0.01')), django.core.validators.MaxValueValidator(1)], verbose_name='share of every epsilon')),
                ('survey', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tiers', to='surveys.survey')),
            ],
            options={
                'verbose_name': 'tier',
                'verbose_name_plural': 'tiers',
                'ordering': ['survey', 'position', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('survey', 'name'), name='tier_name_unique'), models.CheckConstraint(condition=models.Q(('share__gt', 0), ('share__lte', 1)), name='tier_share_a_share')],
            },
        ),
        Statements(row_freezer("tier"), row_thaw("tier")),
    ]
