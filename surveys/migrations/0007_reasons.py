"""Why a survey or a question reveals more than the limits; frozen with all else."""

import importlib

from django.db import migrations, models

from surveys.migrations._freeze import freezer, thaw

BEFORE = importlib.import_module("surveys.migrations.0003_devices_and_tables").AFTER
AFTER = (*BEFORE, "budget_reason")


class Migration(migrations.Migration):
    dependencies = [("surveys", "0006_report_sets_in_key_order")]

    operations = [
        migrations.RunPython(thaw, freezer(BEFORE), elidable=False),
        migrations.AddField(
            model_name="question",
            name="epsilon_reason",
            field=models.TextField(
                blank=True,
                default="",
                help_text="Needed above an epsilon of 4. Respondents and researchers read it.",
                max_length=500,
                verbose_name="why it is scrambled so little",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="survey",
            name="budget_reason",
            field=models.TextField(
                blank=True,
                default="",
                help_text="Needed where the questions add up to an epsilon above 10. Respondents "
                "and researchers read it.",
                max_length=500,
                verbose_name="why so much may be revealed",
            ),
            preserve_default=False,
        ),
        migrations.RunPython(freezer(AFTER), thaw, elidable=False),
    ]
