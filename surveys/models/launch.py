"""The frozen parameters of a survey: what respondents were shown and what the estimator uses."""

import functools
from copy import copy
from typing import Any, NamedTuple

from django.db import connection, models
from django.db.models import ExpressionWrapper, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from surveys.models.fields import ParametersField
from surveys.models.survey import Survey, accepting_at
from surveys.parameters import (
    OPEN,
    Parameters,
    ServedParameters,
    digest_of,
    in_language,
    texts_by_path,
)
from surveys.parameters.steps import at_step, versions_of


class InForce(NamedTuple):
    """The fields of a launch that are needed to accept a response."""

    pk: int
    digest: str
    accepting: bool


class LaunchQuerySet(models.QuerySet["Launch"]):
    def kept(self) -> "LaunchQuerySet":
        """Those of the surveys that there are, without those that are being deleted."""
        return self.exclude(survey__state=Survey.State.DELETED)

    def in_force(self, slug: str) -> InForce | None:
        """The newest launch at this address, by one statement that is composed once."""
        with connection.cursor() as cursor:
            cursor.execute(*in_force_statement(slug))
            row = cursor.fetchone()
        return InForce(row[0], row[1], bool(row[2])) if row else None


_ANY_SLUG = "(slug)"


def in_force_statement(slug: str) -> tuple[str, tuple[Any, ...]]:
    """SQL for key, digest and acceptance of the newest launch at this address."""
    sql, values = _statement()
    return sql, tuple(slug if value == _ANY_SLUG else value for value in values)


@functools.cache
def _statement() -> tuple[str, tuple[Any, ...]]:
    """The compiled query: compiling it for each response would take a third of the time."""
    accepting = ExpressionWrapper(
        accepting_at(Now(), path="survey__"), output_field=models.BooleanField()
    )
    newest_first = Launch.objects.filter(survey__slug=_ANY_SLUG).order_by("-version", "-wave")
    rows = newest_first.annotate(accepts=accepting).values_list("pk", "digest", "accepts")
    return rows[:1].query.sql_with_params()


@functools.lru_cache(maxsize=256)
def parameters_of(digest: str) -> Parameters:
    """The parameters under a digest, which never change, cached per process."""
    return Launch.objects.values_list("parameters", flat=True).get(digest=digest)


@functools.lru_cache(maxsize=64)
def _on_step(parameters: Parameters, step: int) -> tuple[Parameters, str]:
    """Return what the readers of a step see of frozen parameters, and its digest."""
    own = at_step(parameters, step)
    return own, digest_of(own)


class Launch(models.Model):
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="launches")
    version = models.PositiveIntegerField(default=1)
    wave = models.PositiveIntegerField(default=1)
    # A database trigger refuses any update of these two.
    parameters = ParametersField()
    digest = models.CharField(max_length=71, unique=True)
    # Texts in other languages, outside the digest so that languages can be added later.
    translations = models.JSONField(default=dict, blank=True)
    launched_at = models.DateTimeField(auto_now_add=True)
    # How many results there are of each moment: one for each version of the reports.
    versions = models.PositiveSmallIntegerField(default=1, editable=False)
    # The number of responses in the tallies; those not aggregated yet are rows of the inbox.
    # Fewer when people are asked again: their reports of an earlier wave are taken out.
    aggregated = models.PositiveBigIntegerField(default=0)
    # The number of responses that ever entered results of this wave or an earlier one: it only
    # grows, and names the state of the tallies.
    revision = models.PositiveBigIntegerField(default=0)

    # The language of the author's texts, of a launch that `in_language` has returned.
    language = ""

    objects = LaunchQuerySet.as_manager()

    class Meta:
        verbose_name = _("launch")
        verbose_name_plural = _("launches")
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "version", "wave"], name="launch_once_per_version_and_wave"
            ),
            models.CheckConstraint(
                name="launch_digest_is_sha256", condition=Q(digest__startswith="sha256:")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.survey.slug} v{self.version} w{self.wave} {self.digest[:15]}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding:
            self.versions = len(self.steps)
        super().save(*args, **kwargs)

    @property
    def accepting(self) -> bool:
        """Whether responses are accepted; with `pk` and `digest` a field of `InForce`."""
        return self.survey.accepts_responses()

    def waves(self) -> "models.QuerySet[Launch]":
        """This wave and the earlier ones that it continues, in their order."""
        waves = Launch.objects.filter(survey=self.survey_id, version=self.version)
        return waves.filter(wave__lte=self.wave).order_by("wave")

    def told_waves(self) -> "list[Launch]":
        """The same, for the readers of this one's language."""
        return [wave.in_language(self.language) for wave in self.waves()]

    def source_of(self, wave: int) -> str:
        """The name of a wave's reports among those that are pooled in the results of this one."""
        return "" if wave == self.wave else str(wave)

    def is_newest(self) -> bool:
        """Whether no later wave has taken its place; of open links there is none."""
        if self.parameters.mode == OPEN:
            return True
        return not Launch.objects.filter(survey=self.survey_id, wave__gt=self.wave).exists()

    @property
    def steps(self) -> range:
        """The steps on which its reports are kept, one for each version; of one version only 0."""
        return range(len(versions_of(self.parameters)) or 1)

    def in_language(self, language: str) -> "Launch":
        """Return the launch for readers of a language: `told` and `parameters_at` have its texts.

        It has those of the survey where there is no such translation, and where `language` is
        empty. Nothing else about it is another one.
        """
        other = copy(self)
        other.language = language if language in self.translations else ""
        other.__dict__.pop("told", None)
        return other

    @functools.cached_property
    def told(self) -> Parameters:
        """The parameters in the language of the readers."""
        if not self.language:
            return self.parameters
        return in_language(self.parameters, self.language, self.translations[self.language])

    def parameters_at(self, step: int) -> Parameters:
        """The parameters of an ordinary survey that has this step's devices only."""
        return _on_step(self.told, step)[0] if versions_of(self.parameters) else self.told

    def digest_at(self, step: int) -> str:
        """The digest of `parameters_at`; where all read alike that of the launch."""
        return _on_step(self.parameters, step)[1] if versions_of(self.parameters) else self.digest

    def served_at(self, step: int) -> ServedParameters:
        """The document that this step's readers get, with the texts that it has."""
        own = self.in_language("").parameters_at(step)
        paths = texts_by_path(own)
        translations = {
            language: {path: text for path, text in texts.items() if path in paths}
            for language, texts in self.translations.items()
        }
        return ServedParameters(own, self.digest_at(step), translations)

    @property
    def document(self) -> dict[str, Any]:
        """The parameters as served, in plain JSON types."""
        return self.served_parameters.document()

    @property
    def served_parameters(self) -> ServedParameters:
        return ServedParameters(self.parameters, self.digest, self.translations)

    def waiting(self) -> int:
        """The number of acknowledged responses that are not in the tallies yet."""
        return self.inbox.waiting().count()

    def waiting_by_wave(self) -> list[int]:
        """Return `waiting` by the wave whose reports are replaced: they enter the results apart."""
        waiting = self.inbox.waiting().values("replaces").annotate(number=models.Count("*"))
        return list(waiting.values_list("number", flat=True))

    def received_count(self) -> int:
        return self.aggregated + self.waiting()

    def in_tallies(self) -> int:
        """The number of people in the tallies of this wave and the earlier ones."""
        if self.wave == 1:
            return self.aggregated
        return self.waves().aggregate(total=models.Sum("aggregated"))["total"]
