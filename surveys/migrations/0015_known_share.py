"""The known share of a control item; it freezes with its survey, as every field of a question."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('surveys', '0014_analysis_fits'),
    ]

    operations = [
        # SQLite adds a column without rebuilding the table, so its triggers stay as they are.
        migrations.AddField(
            model_name='question',
            name='known_share',
            field=models.DecimalField(blank=True, decimal_places=12, max_digits=13, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)], verbose_name='known share of “Yes”'),
        ),
    ]
