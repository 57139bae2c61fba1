"""A search for the best device of one question: its request and its content."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from surveys.engine_words import refusal_words
from surveys.models.job import Job
from surveys.models.question import Question


class DesignSearchQuerySet(models.QuerySet["DesignSearch"]):
    def without_content(self, *methods: str) -> "DesignSearchQuerySet":
        """Searches without their contents, for lists; `area_...` is that of each method's front.

        A content may be a megabyte.
        """
        areas = {f"area_{name}": F(f"content__fronts__{name}__hypervolume") for name in methods}
        return self.defer("content").annotate(**areas)


class DesignSearch(Job):
    """A job about a question; the last few ended ones are kept."""

    KIND = "search"

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="searches")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # Prior, bounds and methods as the search takes them; the same request gives the same content.
    request = models.JSONField()
    # Curves, bound and fronts so far; written by `surveys.authoring.workbench.searching` alone.
    content = models.JSONField(default=dict)

    objects: ClassVar = DesignSearchQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("design search")
        verbose_name_plural = _("design searches")

    @property
    def message_text(self) -> str:
        """The message in the reader's language."""
        return refusal_words(self.message)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.kind, self.subject = self.KIND, self.question_id
        super().save(*args, **kwargs)
