"""Figures are drawn when somebody asks for them; the results have a digest that names them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("surveys", "0003_report_sets_by_launch")]

    operations = [
        migrations.RemoveField(model_name="result", name="figures"),
        migrations.AddField(
            model_name="result",
            name="digest",
            field=models.CharField(default="", max_length=64),
        ),
        migrations.CreateModel(
            name="DrawnFigures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("language", models.CharField(max_length=12)),
                ("version", models.CharField(max_length=64)),
                ("responses", models.PositiveBigIntegerField()),
                ("claimed_at", models.DateTimeField()),
                ("text", models.TextField(default="")),
                (
                    "launch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawn_figures",
                        to="surveys.launch",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("launch", "language"), name="figures_once_per_launch_and_language"
                    )
                ],
            },
        ),
    ]
