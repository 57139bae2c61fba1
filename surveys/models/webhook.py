"""Webhooks: addresses that are told what happens to surveys, and what they were told."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from surveys.models.survey import Survey

LONGEST_ADDRESS = 500


class Event(models.TextChoices):
    """What a program can be told; of answers no more than that a release is there."""

    LAUNCHED = "survey.launched", _("A survey was launched")
    CLOSED = "survey.closed", _("A survey was closed")
    RELEASED = "results.released", _("New results were released")
    FIT_READY = "fit.ready", _("An analysis is ready")


class Webhook(models.Model):
    """`nonce`: the secret follows from it and the secret of the site, which no database has.

    `survey`: the one that it is about; None: all that its owner may see. `failures`: how many
    deliveries in a row were given up. `disabled_at`: since when it is told nothing, after too many.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks"
    )
    survey = models.ForeignKey(Survey, null=True, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=LONGEST_ADDRESS)
    events = models.JSONField(default=list)
    nonce = models.CharField(max_length=43)
    failures = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(auto_now_add=True)
    disabled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.url}"


class WebhookDeliveryQuerySet(models.QuerySet["WebhookDelivery"]):
    def waiting(self) -> "WebhookDeliveryQuerySet":
        return self.filter(due_at__isnull=False)


class WebhookDelivery(models.Model):
    """One message. `event_id` is the same at every attempt, so that a receiver takes it once.

    `due_at`: when it is sent next; None once it was taken or given up. `status`: that of the last
    answer, 0 without one. `failure`: why the last attempt failed, as a code.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event_id = models.UUIDField(default=uuid.uuid4, unique=True)
    event = models.CharField(max_length=32, choices=Event)
    body = models.TextField()
    made_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    delivered_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=32, blank=True, default="")

    objects: ClassVar = WebhookDeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("message of a webhook")
        verbose_name_plural = _("messages of webhooks")
        constraints = [
            models.CheckConstraint(
                name="webhook_delivery_is_due_or_over",
                condition=Q(due_at__isnull=True) | Q(delivered_at__isnull=True),
            )
        ]
        indexes = [
            models.Index(
                name="webhook_delivery_due", fields=["due_at"], condition=Q(due_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.event}"
