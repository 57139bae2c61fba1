"""Choice of device, devices of the respondent's own, declared cross-tables, whom results are about."""

import importlib

from django.db import migrations, models

from surveys.migrations._freeze import freezer, thaw

BEFORE = importlib.import_module("surveys.migrations.0002_freeze").SHAPING
AFTER = (*BEFORE, "population", "cross_tables")
POPULATIONS = [
    ("sample", "A larger population that the respondents are a sample of"),
    ("fixed", "Exactly the people who answer, such as all employees of one firm"),
]
POPULATION_HELP = (
    "A sample carries the error of who happened to be asked as well; a whole group has "
    "only the error that chance adds."
)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0002_freeze")]

    operations = [
        migrations.RunPython(thaw, freezer(BEFORE), elidable=False),
        migrations.AddField(
            model_name="question",
            name="own_device",
            field=models.CharField(
                blank=True,
                default="",
                max_length=32,
                verbose_name="device of the respondent's own",
            ),
        ),
        migrations.AddField(
            model_name="survey",
            name="cross_tables",
            field=models.JSONField(blank=True, default=list, verbose_name="cross-tables"),
        ),
        migrations.AddField(
            model_name="survey",
            name="population",
            field=models.CharField(
                choices=POPULATIONS,
                default="sample",
                help_text=POPULATION_HELP,
                max_length=8,
                verbose_name="whom the results are about",
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="design",
            field=models.CharField(
                blank=True, default="k_rr", max_length=32, verbose_name="device"
            ),
        ),
        migrations.AlterField(
            model_name="question",
            name="design_parameters",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AlterField(
            model_name="tally",
            name="stratum",
            field=models.CharField(max_length=100),
        ),
        migrations.RunPython(freezer(AFTER), thaw, elidable=False),
    ]
