"""Answers to programs that are kept for who sends a request again, until a day has passed."""

from datetime import timedelta

from django.utils import timezone

from surveys.models import StoredAnswer

KEPT_FOR = timedelta(hours=24)


def forget_old_answers() -> None:
    """Delete answers whose time is over."""
    StoredAnswer.objects.filter(made_at__lte=timezone.now() - KEPT_FOR).delete()
