"""A question of a draft survey; after launch only the frozen parameters are used."""

from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from surveys.drafts import Membership
from surveys.models.survey import Survey

# The planned respondents of a new survey.
USUAL_PLANNED = 500
NAME_RULE = RegexValidator(
    r"^[a-z][a-z0-9_]{0,31}\Z",
    _("Start with a lower-case letter, then letters, digits or underscores; at most 32."),
)


class Question(models.Model):
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    name = models.CharField(
        _("variable name"),
        max_length=32,
        validators=[NAME_RULE],
        help_text=_("How the question is called in downloads, such as “drug_use”."),
    )
    # Kinds and devices are registered in `surveys.kinds` and `surveys.devices`; as they are no
    # choices of the field, a new one needs no migration.
    kind = models.CharField(_("kind"), max_length=32, default="yes_no")
    text = models.TextField(_("question"), max_length=1000)
    help_text = models.TextField(_("help text"), blank=True, max_length=1000)
    options = models.JSONField(_("options"), default=list, blank=True)
    # The scale of a number, as the parameters have it; none for all other kinds.
    scale = models.JSONField(_("range"), null=True, default=None, blank=True)
    # The longest text, and the candidates that its results begin with; of no other kind.
    characters = models.PositiveSmallIntegerField(_("longest text"), default=64)
    candidates = models.JSONField(_("candidates"), default=list, blank=True)
    randomized = models.BooleanField(_("sensitive"), default=True)
    design = models.CharField(_("device"), max_length=32, default="k_rr", blank=True)
    design_parameters = models.JSONField(default=dict, blank=True)
    # Name of a physical randomizer that is offered beside the page's; a table in
    # `surveys.devices.physical`.
    physical_device = models.CharField(
        _("device of the respondent's own"), max_length=32, blank=True, default=""
    )
    epsilon = models.DecimalField(
        _("epsilon"),
        max_digits=7,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MaxValueValidator(100)],
    )
    epsilon_reason = models.TextField(
        _("why it is scrambled so little"),
        blank=True,
        max_length=500,
        help_text=_("Needed above an epsilon of 4. Respondents and researchers read it."),
    )
    required = models.BooleanField(_("required"), default=True)
    # A number that questions share which share a draw; none for a question on its own.
    group = models.PositiveSmallIntegerField(
        _("sent together with"),
        null=True,
        blank=True,
        help_text=_("Questions of one group are scrambled by one draw and sent as one report."),
    )
    # Whether a tie that goes out to somebody is another than one that comes in from them, as who
    # lends to whom; only for a question about ties.
    directed = models.BooleanField(_("directed"), default=True)
    # The settings of features, by their names (surveys/features/settings.py).
    features = models.JSONField(default=dict, blank=True, editable=False)
    # What was typed and is not right yet, or was changed on both sides (surveys/forms/sheets.py).
    typed = models.JSONField(null=True, default=None, blank=True, editable=False)
    # Known of a question that was read with the others of its survey; nothing is stored.
    membership: Membership | None = None
    prefer_not = models.BooleanField(_("offer “prefer not to say”"), default=False)

    class Meta:
        ordering = ["position", "pk"]
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        constraints = [
            models.UniqueConstraint(
                fields=["survey", "name"],
                name="question_name_once_per_survey",
                violation_error_message=_("Two questions have the same variable name."),
            ),
            models.CheckConstraint(
                name="question_epsilon_iff_randomized",
                condition=Q(randomized=True, epsilon__gt=0)
                | Q(randomized=False, epsilon__isnull=True),
                violation_error_message=_(
                    "A sensitive question needs an epsilon above 0; a direct one has none."
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.text[:60]}"

    @property
    def planned_n(self) -> int:
        """How many people are expected to answer; the usual number before there is a survey."""
        return self.survey.planned_n if self.survey_id else USUAL_PLANNED

    @property
    def members(self) -> int:
        """How many people the survey knows and asks about each other; 0 of all other surveys."""
        return self.survey.member_count if self.survey_id else 0

    @property
    def survey_features(self) -> dict[str, Any] | None:
        """Return what its survey has set for features; None before there is a survey."""
        return self.survey.features if self.survey_id else None

    @property
    def known_epsilon(self) -> Decimal:
        """The epsilon of a randomized question whose draft is complete, else None."""
        if self.epsilon is None:
            raise ValueError(f"question {self.name} has no epsilon")
        return self.epsilon
