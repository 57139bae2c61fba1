"""Tokens of the interface for programs: what a program shows in place of a password."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MOST_IN_A_NAME = 80
MOST_IN_A_KEY = 128
# Days after which a token is void; none is for ever.
LIFETIMES = (7, 30, 90, 365)


class Scope(models.TextChoices):
    """What a token may be for. No scope gives more than its account may do by itself."""

    SURVEYS_READ = "surveys:read", _("Read surveys: definitions, checks, state")
    SURVEYS_WRITE = "surveys:write", _("Write drafts: create, change, delete; searches, comments")
    LAUNCH = "launch", _("Launch, close and reopen; launch further waves")
    PEOPLE = "people", _("Read, add and remove co-authors, and name who reads the results")
    RESULTS_READ = "results:read", _("Read released results; ask for analyses")
    ROWS_READ = "rows:read", _("Read reports, one row a person or an answer")
    MEMBERS_READ = "members:read", _("Read the members of a survey, with their names")
    MEMBERS_WRITE = "members:write", _("Replace the members of a survey, delete their names")
    LINKS = "links", _("Make and revoke links of members, which let whoever has one answer")
    WEBHOOKS = "webhooks", _("Have an address told what happens to surveys")
    TOKENS = "tokens", _("List and revoke your tokens")


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def in_use(self) -> "ApiTokenQuerySet":
        """Those that open a door now, as far as their accounts are active."""
        return self.filter(revoked_at__isnull=True, expires_at__gt=timezone.now())


class ApiToken(models.Model):
    """`key_hash`: SHA-256 of the secret, which has too many bits to be guessed and so needs no key.

    `tail`: its last characters, by which its owner tells it from others. `last_used_on`: a day and
    no moment, so that it costs a write a day and says little about its owner. A revoked token
    stays, so that its owner sees what there was.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=MOST_IN_A_NAME)
    key_hash = models.CharField(max_length=64, unique=True)
    tail = models.CharField(max_length=4)
    scopes = models.JSONField(default=list)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_on = models.DateField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects: ClassVar = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("token for programs")
        verbose_name_plural = _("tokens for programs")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"


class StoredAnswer(models.Model):
    """What was answered to a request with an `Idempotency-Key`, for who sends it again.

    `request_hash`: of its method, address and body. `body` is empty where the answer had a secret,
    which is told once.
    """

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="answers")
    key = models.CharField(max_length=MOST_IN_A_KEY)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True, default="")
    kept = models.BooleanField(default=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("answer to a program")
        verbose_name_plural = _("answers to programs")
        constraints = [
            models.UniqueConstraint(fields=["token", "key"], name="stored_answer_key_unique"),
            models.CheckConstraint(
                name="stored_answer_with_a_secret_has_no_body", condition=Q(kept=True) | Q(body="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.token_id}: {self.status}"
