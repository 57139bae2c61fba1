"""The latest estimates of a launch, a pure function of its parameters and tallies, and its
figures.
"""

from django.db import models

from surveys.models.launch import Launch


class Result(models.Model):
    """`step` counts the versions of the reports from 0, the lowest; of one version it is 0."""

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="results")
    step = models.PositiveSmallIntegerField(default=0)
    # People in these estimates.
    responses = models.PositiveBigIntegerField(default=0)
    # The revision of the tallies; the result lags behind while launch.revision is larger.
    revision = models.PositiveBigIntegerField(default=0)
    content = models.JSONField()
    # The people whom numbers about several answers together leave out, in no file and on no page
    # (`surveys.results.described`).
    base = models.JSONField(default=dict)
    # Half the width of the widest interval of a share, for the list of surveys; None without any.
    widest_margin = models.FloatField(null=True)
    # The digest of `content`: equal numbers have equal digests.
    digest = models.CharField(max_length=64, default="")
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["launch", "step"], name="result_once_per_step")
        ]

    def __str__(self) -> str:
        return f"{self.launch_id}: {self.responses}"


class DrawnFigures(models.Model):
    """The figures of a launch's results in one language, kept as they are served.

    `text` is empty while the process that set `claimed_at` draws.
    """

    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="drawn_figures")
    step = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=12)
    # The language of the author's texts; empty for that of the survey.
    texts = models.CharField(max_length=12, default="", blank=True)
    # The drawn version, and the revision of its tallies: the larger one is newer.
    version = models.CharField(max_length=64)
    revision = models.PositiveBigIntegerField()
    claimed_at = models.DateTimeField()
    text = models.TextField(default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["launch", "step", "language", "texts"],
                name="figures_once_per_step_and_languages",
            )
        ]

    def __str__(self) -> str:
        return f"{self.launch_id}: {self.language} {self.version[:15]}"
