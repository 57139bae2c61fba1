"""Links for review: made, revoked, and followed by people without an account."""

import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.exceptions import WrongStateError
from surveys.models import ReviewLink, Survey
from surveys.services.keyed_hashes import keyed_hashes

_SALT = "candor.review_link"
_BYTES = 24
# More links are no committee's; each is a way in.
MOST_IN_USE = 20


@transaction.atomic
def make_review_link(*, survey: Survey, name: str, author: User) -> str:
    """Return the secret of a new link; it is stored as a hash, and cannot be shown again."""
    Survey.objects.select_for_update().get(pk=survey.pk)
    if survey.review_links.filter(revoked_at__isnull=True).count() >= MOST_IN_USE:
        message = _("There are %s links in use already. Revoke one first.")
        raise WrongStateError(message % MOST_IN_USE)
    secret = secrets.token_urlsafe(_BYTES)
    newest = keyed_hashes(_SALT, secret)[0]
    ReviewLink.objects.create(survey=survey, name=name, key_hash=newest, made_by=author)
    return secret


def revoke_review_link(*, link: ReviewLink) -> None:
    """Make a link void from now on; the first time counts."""
    ReviewLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())


def survey_under_review(secret: str) -> Survey | None:
    """Return the survey that a link shows; None for one that was never made, or that is void."""
    links = ReviewLink.objects.filter(
        key_hash__in=keyed_hashes(_SALT, secret), revoked_at__isnull=True
    ).exclude(survey__state=Survey.State.DELETED)
    link = links.select_related("survey").first()
    return link.survey if link else None
