"""The files about a release that workers have made."""

from django.db import models

from surveys.models.launch import Launch


class ReleaseFile(models.Model):
    """A file about the results of a launch, kept until the next release or somewhat longer.

    `maker`: the name of the `surveys.services.release_files.Maker`; `name`: that of the file, such
    as "reports.csv"; `variant`: which of several files of this name. `asked`: the version that
    somebody has asked for. `version`: that of the file in the storage of files, under the name
    `stored`; both are empty until one is made.

    `responses`, `revision` and `computed_at` are those of its release, and `made_at` is when it was
    stored. `basis`: a keyed hash of its version and of all that later releases have to agree with
    for the file to be offered beside them. It is empty where the program before has made the file.
    """

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="files")
    step = models.PositiveSmallIntegerField(default=0)
    maker = models.CharField(max_length=32)
    name = models.CharField(max_length=100)
    variant = models.CharField(max_length=60, default="", blank=True)
    asked = models.CharField(max_length=64, default="")
    version = models.CharField(max_length=64, default="")
    stored = models.CharField(max_length=200, default="")
    size = models.PositiveBigIntegerField(default=0)
    responses = models.PositiveBigIntegerField(default=0, db_default=0)
    revision = models.PositiveBigIntegerField(default=0, db_default=0)
    computed_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(null=True)
    basis = models.CharField(max_length=64, default="", db_default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["launch", "step", "maker", "name", "variant"],
                name="release_file_once_per_step_name_and_variant",
            )
        ]

    def __str__(self) -> str:
        return f"{self.launch_id}: {self.name} {self.version[:15]}"
