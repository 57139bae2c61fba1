"""A survey: its texts, schedule, budget and readers."""

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property, lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys.features import FEATURES, mode_of, modes_of_features
from surveys.parameters import OPEN

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User
    from django_stubs_ext import StrOrPromise

SLUG_RULE = RegexValidator(
    r"^[a-z0-9]+(-[a-z0-9]+)*\Z",
    _("Use lower-case letters, digits and single hyphens, such as “health-2026”."),
)


def mode_choices() -> "list[tuple[str, StrOrPromise]]":
    """Return how respondents can be told apart: not at all, or in the way of a feature."""
    open_link = _("Open link: anyone who has it can answer, once in each browser")
    return [(OPEN, open_link), *((mode.value, mode.label) for mode in modes_of_features())]


def label_of_mode(value: str) -> str:
    """Return what an author chooses for this mode."""
    return str(dict(mode_choices())[value])


def _mode_help() -> str:
    """Return what stands below these choices."""
    of_features = (str(mode.help) for mode in modes_of_features())
    return " ".join([*of_features, gettext("It cannot be changed after launch.")])


def accepting_at(now: Any, *, path: str = "") -> Q:
    """The rule of `Survey.accepts_responses`, for queries."""
    opened = Q((f"{path}opens_at__isnull", True)) | Q((f"{path}opens_at__lte", now))
    not_over = Q((f"{path}closes_at__isnull", True)) | Q((f"{path}closes_at__gt", now))
    return Q((f"{path}state", "open")) & opened & not_over


def _shared_with(user: "User", *roles: str) -> Q:
    """The rule of who owns a survey, or is its co-author in one of these roles."""
    owned = Q(owner_id=user.pk)
    shared = user.co_authorships.filter(role__in=roles) if roles else None
    return owned if shared is None else owned | Q(pk__in=shared.values("survey"))


class SurveyQuerySet(models.QuerySet["Survey"]):
    def accepting_responses(self) -> "SurveyQuerySet":
        return self.filter(accepting_at(timezone.now()))

    def due_to_close(self) -> "SurveyQuerySet":
        return self.filter(state=Survey.State.OPEN, closes_at__lte=timezone.now())

    def owned_by(self, user: "User | AnonymousUser") -> "SurveyQuerySet":
        """Those that somebody may delete and share with co-authors: their own, or every survey."""
        return self._shared(user)

    def editable_by(self, user: "User | AnonymousUser") -> "SurveyQuerySet":
        """Those of an owner, and of co-authors who edit; every survey for a superuser."""
        return self._shared(user, "edit")

    def commentable_by(self, user: "User | AnonymousUser") -> "SurveyQuerySet":
        """Those on which somebody may comment."""
        return self._shared(user, "edit", "comment")

    def texts_visible_to(self, user: "User | AnonymousUser") -> "SurveyQuerySet":
        """Those whose questions and settings somebody may read, in a draft too; never results."""
        return self._shared(user, "edit", "comment", "read")

    def _shared(self, user: "User | AnonymousUser", *roles: str) -> "SurveyQuerySet":
        """The surveys of an owner, and those that are shared with them in one of these roles."""
        if user.is_superuser:
            return self
        return self.filter(_shared_with(user, *roles)) if user.is_authenticated else self.none()

    def results_visible_to(self, user: "User | AnonymousUser") -> "SurveyQuerySet":
        """Launched surveys whose results this person may see."""
        launched = self.exclude(state=Survey.State.DRAFT)
        if user.is_superuser:
            return launched
        rule = Q(results_public=True)
        if user.is_authenticated:
            rule |= _shared_with(user, "edit") | Q(pk__in=user.readable_surveys.values("pk"))
            for feature in FEATURES.values():
                rule |= feature.readers.surveys_of(user) or Q()
        return launched.filter(rule)


class SurveyManager(models.Manager.from_queryset(SurveyQuerySet)):  # type: ignore[misc]
    """Finds the surveys that there are: one that is being deleted is gone for everybody."""

    def get_queryset(self) -> SurveyQuerySet:
        return SurveyQuerySet(self.model, using=self._db).exclude(state=Survey.State.DELETED)


class Survey(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")
        DELETED = "deleted", _("Being deleted")

    class Linkage(models.TextChoices):
        TOGETHER = (
            "together",
            _("Keep one person's answers together (for tables and analyses)"),
        )
        APART = "apart", _("Store every answer apart, with no common key")

    class Population(models.TextChoices):
        SAMPLE = "sample", _("A larger population that the respondents are a sample of")
        FIXED = "fixed", _("Exactly the people who answer, such as all employees of one firm")

    class Layout(models.TextChoices):
        ONE = "one", _("One question at a time")
        ALL = "all", _("All questions on one page")

    title = models.CharField(_("title"), max_length=160)
    slug = models.SlugField(
        _("address"),
        max_length=64,
        unique=True,
        validators=[SLUG_RULE],
        help_text=_("The last part of the respondents' link: /s/…/"),
    )
    introduction = models.TextField(_("introduction"), blank=True, max_length=4000)
    consent = models.TextField(
        _("consent"),
        blank=True,
        max_length=4000,
        help_text=_("What a respondent agrees to by taking part. Shown before the first question."),
    )
    contact = models.TextField(
        _("contact (shown to respondents)"),
        blank=True,
        max_length=1000,
        help_text=_("Name, institution, and an address for questions."),
    )
    language = models.CharField(_("language"), max_length=12, default="en")
    layout = models.CharField(_("layout"), max_length=8, choices=Layout.choices, default=Layout.ONE)
    opens_at = models.DateTimeField(_("opens"), null=True, blank=True)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)

    budget = models.DecimalField(
        _("privacy budget (total epsilon)"),
        max_digits=7,
        decimal_places=4,
        default=Decimal("5"),
        validators=[MinValueValidator(Decimal("0.01")), MaxValueValidator(Decimal("100"))],
        help_text=_("What all sensitive questions together may reveal about one person, at most."),
    )
    budget_reason = models.TextField(
        _("why so much may be revealed"),
        blank=True,
        max_length=500,
        help_text=_(
            "Needed where the questions add up to an epsilon above 10. Respondents and researchers "
            "read it."
        ),
    )
    precision_reason = models.TextField(
        _("why it is asked although little can be found"),
        blank=True,
        max_length=500,
        help_text=_(
            "Needed where a margin is above 25 points at the planned number of respondents. "
            "Researchers read it."
        ),
    )
    planned_n = models.PositiveIntegerField(
        _("planned respondents"), default=500, validators=[MinValueValidator(1)]
    )
    release_threshold = models.PositiveIntegerField(
        _("release threshold"),
        default=20,
        validators=[MinValueValidator(1)],
        help_text=_(
            "Below this many responses nothing is shown to anybody; you alone see how many came in."
        ),
    )
    release_batch = models.PositiveIntegerField(
        _("release in batches of"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text=_(
            "Whatever is shown of the results, at any two moments, is the same or differs by at "
            "least this many responses, so that nobody can compare the two and single a person "
            "out. When you close, a rest of fewer stays out of the results. 1 switches it off: "
            "then each arrival shows."
        ),
    )
    mode = models.CharField(
        _("how respondents are told apart"),
        max_length=12,
        choices=mode_choices,
        default=OPEN,
        help_text=lazy(_mode_help, str)(),
    )
    linkage = models.CharField(
        _("answers of one person"),
        max_length=8,
        choices=Linkage.choices,
        default=Linkage.APART,
    )
    population = models.CharField(
        _("whom the results are about"),
        max_length=8,
        choices=Population.choices,
        default=Population.SAMPLE,
        help_text=_(
            "A sample carries the error of who happened to be asked as well; a whole group has "
            "only the error that chance adds."
        ),
    )
    # Pairs of variable names: [outcome, group]. Frozen at launch, because a subgroup that is
    # chosen after the answers are in can be chosen to single somebody out.
    # The settings of features, by their names (surveys/features/settings.py).
    features = models.JSONField(default=dict, blank=True, editable=False)
    # What was typed and is not right yet, or was changed on both sides (surveys/forms/sheets.py).
    typed = models.JSONField(null=True, default=None, blank=True, editable=False)
    results_public = models.BooleanField(
        _("anyone with the link may see the results"),
        default=False,
        help_text=_(
            "Estimates, tables and models, never rows: the reports themselves are for you and the "
            "people whom you name. Respondents read this before they agree."
        ),
    )
    embed_origins = models.CharField(
        _("sites that may embed the form"),
        max_length=500,
        blank=True,
        help_text=_("Origins such as https://www.example.org, separated by spaces."),
    )

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="surveys",
        verbose_name=_("author"),
    )
    researchers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        blank=True,
        related_name="readable_surveys",
        verbose_name=_("researchers"),
        help_text=_("People who may see the results and download the reports."),
    )
    state = models.CharField(
        _("state"), max_length=8, choices=State.choices, default=State.DRAFT, editable=False
    )
    # {question name: [share of each category]}, known only for simulated respondents.
    simulated_truth = models.JSONField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # Put aside by its author: not in the list, unless it is asked for. Nothing else depends on it.
    archived_at = models.DateTimeField(null=True, editable=False)

    objects = SurveyManager()
    # With those whose rows a worker is removing (surveys/services/removal.py).
    everything = SurveyQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("survey")
        verbose_name_plural = _("surveys")
        constraints = [
            models.CheckConstraint(
                name="survey_state_known",
                condition=Q(state__in=["draft", "open", "closed", "deleted"]),
            ),
            models.CheckConstraint(name="survey_budget_positive", condition=Q(budget__gt=0)),
            models.CheckConstraint(
                name="survey_batch_and_threshold_positive",
                condition=Q(release_batch__gte=1, release_threshold__gte=1),
            ),
            models.CheckConstraint(
                name="survey_closes_after_opening",
                condition=Q(opens_at__isnull=True)
                | Q(closes_at__isnull=True)
                | Q(closes_at__gt=F("opens_at")),
                violation_error_message=_("The survey must close after it opens."),
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("respond", args=[self.slug])

    @property
    def is_draft(self) -> bool:
        return self.state == self.State.DRAFT

    @cached_property
    def member_count(self) -> int:
        """How many people it knows and asks about each other; all questions read with it ask."""
        mode = mode_of(self.mode)
        return mode.member_count(self) if mode and mode.member_count else 0

    @cached_property
    def open_comments(self) -> int:
        """How many comments nobody has resolved; none of a survey that is not stored."""
        # `with_counts` reads the number with the survey.
        if (counted := self.__dict__.get("unresolved")) is not None:
            return int(counted)
        return int(self.comments.unresolved().count()) if self.pk else 0

    def accepts_responses(self) -> bool:
        now = timezone.now()
        return (
            self.state == self.State.OPEN
            and (self.opens_at is None or self.opens_at <= now)
            and (self.closes_at is None or self.closes_at > now)
        )

    def current_launch(self) -> Any:
        """The parameters in force, or None for a draft."""
        return self.launches.order_by("-version", "-wave").first()

    def closing_problem(self, closes_at: datetime | None) -> str:
        """Why it cannot be open until then; empty where it can."""
        if closes_at is not None and closes_at <= timezone.now():
            return gettext("This time has passed. Choose a later one, or none.")
        if closes_at is not None and self.opens_at is not None and closes_at <= self.opens_at:
            return gettext("The survey must close after it opens.")
        return ""
